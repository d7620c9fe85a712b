//! An interface together with what serves it.

use std::{collections::HashMap, fmt, panic::AssertUnwindSafe, pin::Pin, sync::Arc};

use isolette_abi::value::{Encode, EncodeError, InvalidValue};
use isolette_interface::{Function, Interface, InterfaceName};

use super::{CallContext, Resources};
use isolette_tools::declarations::of_interface;
use isolette_types::Language;

/// Serves an interface, byte by byte. `capability!` writes this for you; implement it by hand to put
/// something between a program and a capability, such as a recorder.
pub trait CapabilityHandler: Send + Sync + 'static {
    /// Calls the function at a place of [`Interface::functions`]. `arguments` are the values of its parameters.
    ///
    /// What is ready at once, or blocks, is done on the thread on which the guest waits. What is to be awaited is awaited
    /// on threads of this crate's own, in a Tokio runtime, and dropped where it stands when the run ends.
    fn call(self: Arc<Self>, function: usize, arguments: &[u8], context: &CallContext) -> CallReply;
}

/// What became of a call, now or later: the value of the function's result.
pub enum CallReply {
    /// It has been made.
    Ready(Result<Vec<u8>, CallFailure>),
    /// It is to be awaited.
    Later(Pin<Box<dyn Future<Output = Result<Vec<u8>, CallFailure>> + Send>>),
}

impl CallReply {
    /// The bytes of a result.
    ///
    /// # Errors
    /// [`CallFailure::Result`].
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

/// Why a call has no result. What a function itself gives as its error is a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallFailure {
    /// The arguments are no values of the types of the parameters.
    #[error("{0}")]
    Invalid(#[from] InvalidValue),
    /// The result cannot be handed over.
    #[error("its result cannot be handed over: {0}")]
    Result(#[from] EncodeError),
    /// The function could not finish; the program gets to read why.
    #[error("{0}")]
    Failed(String),
}

/// An interface of your own that programs can use, and what serves it.
///
/// Guests of both languages get an importable module of it:
///
/// ```python
/// from acme.weather import forecast
/// forecast.get("Paris").high_c
/// ```
///
/// A clone is the same capability: what serves it is shared.
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
    /// Has an interface served.
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

    /// Puts something between programs and this capability, with the same interface.
    ///
    /// `wrap` gets what has served it so far, to call or not to call.
    #[must_use]
    pub fn wrapped<S: CapabilityHandler>(self, wrap: impl FnOnce(Arc<dyn CapabilityHandler>) -> S) -> Self {
        let Self { description, handler } = self;
        Self { description, handler: Arc::new(wrap(handler)) }
    }

    /// What it serves.
    #[must_use]
    pub fn interface(&self) -> &Interface {
        &self.description.interface
    }

    /// The name of what it serves, with its version.
    #[must_use]
    pub fn name(&self) -> &InterfaceName {
        &self.interface().name
    }

    /// What programs of a language import, as a model reads it: a stub of Python, or a module of TypeScript.
    #[must_use]
    pub fn declaration(&self, language: Language) -> String {
        of_interface(self.interface(), language)
    }

    /// The interface as JSON, for guests.
    pub fn json(&self) -> &str {
        &self.description.json
    }

    /// The function of this name, with its place.
    pub fn function(&self, name: &str) -> Option<(usize, &Function)> {
        let place = *self.description.functions.get(name)?;
        Some((place, self.interface().functions.get(place)?))
    }

    /// The types of a function, as WIT writes them.
    pub fn signature(&self, function: usize) -> &str {
        self.description.signatures.get(function).map_or("", String::as_str)
    }

    /// Makes a call; a panic of the embedder's is an error of the embedder's.
    pub fn call(&self, function: usize, arguments: &[u8], context: &CallContext) -> CallReply {
        let handler = Arc::clone(&self.handler);
        std::panic::catch_unwind(AssertUnwindSafe(|| handler.call(function, arguments, context)))
            .unwrap_or_else(|_| CallReply::Ready(Err(CallFailure::Failed("the function panicked".into()))))
    }
}
