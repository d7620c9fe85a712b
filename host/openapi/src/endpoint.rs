//! An operation that is ready to be called.

use std::{sync::Arc, time::Duration};

use isolette_types::Secret;

use super::{body::Body, parameter::Parameter, security::Credential, server::Server};

/// Everything that is known of an operation before it is called.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) server: Arc<Server>,
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Option<Body>,
    pub(super) accept: String,
    pub(super) credentials: Vec<Credential>,
    pub(super) lacking: Option<String>,
    /// Sent with every request, unless the operation has a parameter of the same name.
    pub(super) headers: Arc<Vec<(String, Secret)>>,
    pub(super) time: Duration,
    /// Whether responses other than 2xx are values instead of errors.
    pub(super) errors_are_values: bool,
}
