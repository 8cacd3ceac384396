//! How two processes make sure of each other.
//!
//! Noise NNpsk0: one message each way, both encrypted with a key that only the shared secret gives.
//! They carry what the processes are about to do, which must be the same.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use crate::hosts::Hosts;
use crate::secret::Secret;

pub(crate) const PATTERN: &str = "Noise_NNpsk0_25519_ChaChaPoly_BLAKE2s";
/// Noise messages are no longer.
const MOST_BYTES: usize = 65535;
/// The answer to one who does not know the secret: the length of an empty message, which Noise has
/// not.
const REFUSED: [u8; 2] = [0, 0];

/// What a process is about to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hello {
    /// The version of the program.
    pub version: String,
    /// What is to be done.
    pub work: String,
    /// All processes.
    pub hosts: String,
    /// The number of this one.
    pub process: usize,
}

impl Hello {
    pub fn new(hosts: &Hosts, process: usize, work: &str) -> Hello {
        Hello {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            work: work.to_owned(),
            hosts: hosts.list(),
            process,
        }
    }

    /// What is different between two processes: its name, and what each has.
    pub fn difference<'a>(&'a self, other: &'a Hello) -> Option<(&'static str, &'a str, &'a str)> {
        let fields = [
            ("version", &self.version, &other.version),
            ("list of hosts", &self.hosts, &other.hosts),
            ("task", &self.work, &other.work),
        ];
        let different = fields.into_iter().find(|(_, own, other)| own != other);
        different.map(|(what, own, other)| (what, own.as_str(), other.as_str()))
    }
}

/// Why a handshake failed.
#[derive(Debug)]
pub(crate) enum HandshakeError {
    /// The other side does not know the secret, or does not speak Noise.
    Secret,
    /// The connection failed.
    Connection(std::io::Error),
}

impl From<std::io::Error> for HandshakeError {
    fn from(error: std::io::Error) -> HandshakeError {
        HandshakeError::Connection(error)
    }
}

impl From<snow::Error> for HandshakeError {
    fn from(_: snow::Error) -> HandshakeError {
        HandshakeError::Secret
    }
}

fn builder(secret: &Secret) -> Result<snow::Builder<'_>, snow::Error> {
    snow::Builder::new(PATTERN.parse()?).psk(0, secret.key())
}

/// The side that connects: says what it is about to do, and hears the same of the other.
pub(crate) fn greet(
    stream: &mut (impl Read + Write),
    secret: &Secret,
    own: &Hello,
) -> Result<Hello, HandshakeError> {
    let mut noise = builder(secret)?.build_initiator()?;
    send(stream, &mut noise, own)?;
    receive(stream, &mut noise)
}

/// The side that is connected to.
pub(crate) fn answer(
    stream: &mut (impl Read + Write),
    secret: &Secret,
    own: &Hello,
) -> Result<Hello, HandshakeError> {
    let mut noise = builder(secret)?.build_responder()?;
    let other = match receive(stream, &mut noise) {
        Err(HandshakeError::Secret) => {
            stream.write_all(&REFUSED)?;
            return Err(HandshakeError::Secret);
        }
        other => other?,
    };
    send(stream, &mut noise, own)?;
    Ok(other)
}

fn send(
    stream: &mut impl Write,
    noise: &mut snow::HandshakeState,
    hello: &Hello,
) -> Result<(), HandshakeError> {
    let text = serde_json::to_vec(hello).map_err(std::io::Error::other)?;
    let mut bytes = vec![0; MOST_BYTES];
    let length = noise.write_message(&text, &mut bytes)?;
    let mut framed = (length as u16).to_be_bytes().to_vec();
    framed.extend(&bytes[..length]);
    stream.write_all(&framed)?;
    Ok(stream.flush()?)
}

fn receive(
    stream: &mut impl Read,
    noise: &mut snow::HandshakeState,
) -> Result<Hello, HandshakeError> {
    let mut length = [0; 2];
    stream.read_exact(&mut length)?;
    let mut bytes = vec![0; usize::from(u16::from_be_bytes(length))];
    stream.read_exact(&mut bytes)?;
    let mut text = vec![0; MOST_BYTES];
    let length = noise.read_message(&bytes, &mut text)?;
    serde_json::from_slice(&text[..length]).map_err(|_| HandshakeError::Secret)
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    fn hello(process: usize) -> Hello {
        let hosts = Hosts::parse("a:1,b:2").unwrap();
        Hello::new(&hosts, process, "count 2x2")
    }

    /// What both sides of a handshake find: the one that connects, and the other.
    fn shake(secrets: [&str; 2], hellos: [Hello; 2]) -> [Result<Hello, HandshakeError>; 2] {
        let [first, second] = secrets.map(|text| Secret::new(text).unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let [own, other] = hellos;
        std::thread::scope(|scope| {
            let greeting = scope.spawn(move || {
                let mut stream = TcpStream::connect(address).unwrap();
                greet(&mut stream, &first, &own)
            });
            let mut stream = listener.accept().unwrap().0;
            let answered = answer(&mut stream, &second, &other);
            [greeting.join().unwrap(), answered]
        })
    }

    #[test]
    fn both_hear_what_the_other_is_about_to_do() {
        let secret = "correct horse battery";
        let [first, second] = shake([secret; 2], [hello(1), hello(0)]);
        assert_eq!(first.unwrap(), hello(0));
        assert_eq!(second.unwrap(), hello(1));
    }

    #[test]
    fn nobody_hears_anything_with_another_secret() {
        let secrets = ["correct horse battery", "correct horse batterz"];
        let [first, second] = shake(secrets, [hello(1), hello(0)]);
        assert!(matches!(first, Err(HandshakeError::Secret)), "{first:?}");
        assert!(matches!(second, Err(HandshakeError::Secret)), "{second:?}");
    }

    #[test]
    fn differences_are_named() {
        let own = hello(0);
        assert_eq!(own.difference(&hello(1)), None);
        type Change = fn(&mut Hello);
        let changes: [(&str, Change); 3] = [
            ("version", |hello| hello.version = "0.0.0".to_owned()),
            ("list of hosts", |hello| hello.hosts = "a:1,c:2".to_owned()),
            ("task", |hello| hello.work = "count 2x3".to_owned()),
        ];
        for (name, change) in changes {
            let mut other = hello(1);
            change(&mut other);
            assert_eq!(own.difference(&other).map(|it| it.0), Some(name));
        }
    }
}
