//! Approvers and checks whose functions are in Python.
//!
//! The package passes functions that return `(kind, message)`; `isolette/_approval.py` makes them of those of its users.

use std::sync::Arc;

use isolette::policy::{CallDecision, CallRequest, Decision};
use isolette_deadline::runtime;
use pyo3::prelude::*;
use serde_json::Value;

use crate::{
    call_context::{self, CallContext, call_on_event_loop},
    callbacks::Callback,
    values,
};

/// A function of the package that decides, and whether it is asynchronous.
#[derive(Clone)]
pub(crate) struct Approver {
    function: Callback,
    is_async: bool,
}

impl Approver {
    pub(crate) fn new((function, is_async): (Py<PyAny>, bool)) -> Self {
        Self { function: Callback::new(function), is_async }
    }

    pub(crate) async fn decide(self, request: CallRequest, context: Option<Arc<CallContext>>) -> Decision {
        let decided = if self.is_async {
            let request = serde_json::json!({ "request": request });
            let decided = call_on_event_loop(self.function, context, request, "the decision").await;
            decided.and_then(|decided| serde_json::from_value(decided).map_err(|error| error.to_string()))
        } else {
            // It may ask a person, and the threads of the runtime must not wait for that.
            let asked = runtime()
                .map(|runtime| runtime.spawn_blocking(move || ask(&self.function, context.as_deref(), &request)));
            match asked {
                Ok(asked) => asked.await.unwrap_or_else(|error| Err(error.to_string())),
                Err(error) => Err(error.to_string()),
            }
        };
        match decided {
            Ok((kind, _)) if kind == "allow" => Decision::Allow,
            Ok((kind, _)) if kind == "defer" => Decision::Defer,
            Ok((_, message)) => Decision::deny(message),
            Err(error) => Decision::deny(format!("the approver failed: {error}")),
        }
    }
}

/// Asks a check, on the thread of the guest.
pub(crate) fn check(function: &Callback, context: Option<&CallContext>, request: &CallRequest) -> CallDecision {
    match ask(function, context, request) {
        Ok((kind, _)) if kind == "allow" => CallDecision::Allow,
        Ok((kind, reason)) if kind == "ask" => CallDecision::Ask(reason),
        Ok((_, message)) => CallDecision::deny(message),
        Err(error) => CallDecision::deny(format!("the check failed: {error}")),
    }
}

fn ask(function: &Callback, context: Option<&CallContext>, request: &CallRequest) -> Result<(String, String), String> {
    let request: Value = serde_json::to_value(request).map_err(|error| error.to_string())?;
    function.call(|py, function| {
        let request = values::from_json(py, &request)?;
        call_context::call(context, function, &[request], None)?.extract()
    })
}
