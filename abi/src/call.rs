//! The calls that a guest makes to the host.

use serde::{Deserialize, Serialize};

use crate::{capabilities, console, files, http, system, tickets, tools, transfer};

/// A message from the guest to the host: `host.call` of the host call ABI. The host answers each case with the reply type that
/// the documentation of the case names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call<'a> {
    /// See [`tools::Call`].
    #[serde(borrow)]
    Tools(tools::Call<'a>),
    /// See [`http::Request`]; the reply is `Result<http::Response, http::HttpError>`.
    Http(http::Request<'a>),
    /// See [`files::Call`].
    Files(files::Call<'a>),
    /// See [`console::Output`]; the reply is `()`.
    Console(console::Output<'a>),
    /// See [`system::Call`].
    System(system::Call),
    /// See [`transfer::Call`].
    Transfer(transfer::Call<'a>),
    /// See [`capabilities::Call`].
    Capabilities(capabilities::Call<'a>),
    /// See [`tickets::Exchange`].
    Tickets(tickets::Exchange<'a>),
}
