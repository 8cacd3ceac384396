//! The processes of a run, seen from one of them.

use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use timely_communication::WorkerGuards;

use crate::Message;
use crate::connect::Connecting;
use crate::error::ClusterError;
use crate::hosts::Hosts;
use crate::inbox::Inbox;
use crate::link::LinkState;
use crate::messenger::{FAREWELL, Messenger, Order, PATIENCE};
use crate::secret::Secret;

/// The processes of a run, seen from one of them. All make the same calls in the same order.
pub struct Cluster {
    hosts: Hosts,
    process: usize,
    inbox: Arc<Inbox>,
    links: Vec<Arc<LinkState>>,
    /// The thread that sends and receives; none if there is one process alone.
    messenger: Option<Mutex<(Sender<Order>, WorkerGuards<()>)>>,
    /// Closed when that thread has ended.
    ended: Mutex<std::sync::mpsc::Receiver<()>>,
    /// Microseconds that this process has waited for each other one.
    waited: Vec<AtomicU64>,
    /// Microseconds that it has waited in all.
    waited_in_all: AtomicU64,
    interrupted: Box<dyn Fn() -> bool + Send + Sync>,
}

/// A step that was begun.
#[must_use = "messages of a step are to be taken"]
pub struct Pending {
    /// What this process sent to itself.
    own: Vec<u8>,
}

/// What has passed between this process and the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traffic {
    /// Bytes sent to all others.
    pub sent: u64,
    /// Bytes received from all others.
    pub received: u64,
    /// Seconds spent waiting for messages.
    pub waited: f64,
    /// The process that was waited for longest, if any was.
    pub slowest: Option<usize>,
}

impl Cluster {
    /// A run of one process alone.
    pub fn alone() -> Cluster {
        Cluster::of(Hosts::single(), 0, Vec::new(), Box::new(|| false)).0
    }

    /// Connects this process with all others; they may take a minute to come.
    ///
    /// `work` says what is to be done; processes that are to do something else are refused.
    pub fn connect(
        hosts: &Hosts,
        process: usize,
        secret: &Secret,
        work: &str,
    ) -> Result<Cluster, ClusterError> {
        let wait = Duration::from_secs(60);
        Cluster::connect_within(hosts, process, secret, work, wait, || false)
    }

