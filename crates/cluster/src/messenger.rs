//! The thread that has the channels: it sends and receives, and watches over the other processes.

use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use timely_communication::allocator::ProcessBuilder;
use timely_communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely_communication::{
    Allocator, AllocatorBuilder, Bytesable, Hooks, Pull, Push, WorkerGuards, initialize_from,
};

use crate::Message;
use crate::error::ClusterError;
use crate::hosts::Hosts;
use crate::inbox::Inbox;
use crate::link::{Link, LinkState};

/// How often processes let each other know that they are there.
const BEAT: Duration = Duration::from_millis(500);
/// How long a process may be silent.
pub(crate) const PATIENCE: Duration = Duration::from_secs(8);
/// How long to wait for a process that has to hear why this one stops.
pub(crate) const FAREWELL: Duration = Duration::from_millis(800);

/// What the thread is asked to do.
pub(crate) enum Order {
    /// Send a message of a step.
    Send(usize, Vec<u8>),
    /// Tell all others that the work is done, and end when they are done too.
    Part,
    /// Tell all others why this process stops, and end.
    Stop(String),
}

/// What a message is about.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    /// A message of a step.
    Step,
    /// The process is there.
    Beat,
    /// The process has done its work.
    Part,
    /// The process, or one that it has heard of, failed; it says which and why.
    Stop,
    /// The process has heard that this one has done its work, or has failed.
    Heard,
}

/// A message on its way: kind, sender, content.
enum Frame {
    Out(Kind, u32, Vec<u8>),
    In(Message),
}

const HEAD: usize = 5;

impl Bytesable for Frame {
    fn from_bytes(bytes: Message) -> Frame {
        Frame::In(bytes)
    }

    fn length_in_bytes(&self) -> usize {
        match self {
            Frame::Out(_, _, body) => HEAD + body.len(),
            Frame::In(bytes) => bytes.len(),
        }
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        // The writer is memory of the length that was asked for.
        let _ = match self {
            Frame::Out(kind, from, body) => writer
                .write_all(&[*kind as u8])
                .and_then(|()| writer.write_all(&from.to_le_bytes()))
                .and_then(|()| writer.write_all(body)),
            Frame::In(bytes) => writer.write_all(bytes),
        };
    }
}

impl Frame {
    /// Kind, sender and content of a message that came.
    fn open(self) -> Option<(Kind, usize, Message)> {
        let Frame::In(mut bytes) = self else {
            return None;
        };
        let head: [u8; HEAD] = *bytes.first_chunk()?;
        let kind = match head[0] {
            0 => Kind::Step,
            1 => Kind::Beat,
            2 => Kind::Part,
            3 => Kind::Stop,
            4 => Kind::Heard,
            _ => return None,
        };
        let from = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
        bytes.extract_to(HEAD);
        Some((kind, from as usize, bytes))
    }
}

/// What the thread works with.
pub(crate) struct Messenger {
    pub hosts: Hosts,
    pub process: usize,
    pub orders: Receiver<Order>,
    pub inbox: Arc<Inbox>,
    pub links: Vec<Arc<LinkState>>,
}

impl Messenger {
    /// Starts the thread. `ended` is closed when it has ended.
    pub fn start(
        self,
        streams: Vec<Option<TcpStream>>,
        ended: Sender<()>,
    ) -> Result<WorkerGuards<()>, ClusterError> {
        let links = streams.into_iter().zip(&self.links);
        let sockets: Vec<Option<Link>> = links
            .map(|(stream, state)| stream.map(|stream| Link::new(stream, Arc::clone(state))))
            .collect();
        let hooks = Hooks::default();
        let local = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let started = initialize_networking_from_sockets(local, sockets, self.process, 1, hooks);
        let (builders, guard) = started.map_err(ClusterError::system)?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        let task = Mutex::new(Some((self, ended)));
        let run = move |channels| {
            let task = task.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some((messenger, _ended)) = task {
                messenger.run(channels);
            }
        };
        initialize_from(builders, Box::new(guard), run).map_err(ClusterError::System)
    }

