//! `tilebase completions SHELL`.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use tilebase_schema::CompletionsAnswer;

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::output;

/// Print a completion script for your shell
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase completions bash > ~/.local/share/bash-completion/completions/tilebase
  tilebase completions zsh  > ~/.zfunc/_tilebase
  tilebase completions fish > ~/.config/fish/completions/tilebase.fish")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Prints the script.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut Arguments::command(),
            "tilebase",
            &mut script,
        );
        let answer = CompletionsAnswer {
            shell: self.shell.to_string(),
            script: String::from_utf8_lossy(&script).into_owned(),
        };
        output::print(json, &answer, |answer| answer.script.clone())
    }
}
