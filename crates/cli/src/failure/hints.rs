//! Errors of the libraries as the command line reports them.
//!
//! A library's error states facts: what failed, which value, which limit. What to do about it
//! depends on who asked, so the flags and commands that help are added here.

use std::fmt::Display;

use tilebase_cluster::ClusterError;
use tilebase_count::CountError;
use tilebase_export::ExportError;
use tilebase_gpu::{DriverFault, GpuError};
use tilebase_index::IndexError;
use tilebase_model::ModelError;
use tilebase_solve::SolveError;
use tilebase_table::{ShardFault, TableError};
use tilebase_util::files::FileError;

use super::Failure;

const MORE_MEMORY: &str = "allow more with --memory, or choose a smaller target";

/// A wrong request or failed work, and what to do about it.
fn failure(is_request: bool, error: &impl Display, hint: Option<&str>) -> Failure {
    let text = match hint {
        Some(hint) => format!("{error}: {hint}"),
        None => error.to_string(),
    };
    match is_request {
        true => Failure::Request(text),
        false => Failure::Work(text),
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::Work(error.to_string())
    }
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Failure {
        let hint = match &error {
            IndexError::Endless { shape, free } if *free == shape.cells() => {
                Some("choose one with --to")
            }
            IndexError::Unreachable { .. } => {
                Some("choose a smaller one with --to, or leave --to out for the whole game")
            }
            _ => None,
        };
        failure(error.is_request(), &error, hint)
    }
}

impl From<GpuError> for Failure {
    fn from(error: GpuError) -> Failure {
        const CPU: &str = "use --device cpu";
        let hint = match &error {
            GpuError::Unsupported | GpuError::NoDriver | GpuError::LayerSize { .. } => Some(CPU),
            GpuError::NoCompiler => Some("install the CUDA toolkit, or use --device cpu"),
            GpuError::OldDriver { .. } => Some("install a newer one, or use --device cpu"),
            GpuError::Memory { .. } => Some("use --device cpu, or choose a smaller target"),
            GpuError::Allowance { .. } => {
                Some("allow more with --gpu-memory, or choose a smaller target")
            }
            GpuError::HostMemory { .. } => Some("allow more with --memory, or use --device cpu"),
            GpuError::Pinning { .. } => Some("allow less with --memory, or use --device cpu"),
            GpuError::Driver { fault, .. } => match fault {
                DriverFault::Stopped(_) => Some("run the same command again"),
                DriverFault::OutOfMemory | DriverFault::NoDevice | DriverFault::IllegalAddress => {
                    Some(CPU)
                }
                DriverFault::Other(_) => None,
            },
            GpuError::Compile(_) | GpuError::Shape(_) => None,
        };
        failure(error.is_request(), &error, hint)
    }
}

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Failure {
        let hint = match &error {
            ClusterError::Interrupted => return Failure::Interrupted,
            ClusterError::Lost { .. } | ClusterError::Silent { .. } => {
                Some("start all processes again, and they go on where they can")
            }
            ClusterError::Secret { .. } => Some("give all the same file with --secret"),
            ClusterError::Different { .. } => Some("start all with the same command and program"),
            _ => None,
        };
        failure(error.is_request(), &error, hint)
    }
}

impl From<CountError> for Failure {
    fn from(error: CountError) -> Failure {
        let hint = match &error {
            CountError::Interrupted => return Failure::Interrupted,
            CountError::Memory { .. } => Some(MORE_MEMORY),
            _ => None,
        };
        match error {
            CountError::Index(error) => error.into(),
            CountError::Gpu(error) => error.into(),
            CountError::Cluster(error) => error.into(),
            error => failure(error.is_request(), &error, hint),
        }
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        let hint = match &error {
            SolveError::Interrupted => return Failure::Interrupted,
            SolveError::Memory { .. } => Some(MORE_MEMORY),
            SolveError::Target(_) => Some("choose one with --to, such as --to 512"),
            SolveError::OnProcessor(_) => Some("use --device cpu"),
            SolveError::Start(_) => Some("use positions of the game that can arise"),
            SolveError::Count(_) | SolveError::Table(_) | SolveError::Gpu(_) => None,
        };
        match error {
            SolveError::Count(error) => error.into(),
            SolveError::Gpu(error) => error.into(),
            SolveError::Table(error) => error.into(),
            error => failure(error.is_request(), &error, hint),
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        let hint = match &error {
            TableError::Missing(_) => {
                Some("make one with 'tilebase solve SHAPE --to TILE --out DIR'")
            }
            TableError::Incomplete(_) => Some("run the same 'tilebase solve' again to resume it"),
            TableError::File(FileError::Damaged { .. }) => {
                Some("delete that file, and run the same 'tilebase solve' again")
            }
            TableError::Other { .. } => Some("use another directory"),
            TableError::Shards { fault, .. } => match fault {
                ShardFault::Missing(_) => Some("put all shards into one directory"),
                ShardFault::Other { .. } => Some("keep the shards of one table together"),
                _ => None,
            },
            TableError::MovesOnly(_) => Some("use a table with values"),
            TableError::Rounded(_) => Some("solve without --bits 16 and --best-play"),
            _ => None,
        };
        let is_one = |fault: &ShardFault| matches!(fault, ShardFault::Alone(_));
        let request = match &error {
            TableError::Other { .. } | TableError::NotRounded(_) => true,
            TableError::Shards { fault, .. } => is_one(fault),
            _ => false,
        };
        failure(request, &error, hint)
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Failure {
        let hint = match &error {
            ModelError::Limit { .. } => {
                Some("choose a smaller target or board, or allow more states with --limit")
            }
            ModelError::Start(_) => {
                Some("use fewer start tiles, or a spawn rule with fewer decimal places")
            }
            ModelError::Shape(_) => None,
        };
        failure(true, &error, hint)
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Failure {
        match error {
            ExportError::Interrupted => Failure::Interrupted,
            ExportError::Table(error) => error.into(),
            ExportError::Model(error) => error.into(),
            error => failure(error.is_request(), &error, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_gpu_name_the_options_that_help() {
        let (needed, allowed) = (2 << 30, 1 << 30);
        let small = Failure::from(GpuError::Allowance { needed, allowed });
        assert!(matches!(small, Failure::Request(text) if text.contains("--gpu-memory")));
        let missing = Failure::from(GpuError::NoDriver);
        assert!(matches!(missing, Failure::Work(text) if text.ends_with(": use --device cpu")));
    }
}
