//! How commands fail: one line for the user, one exit status for scripts.

mod hints;

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use clap::error::ErrorKind;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The work failed: disk, memory, a missing or corrupt table. Exit status 1.
    Work(String),
    /// The request was wrong and nothing was done. Exit status 2.
    Request(String),
    /// The user interrupted it. Exit status 130.
    Interrupted,
}

impl Failure {
    /// A wrong request.
    pub fn request(error: impl Display) -> Failure {
        Failure::Request(error.to_string())
    }

    /// The work failed while doing something, such as writing to a file.
    pub fn work(doing: &str, error: impl Display) -> Failure {
        Failure::Work(format!("{doing}: {error}"))
    }

    /// What other processes are told.
    pub fn why(&self) -> String {
        match self {
            Failure::Work(message) | Failure::Request(message) => message.clone(),
            Failure::Interrupted => "it was interrupted".to_owned(),
        }
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        match self {
            Failure::Work(_) => 1,
            Failure::Request(_) => 2,
            Failure::Interrupted => 130,
        }
    }

    /// Prints the message on stderr and returns the exit status.
    pub fn report(&self) -> ExitCode {
        let message = match self {
            Failure::Work(message) | Failure::Request(message) => message.as_str(),
            Failure::Interrupted => "interrupted",
        };
        // If stderr is closed, the status has to be enough.
        let _ = writeln!(std::io::stderr(), "tilebase: {message}");
        ExitCode::from(self.status())
    }

    /// The parser's error in one line. Help and version are not failures: they are printed
    /// here.
    pub fn from_clap(error: &clap::Error) -> Option<Failure> {
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                // A reader that closed the pipe has read enough.
                let _ = error.print();
                None
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Some(Failure::Request(
                "no command given: try 'tilebase --help'".to_owned(),
            )),
            kind => {
                let mut message = one_line(&error.render().to_string());
                if kind == ErrorKind::InvalidSubcommand {
                    message.push_str("; 'tilebase --help' lists the commands");
                }
                Some(Failure::Request(message))
            }
        }
    }
}

/// The parser's message without its usage and help paragraphs, lines joined.
fn one_line(message: &str) -> String {
    let parts: Vec<String> = message
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take_while(|line| !line.starts_with("Usage:"))
        .filter(|line| !line.starts_with("For more information"))
        .map(|line| {
            let line = line.strip_prefix("error: ").unwrap_or(line);
            line.trim_start_matches(['['])
                .trim_end_matches([']'])
                .to_owned()
        })
        .collect();
    let mut text = String::new();
    for part in parts {
        let gap = match text.chars().last() {
            None => "",
            Some(':') => " ",
            Some(_) => "; ",
        };
        text.push_str(gap);
        text.push_str(&part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_become_one_line() {
        let message = "error: invalid value 'x' for '--player <NAME>'\n  \
                       [possible values: random]\n\n  tip: use random\n\n\
                       Usage: tilebase\n\nFor more information, try '--help'.\n";
        assert_eq!(
            one_line(message),
            "invalid value 'x' for '--player <NAME>'; possible values: random; tip: use random"
        );
    }
}
