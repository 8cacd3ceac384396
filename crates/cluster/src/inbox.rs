//! Messages that have come, and what went wrong.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::Message;
use crate::error::ClusterError;

/// The messages of each process, in order, and the first fault.
pub(crate) struct Inbox {
    content: Mutex<Content>,
    news: Condvar,
}

struct Content {
    messages: Vec<VecDeque<Message>>,
    fault: Option<ClusterError>,
}

impl Inbox {
    pub fn new(processes: usize) -> Inbox {
        Inbox {
            content: Mutex::new(Content {
                messages: (0..processes).map(|_| VecDeque::new()).collect(),
                fault: None,
            }),
            news: Condvar::new(),
        }
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        // What is kept is whole at any time.
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a message of a process.
    pub fn put(&self, process: usize, message: Message) {
        if let Some(messages) = self.content().messages.get_mut(process) {
            messages.push_back(message);
        }
        self.news.notify_all();
    }

    /// Notes a fault. The first one counts: others follow from it.
    pub fn fail(&self, error: ClusterError) {
        self.content().fault.get_or_insert(error);
        self.news.notify_all();
    }

    /// What went wrong, if anything did.
    pub fn fault(&self) -> Option<ClusterError> {
        self.content().fault.clone()
    }

    /// The next message of a process, if it is there.
    pub fn take(&self, process: usize) -> Option<Message> {
        self.content().messages.get_mut(process)?.pop_front()
    }

    /// The next message of a process; waits for it as long as `go_on` allows.
    pub fn wait(&self, process: usize, go_on: &dyn Fn() -> bool) -> Result<Message, ClusterError> {
        let mut content = self.content();
        loop {
            if let Some(message) = content
                .messages
                .get_mut(process)
                .and_then(VecDeque::pop_front)
            {
                return Ok(message);
            }
            if let Some(fault) = &content.fault {
                return Err(fault.clone());
            }
            if !go_on() {
                return Err(ClusterError::Interrupted);
            }
            let waited = self.news.wait_timeout(content, Duration::from_millis(100));
            content = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
