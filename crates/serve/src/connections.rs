//! Connections: limited in number, closed when idle, and shut down gracefully.

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

/// Pause when the system has no more sockets.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Limits of connections.
pub struct ConnectionLimits {
    /// Connections at a time; others wait until one is closed.
    pub connections: usize,
    /// Time for the head of a request, and for an idle connection.
    pub head: Duration,
    /// Time that open requests get at the end.
    pub shutdown: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> ConnectionLimits {
        ConnectionLimits {
            connections: limits::CONNECTIONS,
            head: limits::HEAD_TIME,
            shutdown: limits::SHUTDOWN_TIME,
        }
    }
}

/// Serves connections until `ending` is over; then open requests get some time to finish.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    connection_limits: ConnectionLimits,
    ending: impl Future<Output = ()>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(connection_limits.connections));
    let graceful = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(connection_limits.head);
    let accepting = async {
        // The semaphore is never closed.
        while let Ok(place) = Arc::clone(&places).acquire_owned().await {
            let Ok((stream, _)) = listener.accept().await else {
                // One that was given up, or too many open files: others may go away.
                tokio::time::sleep(ACCEPT_PAUSE).await;
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
        () = tokio::time::sleep(connection_limits.shutdown) => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::time::Instant;

    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;
    use tokio::sync::oneshot;

    use super::*;

    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

    /// Runs a server with two places while something is tried.
    fn with_server<F: Future<Output = ()>>(head: Duration, attempt: impl FnOnce(SocketAddr) -> F) {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            listener.set_nonblocking(true).unwrap();
            let address = listener.local_addr().unwrap();
            let slow = get(|| async {
                tokio::time::sleep(Duration::from_millis(300)).await;
                "late"
            });
            let app = Router::new()
                .route("/", get(|| async { "here" }))
                .route("/slow", slow);
            let connection_limits = ConnectionLimits {
                connections: 2,
                head,
                shutdown: Duration::from_secs(5),
            };
            let (stop, stopped) = oneshot::channel::<()>();
            let ending = async {
                let _ = stopped.await;
            };
            let server = tokio::spawn(serve(listener, app, connection_limits, ending));
            attempt(address).await;
            let _ = stop.send(());
            server.await.unwrap().unwrap();
        });
    }

    async fn ask(address: SocketAddr, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(request).await.unwrap();
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text).await;
        text
    }

    #[test]
    fn heads_that_do_not_come_free_their_places() {
        let begin = Instant::now();
        with_server(Duration::from_millis(200), |address| async move {
            let mut quiet = Vec::new();
            for _ in 0..6 {
                let mut stream = TcpStream::connect(address).await.unwrap();
                stream.write_all(b"GET / HTTP/1.1\r\nho").await.unwrap();
                quiet.push(stream);
            }
            // There are two places, which others hold: it is answered once those are put out.
            assert!(ask(address, REQUEST).await.ends_with("here"));
        });
        assert!(begin.elapsed() >= Duration::from_millis(600));
    }

    #[test]
    fn answers_under_way_are_given_at_the_end() {
        let (sender, receiver) = std::sync::mpsc::channel();
        with_server(Duration::from_secs(5), |address| async move {
            let request = b"GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n";
            let mut stream = std::net::TcpStream::connect(address).unwrap();
            std::io::Write::write_all(&mut stream, request).unwrap();
            tokio::time::sleep(Duration::from_millis(100)).await;
            // A thread of its own, which goes on reading when the server's runtime is gone.
            std::thread::spawn(move || {
                let text = std::io::read_to_string(stream).unwrap();
                sender.send(text).unwrap();
            });
        });
        let text = receiver.recv_timeout(Duration::from_secs(5)).unwrap();
        assert!(text.ends_with("late"), "{text}");
    }
}
