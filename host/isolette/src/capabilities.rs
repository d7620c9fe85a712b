//! The capabilities that all guests of a sandbox share. Files belong to one guest each.

use isolette_capabilities::Interfaces;
use isolette_http::Http;
use isolette_tools::Tools;

use crate::blocking_threads::BlockingThreads;

/// The capabilities of a sandbox. Each works with the authority of the host and depends on neither engines nor runs.
#[derive(Debug)]
pub(crate) struct Capabilities {
    pub(crate) tools: Tools,
    pub(crate) http: Http,
    pub(crate) interfaces: Interfaces,
    pub(crate) threads: BlockingThreads,
}
