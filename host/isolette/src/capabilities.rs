//! What a sandbox grants to all of its guests alike. Files belong to one guest each.

use isolette_capabilities::Interfaces;
use isolette_http::Http;
use isolette_tools::Tools;

/// The capabilities of a sandbox. Each does its work with the authority of the host, and knows neither engines nor runs.
#[derive(Debug)]
pub(crate) struct Capabilities {
    pub(crate) tools: Tools,
    pub(crate) http: Http,
    pub(crate) interfaces: Interfaces,
}
