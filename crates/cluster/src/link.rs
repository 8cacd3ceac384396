//! A connection that notes how much passes and when it breaks.
//!
//! The threads that send and receive panic when a connection fails. A link never lets them see that:
//! it notes the failure and keeps them waiting, and the messenger ends the run with an error.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use timely_communication::allocator::zero_copy::stream::Stream;

/// What is known of the connection to a process.
pub(crate) struct LinkState {
    begun: Instant,
    /// Milliseconds after the beginning when something came last.
    heard: AtomicU64,
    pub sent: AtomicU64,
    pub received: AtomicU64,
    /// Nothing more will come, or can be sent.
    pub broken: AtomicBool,
    /// The process has said goodbye.
    pub parted: AtomicBool,
}

impl LinkState {
    pub fn new() -> LinkState {
        LinkState {
            begun: Instant::now(),
            heard: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            received: AtomicU64::new(0),
            broken: AtomicBool::new(false),
            parted: AtomicBool::new(false),
        }
    }

    /// Notes that something came.
    pub fn hear(&self) {
        let now = self.begun.elapsed().as_millis() as u64;
        self.heard.store(now, Ordering::Relaxed);
    }

    /// How long nothing has come.
    pub fn silence(&self) -> Duration {
        let heard = Duration::from_millis(self.heard.load(Ordering::Relaxed));
        self.begun.elapsed().saturating_sub(heard)
    }

    /// Keeps a thread waiting until the process has parted.
    fn broken(&self) {
        self.broken.store(true, Ordering::Release);
        while !self.parted.load(Ordering::Acquire) {
            std::thread::park_timeout(Duration::from_millis(20));
        }
    }
}

/// A connection to a process.
pub(crate) struct Link {
    stream: TcpStream,
    state: Arc<LinkState>,
}

impl Link {
    pub fn new(stream: TcpStream, state: Arc<LinkState>) -> Link {
        Link { stream, state }
    }
}

impl Read for Link {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => {
                    self.state.broken();
                    return Ok(0);
                }
                Ok(number) => {
                    self.state.hear();
                    let number_read = number as u64;
                    self.state
                        .received
                        .fetch_add(number_read, Ordering::Relaxed);
                    return Ok(number);
                }
            }
        }
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.stream.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(number) => {
                    self.state.sent.fetch_add(number as u64, Ordering::Relaxed);
                    return Ok(number);
                }
                Err(_) => {
                    self.state.broken();
                    // A process that has parted does not miss it.
                    return Ok(bytes.len());
                }
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Link> {
        Ok(Link {
            stream: self.stream.try_clone()?,
            state: Arc::clone(&self.state),
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // It may be closed already.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
