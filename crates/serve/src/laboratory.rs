//! What all requests share, and how they get work done without holding up others.

use std::sync::Arc;

use axum::extract::State;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::advice::Searchers;
use crate::deadline::Stop;
use crate::duel::Contests;
use crate::fault::Fault;
use crate::jobs::Jobs;
use crate::limits;
use crate::shelf::{Held, Shelf};

/// The tables, the jobs, and who looks ahead.
pub struct Laboratory {
    pub shelf: Arc<Shelf>,
    pub jobs: Jobs,
    pub searchers: Arc<Searchers>,
    pub contests: Arc<Contests>,
    /// Those who may listen to jobs.
    pub listeners: Arc<Semaphore>,
    pub stop: Stop,
    /// Work that takes more than a look-up.
    heavy: Arc<Semaphore>,
}

/// How handlers get at it.
pub type Lab = State<Arc<Laboratory>>;

impl Laboratory {
    /// With these tables and jobs.
    pub fn new(shelf: Arc<Shelf>, jobs: Jobs, stop: Stop) -> Laboratory {
        Laboratory {
            shelf,
            jobs,
            searchers: Arc::default(),
            contests: Arc::default(),
            listeners: Arc::new(Semaphore::new(limits::LISTENERS)),
            stop,
            heavy: Arc::new(Semaphore::new(limits::AT_ONCE)),
        }
    }

    /// Looks something up, on a thread where it may wait for the disk.
    pub async fn look_up<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let done = spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err(Fault::Work("the work broke off".to_owned())))
    }

    /// Does what may take seconds, when it is its turn.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let turn = Arc::clone(&self.heavy).acquire_owned();
        let turn = tokio::time::timeout(limits::PATIENCE, turn).await;
        let busy = || Fault::Busy("too much is asked at a time: try again soon".to_owned());
        let turn = turn.map_err(|_| busy())?.map_err(|_| busy())?;
        // The turn is over with the work, even if nobody waits for the answer any more.
        self.look_up(move || {
            let done = work();
            drop(turn);
            done
        })
        .await
    }

    /// The table with an id; small games are solved now.
    pub async fn table(&self, id: &str) -> Result<Arc<Held>, Fault> {
        if let Some(held) = self.shelf.get(id)? {
            return Ok(held);
        }
        let (shelf, stop, id) = (Arc::clone(&self.shelf), self.stop.clone(), id.to_owned());
        self.work(move || shelf.get_or_solve(&id, &stop)).await
    }
}
