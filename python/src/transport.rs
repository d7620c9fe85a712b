//! HTTP requests of programs, answered by functions in Python, and the addresses of names.

use std::{
    io,
    net::IpAddr,
    pin::pin,
    sync::{Mutex, PoisonError},
};

use isolette::http::{Exchange, HttpError, Response, Transport};
use isolette_deadline::runtime;
use pyo3::{
    exceptions::PyRuntimeError,
    prelude::*,
    sync::PyOnceLock,
    types::{PyBytes, PyDict, PyTuple},
};
use serde_json::json;
use tokio::sync::oneshot;

use crate::{
    call_context::{self, CallContext, on_event_loop},
    callbacks::{Callback, attached, describe},
    cancellation::CancellationToken,
    values,
};

static HTTP_ERROR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static ERROR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

type Sent = Result<Response, HttpError>;

/// A function of the package that answers requests.
pub(crate) struct PythonTransport {
    function: Callback,
    is_async: bool,
}

impl PythonTransport {
    pub(crate) fn new(function: Py<PyAny>, is_async: bool) -> Self {
        Self { function: Callback::new(function), is_async }
    }
}

impl Transport for PythonTransport {
    async fn exchange(&self, exchange: Exchange<'_>) -> Sent {
        let (sending, wanted) = Sending::new();
        let request = Request::of(&exchange);
        let (function, context) = (self.function.clone(), CallContext::current());
        let is_async = self.is_async;
        let answering = async move {
            if is_async {
                let begin = move |py: Python<'_>| {
                    let keywords = request.keywords(py, sending)?;
                    Ok((function.function(py), keywords.into_any().unbind()))
                };
                return on_event_loop(context, begin, answer).await.unwrap_or_else(|error| Err(failed(error)));
            }
            let runtime = runtime().map_err(|error| failed(error.to_string()))?;
            let answering = runtime.spawn_blocking(move || {
                let answered = attached(|py| {
                    let function = function.function(py).into_bound(py);
                    let answered = request
                        .keywords(py, sending)
                        .and_then(|keywords| call_context::call(context.as_deref(), &function, &[], Some(&keywords)));
                    answer(py, answered)
                });
                answered.unwrap_or_else(|error| Err(failed(error)))
            });
            answering.await.unwrap_or_else(|error| Err(failed(error.to_string())))
        };
        let mut answering = pin!(answering);
        let reply = tokio::select! {
            answered = &mut answering => return answered,
            // If the function cannot send it any more, only its answer is left.
            Ok(reply) = wanted => reply,
        };
        // The caller may have stopped waiting for the response.
        let _ = reply.send(exchange.send().await);
        answering.await
    }
}

/// A request, for the package.
struct Request {
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    fn of(exchange: &Exchange<'_>) -> Self {
        Self {
            method: exchange.method().to_owned(),
            url: exchange.url().to_string(),
            headers: exchange.headers().map(|(name, value)| (name.to_owned(), value)).collect(),
            body: exchange.body().to_vec(),
        }
    }

