//! An interface together with its handler.

use std::{collections::HashMap, fmt, panic::AssertUnwindSafe, pin::Pin, sync::Arc};

use isolette_abi::value::{Encode, EncodeError, InvalidValue};
use isolette_interface::{Function, Interface, InterfaceName};

use super::{CallContext, Resources};
use isolette_tools::declarations::of_interface;
use isolette_types::Language;

/// Handles the calls of an interface, with encoded arguments and results. `capability!` generates an implementation;
/// implement the trait by hand to intercept the calls of a capability, for example to record them.
pub trait CapabilityHandler: Send + Sync + 'static {
    /// Calls the function at this index of [`Interface::functions`]. `arguments` are the encoded values of its
    /// parameters.
    ///
    /// Immediate and blocking work is done on the thread of the guest, if the program waits for the call, and otherwise on
    /// another one. A returned future is awaited on this crate's threads, in a Tokio runtime, and dropped when the run
    /// ends.
    fn call(self: Arc<Self>, function: usize, arguments: &[u8], context: &CallContext) -> CallReply;

    /// Whether [`CapabilityHandler::call`] returns at once, with a future, for the function at this index. If a program
    /// does not wait for the call, other functions get a thread of their own.
    fn is_asynchronous(&self, _function: usize) -> bool {
        false
    }
}

/// The reply to a call: the encoded value of the function's result, or a failure, now or later.
pub enum CallReply {
    /// The call is complete.
    Ready(Result<Vec<u8>, CallFailure>),
    /// The call completes when the future does.
    Later(Pin<Box<dyn Future<Output = Result<Vec<u8>, CallFailure>> + Send>>),
}

impl CallReply {
    /// Encodes a result.
    ///
    /// # Errors
    /// [`CallFailure::Result`] if the result cannot be encoded.
    pub fn encode(result: &impl Encode<Resources>, context: &CallContext) -> Result<Vec<u8>, CallFailure> {
        let mut bytes = Vec::new();
        result.encode(&mut bytes, context.resources())?;
        Ok(bytes)
    }
}

impl fmt::Debug for CallReply {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready(result) => formatter.debug_tuple("Ready").field(&result.is_ok()).finish(),
            Self::Later(_) => formatter.write_str("Later"),
        }
    }
}

/// Why a call has no result. An error that the function itself returns is a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallFailure {
    /// The arguments do not match the types of the parameters.
    #[error("{0}")]
    Invalid(#[from] InvalidValue),
    /// The result cannot be encoded.
    #[error("its result cannot be handed over: {0}")]
    Result(#[from] EncodeError),
    /// The function failed; the program gets this message.
    #[error("{0}")]
    Failed(String),
}

/// An interface that the embedder implements, with its handler.
///
/// Guests of both languages get it as a module that they can import:
///
/// ```python
/// from acme.weather import forecast
/// forecast.get("Paris").high_c
/// ```
///
/// Clones share the same handler.
#[derive(Clone)]
pub struct Capability {
    description: Arc<Description>,
    handler: Arc<dyn CapabilityHandler>,
}

struct Description {
    interface: Interface,
    json: String,
    functions: HashMap<String, usize>,
    signatures: Vec<String>,
}

impl fmt::Debug for Capability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Capability").field(&self.name().to_string()).finish()
    }
}

impl Capability {
    /// Makes a capability of an interface and its handler.
    pub fn new(interface: Interface, handler: impl CapabilityHandler) -> Self {
        let functions = interface.functions.iter().enumerate();
        let functions = functions.map(|(place, function)| (function.name.as_str().to_owned(), place)).collect();
        let signatures = interface.functions.iter().map(|function| interface.signature(function)).collect();
        let json = interface.to_json();
        Self {
            description: Arc::new(Description { interface, json, functions, signatures }),
            handler: Arc::new(handler),
        }
    }

    /// Wraps the handler of this capability; the interface stays the same.
    ///
    /// `wrap` gets the current handler, which the new one may call.
    #[must_use]
    pub fn wrapped<S: CapabilityHandler>(self, wrap: impl FnOnce(Arc<dyn CapabilityHandler>) -> S) -> Self {
        let Self { description, handler } = self;
        Self { description, handler: Arc::new(wrap(handler)) }
    }

    /// The interface.
    #[must_use]
    pub fn interface(&self) -> &Interface {
        &self.description.interface
    }

    /// The name of the interface, with its version.
    #[must_use]
    pub fn name(&self) -> &InterfaceName {
        &self.interface().name
    }

    /// Returns the declaration of the module that programs of this language import: a Python stub, or a TypeScript
    /// module.
    #[must_use]
    pub fn declaration(&self, language: Language) -> String {
        of_interface(self.interface(), language)
    }

    /// The interface as JSON, for guests.
    pub fn json(&self) -> &str {
        &self.description.json
    }

    /// Finds a function by its name. Returns its index in [`Interface::functions`] and its definition.
    pub fn function(&self, name: &str) -> Option<(usize, &Function)> {
        let place = *self.description.functions.get(name)?;
        Some((place, self.interface().functions.get(place)?))
    }

    /// The signature of the function at this index, in WIT syntax.
    pub fn signature(&self, function: usize) -> &str {
        self.description.signatures.get(function).map_or("", String::as_str)
    }

    /// Whether the function at this index is asynchronous: [`CapabilityHandler::is_asynchronous`].
    pub fn is_asynchronous(&self, function: usize) -> bool {
        self.handler.is_asynchronous(function)
    }

    /// Calls a function. A panic of the handler is returned as [`CallFailure::Failed`].
    pub fn call(&self, function: usize, arguments: &[u8], context: &CallContext) -> CallReply {
        let handler = Arc::clone(&self.handler);
        std::panic::catch_unwind(AssertUnwindSafe(|| handler.call(function, arguments, context)))
            .unwrap_or_else(|_| CallReply::Ready(Err(CallFailure::Failed("the function panicked".into()))))
    }
}
