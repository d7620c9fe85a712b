//! Loopback servers for tests of the network.

use std::{
    net::{SocketAddr, TcpListener},
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
};

use axum::{
    Router,
    extract::{Request, State},
    middleware::{self, Next},
    response::Response,
};
use tokio::{runtime::Builder, sync::oneshot};

type Log = Arc<Mutex<Vec<String>>>;

/// A server on a port that the system chose. It ends, with every request in flight, when this is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    log: Log,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts serving.
    #[must_use]
    pub fn start(router: Router) -> Self {
        let log = Log::default();
        let router = router.layer(middleware::from_fn_with_state(Arc::clone(&log), note));
        // Bound here, so that clients that get the address can connect already.
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port on the loopback interface");
        listener.set_nonblocking(true).expect("a listener for an event loop");
        let address = listener.local_addr().expect("a bound listener has an address");
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).expect("a listener of the runtime");
                tokio::select! {
                    ended = async { axum::serve(listener, router).await } => ended.expect("the server goes on"),
                    _ = stopped => {}
                }
            });
        });
        Self { address, log, stop: Some(stop), thread: Some(thread) }
    }

    /// `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests so far, as `GET /path?query`, in the order of their arrival.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        self.log.lock().expect("no request panicked").clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn note(State(log): State<Log>, request: Request, next: Next) -> Response {
    log.lock().expect("no request panicked").push(format!("{} {}", request.method(), request.uri()));
    next.run(request).await
}
