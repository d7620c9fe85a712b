//! What guests can be lent. Each capability does its work with the host's authority and knows neither engines nor the
//! run that it works for; the broker has asked the policy before.

pub(crate) mod custom;
pub mod files;
pub mod http;
pub(crate) mod system;
pub(crate) mod tools;

use self::{custom::Interfaces, http::Http, tools::Tools};

/// What a sandbox lends to all of its guests alike; files are each guest's own.
#[derive(Debug)]
pub(crate) struct Capabilities {
    pub(crate) tools: Tools,
    pub(crate) http: Http,
    pub(crate) interfaces: Interfaces,
}
