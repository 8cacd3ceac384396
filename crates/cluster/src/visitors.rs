//! Those who connect, and who may be strangers.
//!
//! Every handshake has a thread of its own, so that nobody who is slow or silent keeps the others
//! waiting. There are few at a time, and none takes long.

use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use crate::connect::{HANDSHAKE, timeouts};
use crate::handshake::{HandshakeError, Hello, answer};
use crate::secret::Secret;

/// How many may be in a handshake at a time: then the one that came first is sent away.
const MOST: usize = 64;

/// Somebody who has connected.
pub(crate) struct Visitor {
    /// Where from.
    pub from: SocketAddr,
    /// What was said, and the connection.
    pub result: Result<(Hello, TcpStream), HandshakeError>,
}

/// Everybody who connects.
pub(crate) struct Visitors {
    listener: TcpListener,
    secret: Secret,
    own: Hello,
    /// Those in a handshake, the first to come first.
    waiting: Vec<Waiting>,
    sender: Sender<Visitor>,
    done: Receiver<Visitor>,
}

struct Waiting {
    from: SocketAddr,
    since: Instant,
    stream: TcpStream,
}

impl Visitors {
    /// Those who connect to a listener that does not block.
    pub fn new(listener: TcpListener, secret: &Secret, own: &Hello) -> Visitors {
        let (sender, done) = channel();
        Visitors {
            listener,
            secret: secret.clone(),
            own: own.clone(),
            waiting: Vec::new(),
            sender,
            done,
        }
    }

    /// The next one whose handshake has ended, if there is one now.
    pub fn next(&mut self) -> Option<Visitor> {
        while let Ok((stream, from)) = self.listener.accept() {
            if let Err(error) = self.receive(stream, from) {
                let result = Err(HandshakeError::Connection(error));
                return Some(Visitor { from, result });
            }
        }
        self.send_away();
        let visitor = self.done.try_recv().ok()?;
        self.waiting.retain(|waiting| waiting.from != visitor.from);
        Some(visitor)
    }

    /// Begins a handshake.
    fn receive(&mut self, mut stream: TcpStream, from: SocketAddr) -> std::io::Result<()> {
        stream.set_nonblocking(false)?;
        timeouts(&stream)?;
        let waiting = Waiting {
            from,
            since: Instant::now(),
            stream: stream.try_clone()?,
        };
        let (secret, own, sender) = (self.secret.clone(), self.own.clone(), self.sender.clone());
        let handshake = move || {
            let result = answer(&mut stream, &secret, &own).map(|other| (other, stream));
            let _ = sender.send(Visitor { from, result });
        };
        std::thread::Builder::new().spawn(handshake)?;
        self.waiting.push(waiting);
        Ok(())
    }

    /// Ends handshakes that take too long, or are too many.
    fn send_away(&mut self) {
        let late = |waiting: &Waiting| waiting.since.elapsed() > HANDSHAKE;
        let late = self
            .waiting
            .iter()
            .take_while(|waiting| late(waiting))
            .count();
        let most = late.max(self.waiting.len().saturating_sub(MOST));
        for waiting in self.waiting.drain(..most) {
            // The thread of the handshake reads the end of the connection.
            let _ = waiting.stream.shutdown(Shutdown::Both);
        }
    }
}
