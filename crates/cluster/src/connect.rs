//! Connecting every process with every other one.
//!
//! A process connects to those before it and is connected to by those after it. It listens only
//! while it waits for them, and only on its own address.

use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use crate::error::ClusterError;
use crate::handshake::{HandshakeError, Hello, greet};
use crate::hosts::Hosts;
use crate::secret::Secret;
use crate::visitors::{Visitor, Visitors};

/// How long a handshake may take.
pub(crate) const HANDSHAKE: Duration = Duration::from_secs(5);
/// How often to try again.
const PAUSE: Duration = Duration::from_millis(50);

/// Who connects, and how long that may take.
pub(crate) struct Connecting<'a> {
    pub hosts: &'a Hosts,
    pub process: usize,
    pub secret: &'a Secret,
    pub work: &'a str,
    pub deadline: Instant,
    /// Whether the user wants to stop.
    pub interrupted: &'a dyn Fn() -> bool,
}

impl Connecting<'_> {
    /// The connections to all other processes.
    pub fn all(&self) -> Result<Vec<Option<TcpStream>>, ClusterError> {
        let own = Hello::new(self.hosts, self.process, self.work);
        let mut streams: Vec<Option<TcpStream>> = (0..self.hosts.len()).map(|_| None).collect();
        // The last one is not connected to by anybody.
        let listener = match self.process + 1 < self.hosts.len() {
            true => Some(self.listen()?),
            false => None,
        };
        for (process, stream) in streams.iter_mut().enumerate().take(self.process) {
            *stream = Some(self.dial(process, &own)?);
        }
        if let Some(listener) = listener {
            self.accept(listener, &own, &mut streams)?;
        }
        for stream in streams.iter().flatten() {
            let set = stream
                .set_nodelay(true)
                .and_then(|()| stream.set_read_timeout(None))
                .and_then(|()| stream.set_write_timeout(None));
            set.map_err(ClusterError::system)?;
        }
        Ok(streams)
    }

    fn listen(&self) -> Result<TcpListener, ClusterError> {
        let address = self.hosts.address(self.process);
        let listener = TcpListener::bind(address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok(listener)
        });
        listener.map_err(|error| ClusterError::Listen {
            address: address.to_owned(),
            what: error.to_string(),
        })
    }

    /// Connects to a process that may not be there yet.
    fn dial(&self, process: usize, own: &Hello) -> Result<TcpStream, ClusterError> {
        let address = self.hosts.address(process);
        loop {
            let failure = match self.try_dial(address) {
                Ok(mut stream) => match greet(&mut stream, self.secret, own) {
                    Ok(other) => return self.checked(stream, own, &other, Some(process)),
                    Err(HandshakeError::Secret) => {
                        return Err(ClusterError::Secret {
                            process,
                            address: address.to_owned(),
                        });
                    }
                    Err(HandshakeError::Connection(error)) => error,
                },
                Err(error) => error,
            };
            self.pause(process, &failure.to_string())?;
        }
    }

    fn try_dial(&self, address: &str) -> std::io::Result<TcpStream> {
        let mut last = std::io::Error::other("the name has no address");
        for address in address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, HANDSHAKE) {
                Ok(stream) => {
                    timeouts(&stream)?;
                    return Ok(stream);
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Waits for the processes after this one.
    fn accept(
        &self,
        listener: TcpListener,
        own: &Hello,
        streams: &mut [Option<TcpStream>],
    ) -> Result<(), ClusterError> {
        let mut visitors = Visitors::new(listener, self.secret, own);
        let mut refused = String::from("it did not connect");
        loop {
            let missing = streams
                .iter()
                .skip(self.process + 1)
                .position(Option::is_none);
            let Some(missing) = missing else {
                return Ok(());
            };
            let Some(Visitor { from, result }) = visitors.next() else {
                self.pause(self.process + 1 + missing, &refused)?;
                continue;
            };
            let (other, stream) = match result {
                Ok(known) => known,
                Err(HandshakeError::Secret) => {
                    refused = format!("{from} has another secret");
                    continue;
                }
                Err(HandshakeError::Connection(error)) => {
                    refused = format!("{from}: {error}");
                    continue;
                }
            };
            let expected = (self.process + 1..streams.len()).contains(&other.process);
            let stream = self.checked(stream, own, &other, None)?;
            if !expected || !self.is_listed(from, other.process) {
                refused = format!("{from} says that it is process {}", other.process);
                continue;
            }
            // A process that has lost patience connects again. Two of the same number are an error.
            let before = streams[other.process].replace(stream);
            if before.is_some_and(|before| is_open(&before)) {
                return Err(ClusterError::Stopped {
                    process: other.process,
                    address: self.hosts.address(other.process).to_owned(),
                    why: "it was started twice".to_owned(),
                });
            }
        }
    }

    /// Whether a connection comes from the host that is listed for a process.
    fn is_listed(&self, from: SocketAddr, process: usize) -> bool {
        let plain = |ip: IpAddr| ip.to_canonical();
        let listed = self.hosts.address(process).to_socket_addrs();
        listed.is_ok_and(|mut listed| listed.any(|host| plain(host.ip()) == plain(from.ip())))
    }

    /// The connection, if the other process is to do the same.
    fn checked(
        &self,
        stream: TcpStream,
        own: &Hello,
        other: &Hello,
        expected: Option<usize>,
    ) -> Result<TcpStream, ClusterError> {
        let process = expected.unwrap_or(other.process);
        let address = || self.hosts.address(process).to_owned();
        if let Some((what, own, other)) = own.difference(other) {
            return Err(ClusterError::Different {
                process,
                address: address(),
                what,
                own: own.to_owned(),
                other: other.to_owned(),
            });
        }
        if other.process != process {
            return Err(ClusterError::Different {
                process,
                address: address(),
                what: "number",
                own: process.to_string(),
                other: other.process.to_string(),
            });
        }
        Ok(stream)
    }

    /// Waits a moment for a process; an error if there is no time left.
    fn pause(&self, process: usize, what: &str) -> Result<(), ClusterError> {
        if (self.interrupted)() {
            return Err(ClusterError::Interrupted);
        }
        if Instant::now() >= self.deadline {
            return Err(ClusterError::Absent {
                process,
                address: self.hosts.address(process).to_owned(),
                what: what.to_owned(),
            });
        }
        std::thread::sleep(PAUSE);
        Ok(())
    }
}

pub(crate) fn timeouts(stream: &TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(HANDSHAKE))?;
    stream.set_write_timeout(Some(HANDSHAKE))
}

/// Whether the other side has not closed the connection. Nothing is sent before all are connected.
fn is_open(stream: &TcpStream) -> bool {
    let peeked = stream
        .set_nonblocking(true)
        .and_then(|()| stream.peek(&mut [0]));
    matches!(peeked, Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
}
