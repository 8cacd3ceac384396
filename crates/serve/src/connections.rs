//! Connections: not too many at a time, none that keeps quiet for long, and an end in good
//! order.

use std::io;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::sync::Semaphore;

use crate::limits;

/// How long to wait where the system has no more sockets.
const RESPITE: Duration = Duration::from_millis(100);

/// Answers at all connections until `ending` is over; then those under way get some time.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    ending: impl Future<Output = ()>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(limits::CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIME);
    let accepting = async {
        // The semaphore is never closed.
        while let Ok(place) = Arc::clone(&places).acquire_owned().await {
            let Ok((stream, _)) = listener.accept().await else {
                // One that was given up, or too many open files: others may go away.
                tokio::time::sleep(RESPITE).await;
                continue;
            };
            let _ = stream.set_nodelay(true);
            let service = TowerToHyperService::new(app.clone());
            let connection = http.serve_connection(TokioIo::new(stream), service);
            let connection = graceful.watch(connection);
            tokio::spawn(async move {
                // What breaks a connection concerns nobody else.
                let _ = connection.await;
                drop(place);
            });
        }
    };
    tokio::select! {
        () = accepting => {}
        () = pin!(ending) => {}
    }
    drop(listener);
    tokio::select! {
        () = graceful.shutdown() => {}
        () = tokio::time::sleep(limits::FAREWELL) => {}
    }
    Ok(())
}