    /// Connects like [`Cluster::connect`] within a time, unless it is interrupted; also whatever
    /// waits for messages later ends when it is interrupted.
    pub fn connect_within(
        hosts: &Hosts,
        process: usize,
        secret: &Secret,
        work: &str,
        wait: Duration,
        interrupted: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Result<Cluster, ClusterError> {
        let streams = Connecting {
            hosts,
            process,
            secret,
            work,
            deadline: Instant::now() + wait,
            interrupted: &interrupted,
        }
        .all()?;
        Cluster::of_streams(hosts, process, streams, Box::new(interrupted))
    }

    /// A process that is connected with all others.
    fn of_streams(
        hosts: &Hosts,
        process: usize,
        streams: Vec<Option<TcpStream>>,
        interrupted: Box<dyn Fn() -> bool + Send + Sync>,
    ) -> Result<Cluster, ClusterError> {
        let links = streams.iter().map(|_| Arc::new(LinkState::new())).collect();
        let (mut cluster, ended) = Cluster::of(hosts.clone(), process, links, interrupted);
        let (orders, receiver) = channel();
        let messenger = Messenger {
            hosts: hosts.clone(),
            process,
            orders: receiver,
            inbox: Arc::clone(&cluster.inbox),
            links: cluster.links.clone(),
        };
        let threads = messenger.start(streams, ended)?;
        cluster.messenger = Some(Mutex::new((orders, threads)));
        // All have connected with all: from now on whoever is missing is missed within seconds.
        cluster.sum(&[])?;
        Ok(cluster)
    }

    fn of(
        hosts: Hosts,
        process: usize,
        links: Vec<Arc<LinkState>>,
        interrupted: Box<dyn Fn() -> bool + Send + Sync>,
    ) -> (Cluster, Sender<()>) {
        let (ended, end) = channel();
        let cluster = Cluster {
            inbox: Arc::new(Inbox::new(hosts.len())),
            waited: (0..hosts.len()).map(|_| AtomicU64::new(0)).collect(),
            waited_in_all: AtomicU64::new(0),
            hosts,
            process,
            links,
            messenger: None,
            ended: Mutex::new(end),
            interrupted,
        };
        (cluster, ended)
    }

    /// The number of this process.
    pub fn process(&self) -> usize {
        self.process
    }

    /// Number of processes.
    pub fn processes(&self) -> usize {
        self.hosts.len()
    }

    /// The addresses of the processes.
    pub fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    fn order(&self, order: Order) {
        if let Some(messenger) = &self.messenger {
            let messenger = messenger.lock().unwrap_or_else(PoisonError::into_inner);
            let (orders, threads) = &*messenger;
            // A messenger that has ended has left an error, which whoever waits will find.
            let _ = orders.send(order);
            let threads = threads.guards().iter();
            threads.for_each(|guard| guard.thread().unpark());
        }
    }

    /// Begins a step: sends a message to every process, this one too, by their numbers. Messages
    /// that are not there count as empty.
    pub fn begin(&self, mut messages: Vec<Vec<u8>>) -> Pending {
        messages.resize(self.processes(), Vec::new());
        let mut own = Vec::new();
        for (to, message) in messages.into_iter().enumerate() {
            match to == self.process {
                true => own = message,
                false => self.order(Order::Send(to, message)),
            }
        }
        Pending { own }
    }

    /// Finishes a step: the messages of all processes, by their numbers. Steps are finished in the
    /// order in which they were begun.
    pub fn finish(&self, pending: Pending) -> Result<Vec<Message>, ClusterError> {
        let mut messages = Vec::with_capacity(self.processes());
        let begun = Instant::now();
        let go_on = || !(self.interrupted)();
        let mut own = Some(pending.own);
        for from in 0..self.processes() {
            if from == self.process {
                messages.push(
                    timely_bytes::arc::BytesMut::from(own.take().unwrap_or_default()).freeze(),
                );
                continue;
            }
            let message = match self.inbox.take(from) {
                Some(message) => message,
                None => {
                    let waiting = Instant::now();
                    let message = self.inbox.wait(from, &go_on)?;
                    let micros = waiting.elapsed().as_micros() as u64;
                    self.waited[from].fetch_add(micros, Ordering::Relaxed);
                    message
                }
            };
            messages.push(message);
        }
        let micros = begun.elapsed().as_micros() as u64;
        self.waited_in_all.fetch_add(micros, Ordering::Relaxed);
        Ok(messages)
    }

    /// Exchanges messages in as many rounds as the process with most of them needs. `next` makes the
    /// messages of a round, one for each process, and says whether more will follow; `take` gets
    /// those that came in a round. A round is begun before the one before is finished, so that messages
    /// travel while the next ones are made.
    pub fn rounds<E: From<ClusterError>>(
        &self,
        mut next: impl FnMut() -> Result<(Vec<Vec<u8>>, bool), E>,
        mut take: impl FnMut(&[&[u8]]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut own_more = true;
        let mut round = || -> Result<(Pending, bool), E> {
            let (mut messages, more) = match own_more {
                true => next()?,
                false => (Vec::new(), false),
            };
            own_more = more;
            messages.resize(self.processes(), Vec::new());
            // The last byte says whether more will follow.
            messages
                .iter_mut()
                .for_each(|message| message.push(u8::from(more)));
            Ok((self.begin(messages), more))
        };
        let (mut pending, mut more) = round()?;
        loop {
            // A process that has more knows that there is another round.
            let ahead = match more {
                true => Some(round()?),
                false => None,
            };
            let messages = self.finish(pending)?;
            let mut bodies = Vec::with_capacity(messages.len());
            let mut others_more = false;
            for (process, message) in messages.iter().enumerate() {
                let (last, body) = message.split_last().ok_or_else(|| self.invalid(process))?;
                others_more |= *last != 0;
                bodies.push(body);
            }
            take(&bodies)?;
            (pending, more) = match ahead {
                Some(ahead) => ahead,
                None if others_more => round()?,
                None => return Ok(()),
            };
        }
    }

    /// The same message from every process to all: those of all processes.
    pub fn share(&self, message: &[u8]) -> Result<Vec<Message>, ClusterError> {
        self.finish(self.begin(vec![message.to_vec(); self.processes()]))
    }

    /// The numbers of every process, as many from each.
    pub fn share_numbers(&self, numbers: &[u64]) -> Result<Vec<Vec<u64>>, ClusterError> {
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        let messages = self.share(&bytes)?;
        let read = |(process, message): (usize, &Message)| {
            let words = message.chunks_exact(8);
            let words = words.map(|word| word.first_chunk().map_or(0, |w| u64::from_le_bytes(*w)));
            match message.len() == bytes.len() {
                true => Ok(words.collect()),
                false => Err(self.invalid(process)),
            }
        };
        messages.iter().enumerate().map(read).collect()
    }

    /// Adds up the numbers of all processes, each at its place.
    pub fn sum(&self, numbers: &[u64]) -> Result<Vec<u64>, ClusterError> {
        let all = self.share_numbers(numbers)?;
        let at = |i: usize| all.iter().map(|numbers| numbers[i]).sum();
        Ok((0..numbers.len()).map(at).collect())
    }

    /// The error of a message that makes no sense.
    pub fn invalid(&self, process: usize) -> ClusterError {
        ClusterError::Invalid {
            process,
            address: self.hosts.address(process).to_owned(),
        }
    }

    /// What went wrong, if anything did.
    pub fn fault(&self) -> Option<ClusterError> {
        self.inbox.fault()
    }

    /// What has passed so far.
    pub fn traffic(&self) -> Traffic {
        let sum = |of: fn(&LinkState) -> &AtomicU64| {
            self.links
                .iter()
                .map(|link| of(link).load(Ordering::Relaxed))
                .sum()
        };
        let waited = self
            .waited
            .iter()
            .map(|waited| waited.load(Ordering::Relaxed));
        let slowest = waited.enumerate().max_by_key(|&(_, waited)| waited);
        Traffic {
            sent: sum(|link| &link.sent),
            received: sum(|link| &link.received),
            waited: self.waited_in_all.load(Ordering::Relaxed) as f64 / 1e6,
            slowest: slowest
                .filter(|&(_, waited)| waited > 0)
                .map(|(process, _)| process),
        }
    }

    /// Ends the run when all processes have come here.
    pub fn close(mut self) -> Result<(), ClusterError> {
        self.order(Order::Part);
        let ended = self.wait_for_end(PATIENCE);
        let threads = self.messenger.take();
        match self.inbox.fault() {
            None if ended => {
                drop(threads);
                Ok(())
            }
            fault => {
                // They may wait for a process that cannot be reached.
                std::mem::forget(threads);
                fault.map_or(Ok(()), Err)
            }
        }
    }

    /// Ends the run on all processes, which are told why.
    pub fn stop(mut self, why: &str) {
        self.give_up(why);
    }

    fn give_up(&mut self, why: &str) {
        self.tell(why);
        // Its threads may wait for a process that cannot be reached.
        std::mem::forget(self.messenger.take());
    }

    /// Tells all other processes that this one fails, and why.
    pub fn tell(&self, why: &str) {
        self.order(Order::Stop(why.to_owned()));
        // Whoever does not take the news is not waited for.
        self.wait_for_end(FAREWELL + Duration::from_millis(50));
    }

    /// Waits until the messenger has ended; whether it has.
    fn wait_for_end(&self, limit: Duration) -> bool {
        if self.messenger.is_none() {
            return true;
        }
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.recv_timeout(limit) == Err(RecvTimeoutError::Disconnected)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.give_up("it failed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_connection_is_an_error_on_both_sides() {
        let hosts = Hosts::on_this_machine(2).unwrap();
        let secret = Secret::random().unwrap();
        let connect = |process: usize| {
            let streams = Connecting {
                hosts: &hosts,
                process,
                secret: &secret,
                work: "test",
                deadline: Instant::now() + Duration::from_secs(60),
                interrupted: &|| false,
            }
            .all();
            let streams = streams.unwrap();
            let connection = streams[1 - process].as_ref().unwrap().try_clone().unwrap();
            let cluster = Cluster::of_streams(&hosts, process, streams, Box::new(|| false));
            (cluster.unwrap(), connection)
        };
        let connect = &connect;
        let [(one, connection), (other, _)] = std::thread::scope(|scope| {
            [0, 1]
                .map(|process| scope.spawn(move || connect(process)))
                .map(|thread| thread.join().unwrap())
        });
        connection.shutdown(std::net::Shutdown::Both).unwrap();
        std::thread::scope(|scope| {
            for (cluster, missing) in [(&one, 1), (&other, 0)] {
                scope.spawn(move || {
                    // The first steps may still succeed.
                    let error = loop {
                        if let Err(error) = cluster.sum(&[1]) {
                            break error;
                        }
                    };
                    let address = cluster.hosts().address(missing).to_owned();
                    let process = missing;
                    assert_eq!(error, ClusterError::Lost { process, address });
                });
            }
        });
    }
}
