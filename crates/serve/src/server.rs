//! The server: bound to a port, then run until it is stopped.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tilebase_service::{Service, TableCache};

use crate::connections::{self, ConnectionLimits};
use crate::executor::Executor;
use crate::jobs::{Jobs, Queue};
use crate::limits;
use crate::routes::router;

/// Time between checks whether the server is to stop.
const STOP_CHECK: Duration = Duration::from_millis(50);

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// A directory with tables.
    pub tables: Option<PathBuf>,
    /// The address to listen at.
    pub host: IpAddr,
    /// The port; 0 for a free one.
    pub port: u16,
}

/// Why the server cannot start.
#[derive(Debug)]
pub enum ServeError {
    /// The directory of tables cannot be read.
    Tables(PathBuf, io::Error),
    /// The port is taken.
    Taken(SocketAddr),
    /// The address cannot be listened at.
    Address(SocketAddr, io::Error),
    /// The system refused a socket or threads.
    System(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Tables(dir, error) => {
                write!(f, "reading the tables in {}: {error}", dir.display())
            }
            ServeError::Taken(address) => write!(f, "port {} is taken", address.port()),
            ServeError::Address(address, error) => {
                write!(f, "cannot listen at {address}: {error}")
            }
            ServeError::System(error) => write!(f, "starting the server: {error}"),
        }
    }
}

impl std::error::Error for ServeError {}

/// A server that is ready to answer.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    service: Service,
    notes: Vec<String>,
}

impl Server {
    /// Takes the port and opens the tables.
    pub fn bind(options: &ServeOptions) -> Result<Server, ServeError> {
        let wanted = SocketAddr::new(options.host, options.port);
        let listener = TcpListener::bind(wanted).map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => ServeError::Taken(wanted),
            _ => ServeError::Address(wanted, error),
        })?;
        let address = listener.local_addr().map_err(ServeError::System)?;
        listener.set_nonblocking(true).map_err(ServeError::System)?;
        let tables = options.tables.as_deref();
        let (cache, notes) = TableCache::open(tables).map_err(|error| match tables {
            Some(dir) => ServeError::Tables(Path::to_owned(dir), error),
            None => ServeError::System(error),
        })?;
        Ok(Server {
            listener,
            address,
            service: Service::new(cache),
            notes,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Number of tables found.
    pub fn tables(&self) -> usize {
        self.service.cache.tables().len()
    }

    /// What is wrong with tables that cannot be used.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Answers until `stop` returns true. Then jobs are cancelled, open requests are finished and
    /// temporary files are removed.
    pub fn run(self, stop: impl Fn() -> bool + Send + 'static) -> Result<(), ServeError> {
        let service = Arc::new(self.service);
        let (jobs, queues) = Jobs::new(&service.stop);
        let workers = queues.map(|queue| worker(queue, Arc::clone(&service)));
        let executor = Arc::new(Executor::new(service, jobs));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(limits::THREADS)
            .build()
            .map_err(ServeError::System)?;
        let app = router(Arc::clone(&executor), self.address.ip().is_loopback());
        let ending = ending(Arc::clone(&executor), stop);
        let served = runtime.block_on(connections::serve(
            self.listener,
            app,
            ConnectionLimits::default(),
            ending,
        ));
        // Connections that are still open have had their time.
        runtime.shutdown_timeout(limits::SHUTDOWN_TIME);
        drop(executor);
        for worker in workers {
            // The last job must have closed its files before they are removed.
            let _ = worker?.join();
        }
        served.map_err(ServeError::System)
    }
}

/// Waits until it is time to stop, and stops the work.
async fn ending(executor: Arc<Executor>, stop: impl Fn() -> bool + Send + 'static) {
    while !stop() {
        tokio::time::sleep(STOP_CHECK).await;
    }
    executor.service.stop.request();
    executor.jobs.close();
}

/// A thread that runs jobs.
fn worker(queue: Queue, service: Arc<Service>) -> Result<std::thread::JoinHandle<()>, ServeError> {
    let thread = std::thread::Builder::new().name("jobs".to_owned());
    let thread = thread.spawn(move || queue.work(&service.cache));
    thread.map_err(ServeError::System)
}
