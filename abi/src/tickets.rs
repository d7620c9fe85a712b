//! Calls that a guest starts and whose replies it gets later (`wit/tickets.wit`).
//!
//! The guest numbers each submitted call with a ticket. Tickets increase, so that none can be used twice. The host decides
//! about a call (policy, approval, budgets) in the order of submission, performs calls side by side, and returns each reply
//! once.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::{Payload, http};

/// The maximum number of tickets that a guest may have submitted and not got back. A guest that submits more is ended; it
/// has to wait first.
pub const OPEN_LIMIT: usize = 4096;

/// Submits calls, cancels some, and optionally waits. The host takes these steps in this order. The reply is
/// `Vec<Completion>`, in the order of completion, with as many completions as there are and as fit the message. Those that
/// do not fit are in the next reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange<'a> {
    /// The calls, in the order in which the program makes them.
    #[serde(borrow)]
    pub submit: Vec<Submission<'a>>,
    /// Tickets of calls that the host ends. They have no completion. A ticket that is not open is ignored.
    pub cancel: Vec<u32>,
    /// What to wait for; `None` returns the completions that there are.
    pub wait: Option<Wait>,
}

/// A call that the host starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission<'a> {
    /// The number of the call, greater than all earlier ones of the run.
    pub ticket: u32,
    /// The call.
    #[serde(borrow)]
    pub call: Submitted<'a>,
}

/// What a guest can submit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Submitted<'a> {
    /// As [`crate::tools::Call::Call`], with the same reply.
    Tool {
        /// The name of the tool.
        name: &'a str,
        /// The arguments as a JSON object.
        #[serde(borrow)]
        arguments: Payload<'a>,
        /// The line of the program that makes the call, from 1; 0 if it is not known.
        line: u32,
    },
    /// As [`crate::Call::Http`], with the same reply.
    Http(http::Request<'a>),
    /// As [`crate::capabilities::Call::Call`], with the same reply.
    Capability {
        /// The name of the interface, with or without its version.
        interface: &'a str,
        /// The name of the function in the component model.
        function: &'a str,
        /// The encoded values of the parameters.
        arguments: Payload<'a>,
        /// The line of the program that makes the call, from 1; 0 if it is not known.
        line: u32,
    },
}

/// When a reply is due: if all named tickets have completed or any of them, or after a time. A ticket that is not open
/// counts as completed, so no wait lasts for a call that does not exist. The host may reply earlier if it needs the guest to
/// take completions before it can perform further calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// The tickets; none stands for all open ones.
    pub tickets: Vec<u32>,
    /// Whether all of them have to complete.
    pub all: bool,
    /// Maximum time in nanoseconds. `None`: until the deadline of the run.
    pub timeout: Option<u64>,
}

/// The reply to a submitted call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion<'a> {
    /// The ticket of the call.
    pub ticket: u32,
    /// The encoded reply, as that of the call that waits for it.
    #[serde(borrow, with = "serde_bytes")]
    pub reply: &'a [u8],
}
