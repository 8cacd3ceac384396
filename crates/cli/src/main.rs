//! The program `tilebase`: reads the command line, runs a command and prints its answer.

mod animation;
mod arguments;
mod cluster;
mod commands;
mod destination;
mod failure;
mod human;
mod interrupt;
mod memory;
mod output;
mod picture;
mod progress;
mod standard;

use std::process::ExitCode;

use clap::Parser;

use arguments::Arguments;
use failure::Failure;

fn main() -> ExitCode {
    match Arguments::try_parse() {
        Ok(arguments) => match arguments.run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => failure.report(),
        },
        Err(error) => Failure::from_clap(&error).map_or(ExitCode::SUCCESS, |f| f.report()),
    }
}