    fn keywords(self, py: Python<'_>, sending: Sending) -> PyResult<Bound<'_, PyDict>> {
        let headers = PyTuple::new(py, self.headers)?;
        let keywords = PyDict::new(py);
        keywords.set_item("request", (self.method, self.url, headers, PyBytes::new(py, &self.body)))?;
        keywords.set_item("sending", sending)?;
        Ok(keywords)
    }
}

/// What the package returns: status, headers, body, and whether it is cut.
type Parts = (u16, Vec<(String, String)>, Vec<u8>, bool);

/// The response that a function returned, or the error that it raised.
fn answer(py: Python<'_>, answered: PyResult<Bound<'_, PyAny>>) -> Sent {
    let parts = answered.and_then(|answered| answered.extract::<Parts>());
    let (status, headers, body, truncated) = parts.map_err(|error| http_error(py, &error))?;
    let mut response = Response::new(status, "", body);
    response.headers = headers.into_iter().map(|(name, value)| (name.to_ascii_lowercase(), value)).collect();
    response.truncated = truncated;
    Ok(response)
}

fn failed(reason: String) -> HttpError {
    HttpError::Connect(reason)
}

/// The error for the program. Its name in Python is the one in JSON.
fn http_error(py: Python<'_>, error: &PyErr) -> HttpError {
    let class = HTTP_ERROR.import(py, "isolette._http", "HttpError");
    let parts = class.ok().filter(|class| error.is_instance(py, class)).and_then(|_| {
        let parts = ERROR.import(py, "isolette._http", "error").ok()?.call1((error.value(py),)).ok()?;
        parts.extract::<(String, String)>().ok()
    });
    let known = parts.and_then(|(kind, message)| serde_json::from_value(json!({ kind: message })).ok());
    known.unwrap_or_else(|| failed(describe(py, error)))
}

/// What came back, for the package: the parts of a response, or an error as JSON.
fn received(py: Python<'_>, sent: Sent) -> PyResult<Py<PyAny>> {
    let received = match sent {
        Ok(Response { status, headers, body, truncated, .. }) => {
            let headers = PyTuple::new(py, headers)?;
            (status, headers, PyBytes::new(py, &body), truncated).into_pyobject(py)?.into_any()
        }
        Err(error) => values::serialized(py, &error)?,
    };
    Ok(received.unbind())
}

/// Sends a request over the network, for its transport. Once.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct Sending(Mutex<Option<oneshot::Sender<oneshot::Sender<Sent>>>>);

impl Sending {
    fn new() -> (Self, oneshot::Receiver<oneshot::Sender<Sent>>) {
        let (want, wanted) = oneshot::channel();
        (Self(Mutex::new(Some(want))), wanted)
    }

    fn begin(&self) -> PyResult<oneshot::Receiver<Sent>> {
        let want = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let want =
            want.ok_or_else(|| PyRuntimeError::new_err("`send` was called before\nhint: a request is sent once"))?;
        let (reply, sent) = oneshot::channel();
        // If the time of the request is over, `sent` says so.
        let _ = want.send(reply);
        Ok(sent)
    }
}

fn over<E>(_: E) -> Sent {
    Err(HttpError::Timeout("the time of the request is over".into()))
}

#[pymethods]
impl Sending {
    /// Sends it, and waits for the response.
    fn wait(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let sent = self.begin()?;
        let sent = py.detach(|| sent.blocking_recv().unwrap_or_else(over));
        received(py, sent)
    }

    /// Sends it, and calls `done(response, error)` on a thread of the host.
    fn start(&self, done: Py<PyAny>) -> PyResult<CancellationToken> {
        let sent = self.begin()?;
        let runtime = runtime().map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        runtime.spawn(async move {
            let sent = sent.await.unwrap_or_else(over);
            // After the end of the interpreter nothing waits for it.
            let _ = attached(|py| {
                let called = match received(py, sent) {
                    Ok(parts) => done.call1(py, (parts, py.None())),
                    Err(error) => done.call1(py, (py.None(), error.into_value(py))),
                };
                if let Err(error) = called {
                    error.write_unraisable(py, Some(done.bind(py)));
                }
            });
        });
        // The request ends with the run.
        Ok(CancellationToken::default())
    }
}

/// The addresses of a name, of a function of the package.
pub(crate) fn resolve(function: &Callback, name: &str) -> io::Result<Vec<IpAddr>> {
    let addresses = function.call(|_, function| function.call1((name,))?.extract::<Vec<String>>());
    let addresses = addresses.map_err(io::Error::other)?;
    let parse = |address: String| {
        address.parse().map_err(|_| io::Error::other(format!("the resolver returned {address:?}, which is no address")))
    };
    addresses.into_iter().map(parse).collect()
}
