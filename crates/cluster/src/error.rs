//! Errors of working together.

use std::fmt;
use std::io;

/// Why processes cannot work together, or stopped to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClusterError {
    /// This process cannot listen on its address.
    Listen {
        /// The address.
        address: String,
        /// What the system says.
        what: String,
    },
    /// A process could not be reached, or did not come, in time.
    Absent {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
        /// What was tried last.
        what: String,
    },
    /// A process does not know the secret, or is not one of ours.
    Secret {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
    },
    /// A process does something else.
    Different {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
        /// What is different: the version, the work, the list of hosts.
        what: &'static str,
        /// What this process has.
        own: String,
        /// What the other one has.
        other: String,
    },
    /// The connection to a process was lost: it died, or the network did.
    Lost {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
    },
    /// A process has not been heard of for some time: it hangs, or the network does.
    Silent {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
        /// Seconds.
        seconds: u64,
    },
    /// A process gave up.
    Stopped {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
        /// Why.
        why: String,
    },
    /// A process sent something that makes no sense.
    Invalid {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
    },
    /// This process was interrupted while it waited.
    Interrupted,
    /// The system refused threads or sockets.
    System(String),
}

impl ClusterError {
    /// Whether the request was wrong, rather than the work failed.
    pub fn is_request(&self) -> bool {
        matches!(
            self,
            ClusterError::Different { .. } | ClusterError::Secret { .. }
        )
    }

    pub(crate) fn system(error: io::Error) -> ClusterError {
        ClusterError::System(error.to_string())
    }
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusterError::Listen { address, what } => {
                write!(f, "cannot listen on {address}: {what}")
            }
            ClusterError::Absent {
                process,
                address,
                what,
            } => write!(f, "process {process} ({address}) cannot be reached: {what}"),
            ClusterError::Secret { process, address } => write!(
                f,
                "process {process} ({address}) has another secret, or is not one of these processes"
            ),
            ClusterError::Different {
                process,
                address,
                what,
                own,
                other,
            } => write!(
                f,
                "process {process} ({address}) has another {what}: {other} instead of {own}"
            ),
            ClusterError::Lost { process, address } => write!(
                f,
                "the connection to process {process} ({address}) was lost: it ended, or the network failed"
            ),
            ClusterError::Silent {
                process,
                address,
                seconds,
            } => write!(
                f,
                "process {process} ({address}) has not answered for {seconds} s: it hangs, or the network failed"
            ),
            ClusterError::Stopped {
                process,
                address,
                why,
            } => write!(f, "process {process} ({address}) stopped: {why}"),
            ClusterError::Invalid { process, address } => {
                write!(f, "process {process} ({address}) sent an invalid message")
            }
            ClusterError::Interrupted => f.write_str("interrupted"),
            ClusterError::System(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for ClusterError {}

/// What is wrong with a list of hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostsError {
    /// A process does not end with a port.
    Port(String),
    /// Two processes have the same address.
    Twice(String),
    /// No process at all, or more than can be.
    Number(usize),
    /// The file of the list cannot be read.
    File {
        /// Its name.
        path: String,
        /// What the system says.
        what: String,
    },
}

impl fmt::Display for HostsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostsError::Port(host) => {
                write!(
                    f,
                    "'{host}' has no port: write HOST:PORT, such as node1:2049"
                )
            }
            HostsError::Twice(host) => {
                write!(
                    f,
                    "{host} is listed twice: every process needs an address of its own"
                )
            }
            HostsError::Number(number) => write!(
                f,
                "{number} processes: give 1 to {}",
                crate::hosts::MOST_PROCESSES
            ),
            HostsError::File { path, what } => write!(f, "{path}: {what}"),
        }
    }
}

impl std::error::Error for HostsError {}
