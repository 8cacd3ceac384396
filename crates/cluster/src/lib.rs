//! Several processes that work together, on one machine or on many.
//!
//! All processes run the same program on their own share of the data and exchange messages in
//! *steps*: in each step every process sends one message to every other one, which may be empty
//! ([`Cluster::begin`]), and later takes those that the others sent ([`Cluster::finish`]). A process
//! can begin a step before it finishes the one before, so that messages travel while it works.
//! Nobody can get more than that ahead, which bounds the memory that messages take.
//!
//! - [`Hosts`] lists where the processes listen, [`Secret`] is what they know each other by.
//! - [`Cluster::connect`] connects every process with every other one. Processes of another
//!   version, with other work or another list are refused by name.
//! - A process that dies, fails, hangs or cannot be reached ends the run on all others: whatever waits
//!   for a message returns a [`ClusterError`] that names the process.
//!
//! Messages travel over the channels of [timely dataflow]'s communication layer; connections are
//! opened by a [Noise] handshake with the shared secret. What is sent after that is not
//! encrypted: use a network that you trust.
//!
//! [timely dataflow]: https://github.com/TimelyDataflow/timely-dataflow
//! [Noise]: https://noiseprotocol.org
//!
//! ```
//! use tilebase_cluster::{Cluster, Hosts, Secret};
//!
//! let hosts = Hosts::on_this_machine(2).unwrap();
//! let secret = Secret::random().unwrap();
//! std::thread::scope(|scope| {
//!     for process in 0..2 {
//!         let (hosts, secret) = (hosts.clone(), secret.clone());
//!         scope.spawn(move || {
//!             let cluster = Cluster::connect(&hosts, process, &secret, "example").unwrap();
//!             assert_eq!(cluster.sum(&[1, process as u64]).unwrap(), [2, 1]);
//!             cluster.close().unwrap();
//!         });
//!     }
//! });
//! ```

mod cluster;
mod connect;
mod error;
mod handshake;
mod hosts;
mod inbox;
mod link;
mod messenger;
mod secret;
mod visitors;

pub use cluster::{Cluster, Pending, Traffic};
pub use error::{ClusterError, HostsError};
pub use hosts::Hosts;
pub use secret::Secret;

/// The bytes of a message.
pub type Message = timely_bytes::arc::Bytes;