    /// Sends and receives until the work is done or something fails.
    fn run(&self, mut channels: Allocator) {
        let (mut outs, mut ins) = channels.allocate::<Frame>(0);
        let mut last_beat = Instant::now();
        let mut last_turn = Instant::now();
        let mut parting = false;
        // Nobody leaves before all others know: a link that ends unexpectedly is a fault.
        let mut heard = vec![false; self.hosts.len()];
        let mut stopping: Option<Instant> = None;
        loop {
            // If this process was held up itself, nothing is known of the others.
            if last_turn.elapsed() > PATIENCE / 2 {
                self.others().for_each(|other| self.links[other].hear());
            }
            last_turn = Instant::now();
            let mut stop = None;
            loop {
                match self.orders.try_recv() {
                    Ok(Order::Send(to, body)) => {
                        outs[to].send(self.frame(Kind::Step, body));
                    }
                    Ok(Order::Part) => {
                        for to in self.others() {
                            outs[to].send(self.frame(Kind::Part, Vec::new()));
                        }
                        parting = true;
                    }
                    Ok(Order::Stop(why)) => stop = Some(why),
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => {
                        if !parting && stopping.is_none() {
                            stop = Some("it ended".to_owned());
                        }
                        break;
                    }
                }
            }
            if last_beat.elapsed() >= BEAT {
                last_beat = Instant::now();
                for to in self.others() {
                    outs[to].send(self.frame(Kind::Beat, Vec::new()));
                }
            }
            if let (Some(why), None) = (&stop, stopping) {
                stopping = Some(Instant::now());
                heard.fill(false);
                let text = self.stop_text(why);
                for to in self.others() {
                    outs[to].send(self.frame(Kind::Stop, text.clone().into_bytes()));
                }
            }
            for to in self.others() {
                outs[to].done();
            }
            channels.release();
            // Looked at before the messages are: whoever stops says why before the link breaks.
            let broken: Vec<bool> = self
                .links
                .iter()
                .map(|link| link.broken.load(Ordering::Acquire))
                .collect();
            channels.receive();
            channels.events().borrow_mut().clear();
            while let Some(frame) = ins.recv() {
                match self.take(frame) {
                    Some((Kind::Part | Kind::Stop, from)) => {
                        outs[from].send(self.frame(Kind::Heard, Vec::new()));
                    }
                    Some((Kind::Heard, from)) => heard[from] = true,
                    _ => {}
                }
            }
            channels.release();
            if let Some(since) = stopping {
                let knows = |other: usize| heard[other] || broken[other];
                if self.others().all(knows) || since.elapsed() > FAREWELL {
                    break;
                }
                channels.await_events(Some(Duration::from_millis(20)));
                continue;
            }
            for other in self.others() {
                self.watch(other, broken[other]);
            }
            if self.inbox.fault().is_some() {
                // The run ends with an error, and its order to stop is still to come.
                parting = false;
            }
            let parted = |other: usize| self.links[other].parted.load(Ordering::Acquire);
            if parting && self.others().all(|other| parted(other) && heard[other]) {
                break;
            }
            channels.await_events(Some(Duration::from_millis(100)));
        }
    }

    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let own = self.process;
        (0..self.hosts.len()).filter(move |&process| process != own)
    }

    fn frame(&self, kind: Kind, body: Vec<u8>) -> Frame {
        Frame::Out(kind, self.process as u32, body)
    }

    fn address(&self, process: usize) -> String {
        self.hosts.address(process).to_owned()
    }

    /// The process that is to blame, and why.
    fn stop_text(&self, why: &str) -> String {
        match self.inbox.fault() {
            Some(ClusterError::Stopped { process, why, .. }) => format!("{process} {why}"),
            Some(ClusterError::Lost { process, .. }) => {
                format!("{process} the connection to it was lost")
            }
            Some(ClusterError::Silent {
                process, seconds, ..
            }) => {
                format!("{process} it has not answered for {seconds} s")
            }
            _ => format!("{} {why}", self.process),
        }
    }

    /// Takes a message that came: what it is about, and who sent it.
    fn take(&self, frame: Frame) -> Option<(Kind, usize)> {
        let (kind, from, body) = frame.open()?;
        if from >= self.hosts.len() {
            return None;
        }
        match kind {
            Kind::Step => self.inbox.put(from, body),
            Kind::Beat | Kind::Heard => {}
            Kind::Part => self.links[from].parted.store(true, Ordering::Release),
            Kind::Stop => {
                let text = String::from_utf8_lossy(&body).into_owned();
                let (process, why) = text.split_once(' ').unwrap_or(("", "it failed"));
                let process = process.parse().unwrap_or(from);
                self.inbox.fail(ClusterError::Stopped {
                    process,
                    address: self.address(process),
                    why: why.to_owned(),
                });
            }
        }
        Some((kind, from))
    }

    /// Notes if a process has ended or hangs.
    fn watch(&self, other: usize, broken: bool) {
        let link = &self.links[other];
        if link.parted.load(Ordering::Acquire) {
            return;
        }
        let address = || self.address(other);
        if broken {
            self.inbox.fail(ClusterError::Lost {
                process: other,
                address: address(),
            });
        } else if link.silence() > PATIENCE {
            self.inbox.fail(ClusterError::Silent {
                process: other,
                address: address(),
                seconds: link.silence().as_secs(),
            });
        }
    }
}
