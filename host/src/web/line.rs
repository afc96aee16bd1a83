//! Connections, no more than the server can hold, and none that says nothing for ever.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// The most connections at once; more wait until one is closed.
const MOST: usize = 512;

/// How long the other side may say nothing. A tab answers the server's pings, which come more
/// often.
const SILENCE: Duration = Duration::from_secs(60);

/// How long accepting rests when the system has no more files.
const REST: Duration = Duration::from_millis(200);

/// Accepts connections.
pub(super) struct Lines {
    listener: TcpListener,
    room: Arc<Semaphore>,
}

impl Lines {
    pub(super) fn new(listener: TcpListener) -> Lines {
        Lines {
            listener,
            room: Arc::new(Semaphore::new(MOST)),
        }
    }
}

impl Listener for Lines {
    type Io = Line;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Line, SocketAddr) {
        loop {
            let permit = Arc::clone(&self.room).acquire_owned().await;
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // Small messages go out at once; a stream that cannot do that is slower, not
                    // wrong.
                    let _ = stream.set_nodelay(true);
                    return (Line::new(stream, permit.ok()), address);
                }
                Err(_) => sleep(REST).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that fails when it has been silent for [`SILENCE`].
pub(super) struct Line {
    stream: TcpStream,
    deadline: Pin<Box<Sleep>>,
    /// Gives the place back when the connection is gone.
    _permit: Option<OwnedSemaphorePermit>,
}

impl Line {
    fn new(stream: TcpStream, permit: Option<OwnedSemaphorePermit>) -> Line {
        Line {
            stream,
            deadline: Box::pin(sleep(SILENCE)),
            _permit: permit,
        }
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(read) => {
                self.deadline.as_mut().reset(Instant::now() + SILENCE);
                Poll::Ready(read)
            }
            Poll::Pending => self
                .deadline
                .as_mut()
                .poll(context)
                .map(|()| Err(io::ErrorKind::TimedOut.into())),
        }
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
