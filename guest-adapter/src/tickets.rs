//! `isolette:sandbox/tickets`: calls that the program does not wait for.
//!
//! Submitted calls are queued, and sent when the interpreter waits for completions, so that many calls cost one message.
//! Every other call with an effect sends the queue first ([`HostCalls::try_call`]): the host sees the calls in the order of
//! the program.

use isolette_abi::{
    Call, MESSAGE_LIMIT, encode,
    tickets::{Completion, Exchange, OPEN_LIMIT, Submission, Wait},
};
use serde::Serialize;

use crate::{
    Component,
    bindings::exports::isolette::sandbox::tickets::Guest,
    host_calls::{HostCalls, Reply, malformed_reply},
    state::{self, State},
    submissions::{FRAME, OwnedCall, Queued},
};

impl HostCalls {
    /// Queues a call. `None` if it cannot fit a message.
    fn submit(&mut self, call: OwnedCall) -> Option<u32> {
        let length = call.length();
        if length + FRAME > MESSAGE_LIMIT {
            self.release(call.bytes().payload());
            return None;
        }
        if self.tickets.queued_bytes + length + FRAME > MESSAGE_LIMIT {
            self.exchange(None);
        }
        while self.tickets.open.len() + self.tickets.queue.len() >= OPEN_LIMIT {
            self.exchange(Some(Wait { tickets: Vec::new(), all: false, timeout: None }));
        }
        let tickets = &mut self.tickets;
        tickets.last += 1;
        tickets.queue.push(Queued { ticket: tickets.last, call });
        tickets.queued_bytes += length;
        Some(tickets.last)
    }

    /// A ticket whose reply is known already.
    pub(crate) fn completed_ticket(&mut self, reply: &impl Serialize) -> u32 {
        self.tickets.last += 1;
        let ticket = self.tickets.last;
        self.tickets.replies.insert(ticket, encode(reply));
        self.tickets.completed.push_back(ticket);
        ticket
    }

    /// Whether there are submissions or cancellations that the host has not got.
    pub(crate) fn has_queued(&self) -> bool {
        !self.tickets.queue.is_empty() || !self.tickets.cancelled.is_empty()
    }

    /// Sends the queue, waits if asked to, and keeps the replies.
    pub(crate) fn exchange(&mut self, wait: Option<Wait>) {
        let queue = std::mem::take(&mut self.tickets.queue);
        let cancel = std::mem::take(&mut self.tickets.cancelled);
        self.tickets.queued_bytes = 0;
        let submit = queue.iter().map(|queued| Submission { ticket: queued.ticket, call: queued.call.submitted() });
        let exchange = Exchange { submit: submit.collect(), cancel, wait };
        self.tickets.open.extend(queue.iter().map(|queued| queued.ticket));
        let reply = self.send(&Call::Tickets(exchange)).unwrap_or_else(|_| malformed_reply());
        let completions: Vec<Completion<'_>> = reply.read();
        for Completion { ticket, reply } in completions {
            let tickets = &mut self.tickets;
            tickets.open.remove(&ticket);
            tickets.replies.insert(ticket, reply.to_vec());
            tickets.completed.push_back(ticket);
        }
        // The queue is usually as long the next time.
        let mut queue = queue;
        queue.clear();
        self.tickets.queue = queue;
    }

    /// Ends a call whose reply the program no longer wants. A call that was not sent is not made.
    fn cancel(&mut self, ticket: u32) {
        let tickets = &mut self.tickets;
        if let Some(place) = tickets.queue.iter().position(|queued| queued.ticket == ticket) {
            let Queued { call, .. } = tickets.queue.remove(place);
            self.release(call.bytes().payload());
        } else if tickets.open.remove(&ticket) {
            tickets.cancelled.push(ticket);
        } else {
            tickets.replies.remove(&ticket);
            tickets.completed.retain(|other| *other != ticket);
        }
    }
}

impl State {
    /// Submits a call. Its ticket completes at once with the error of `call`, or with `too_long` if it cannot fit a message.
    pub(crate) fn submit<E: Serialize>(&mut self, call: Result<OwnedCall, E>, too_long: impl FnOnce() -> E) -> u32 {
        let ticket = call.and_then(|call| self.calls.submit(call).ok_or_else(too_long));
        ticket.unwrap_or_else(|error| self.calls.completed_ticket(&Err::<(), _>(error)))
    }

    /// The reply to a ticket, once. Waits for it if the call is not complete.
    pub(crate) fn reply_of(&mut self, ticket: u32) -> Option<Reply> {
        if self.calls.tickets.is_open(ticket) {
            self.console.flush(&mut self.calls);
            // The host may reply before, if others have to be taken first.
            while self.calls.tickets.is_open(ticket) {
                self.calls.exchange(Some(Wait { tickets: vec![ticket], all: false, timeout: None }));
            }
            self.calls.tickets.completed.retain(|other| *other != ticket);
        }
        self.calls.tickets.replies.remove(&ticket).map(Reply::new)
    }

    fn wait(&mut self, timeout: Option<u64>) -> Vec<u32> {
        let tickets = &self.calls.tickets;
        let (is_complete, is_open) = (!tickets.completed.is_empty(), tickets.has_open());
        if !self.calls.is_running() {
            return Vec::new();
        }
        if !is_complete && is_open {
            self.console.flush(&mut self.calls);
            self.calls.exchange(Some(Wait { tickets: Vec::new(), all: false, timeout }));
        } else if self.calls.has_queued() {
            self.calls.exchange(None);
        }
        if !is_complete
            && !is_open
            && let Some(timeout) = timeout.filter(|timeout| *timeout > 0)
        {
            self.sleep(timeout);
        }
        self.calls.tickets.completed.drain(..).collect()
    }
}

impl Guest for Component {
    fn wait(timeout: Option<u64>) -> Vec<u32> {
        state::with(|state| state.wait(timeout))
    }

    fn cancel(ticket: u32) {
        state::with(|state| state.calls.cancel(ticket));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::running;

    fn start(state: &mut State, arguments: &str) -> u32 {
        state.start_tool("echo".into(), arguments.into())
    }

    #[test]
    fn many_calls_and_the_wait_are_one_message() {
        let (mut state, host) = running();
        let tickets: Vec<u32> = (0..10).map(|number| start(&mut state, &number.to_string())).collect();
        assert!(host.log().is_empty(), "nothing is sent before the wait");
        let mut completed = state.wait(None);
        assert_eq!(host.log()[0], "submit 10 cancel [] wait true");
        completed.reverse();
        assert_eq!(completed, tickets);
        for (number, ticket) in tickets.into_iter().enumerate() {
            assert_eq!(state.finish_tool(ticket), Ok(number.to_string()));
            assert!(state.finish_tool(ticket).is_err(), "a reply is taken once");
        }
    }

    #[test]
    fn a_result_that_is_asked_for_is_waited_for() {
        let (mut state, host) = running();
        let [first, second] = ["1", "2"].map(|arguments| start(&mut state, arguments));
        assert_eq!(state.finish_tool(second), Ok("2".into()));
        assert_eq!(host.log()[0], "submit 2 cancel [] wait true");
        assert_eq!(state.wait(None), [first], "the other one is not announced again");
        assert_eq!(state.finish_tool(first), Ok("1".into()));
        assert!(state.finish_tool(first).is_err() && state.finish_tool(77).is_err());
    }

    #[test]
    fn requests_and_functions_have_tickets_as_well() {
        let (mut state, host) = running();
        host.0.borrow_mut().response_body = vec![7; 3];
        let request = crate::bindings::exports::isolette::sandbox::http::Request {
            method: "GET".into(),
            url: "http://a/".into(),
            headers: Vec::new(),
            body: Vec::new(),
            timeout: None,
            redirects: 0,
        };
        let request = state.start_request(request);
        let function = state.start_capability("test:echo/bytes".into(), "echo".into(), (vec![8; 2], None));
        assert_eq!(state.wait(None), [function, request]);
        assert!(state.finish_request(request).is_ok_and(|response| response.body == [7; 3]));
        assert!(state.finish_capability(function).is_ok_and(|(bytes, stored)| bytes == [8; 2] && stored.is_none()));
        assert!(state.finish_request(request).is_err() && state.finish_capability(function).is_err());
    }

    #[test]
    fn submitted_calls_come_before_later_ones() {
        let (mut state, host) = running();
        start(&mut state, "1");
        state.calls.monotonic_clock();
        assert_eq!(state.call_tool("echo", "22"), Ok("22".into()));
        let log = host.log();
        assert_eq!(log, ["MonotonicClock", "submit 1 cancel [] wait false", "tool echo 1", "tool echo 2"]);
    }

    #[test]
    fn a_cancelled_call_is_not_made_if_it_was_not_sent() {
        let (mut state, host) = running();
        let [first, second] = ["1", "2"].map(|arguments| start(&mut state, arguments));
        state.calls.cancel(first);
        assert_eq!(state.wait(None), [second]);
        assert_eq!(host.log(), ["submit 1 cancel [] wait true", "tool echo 1"]);
        let third = start(&mut state, "3");
        state.calls.exchange(None);
        state.calls.cancel(third);
        state.calls.cancel(third);
        state.calls.cancel(77);
        assert_eq!(state.wait(Some(0)), [0_u32; 0]);
        let log = host.log();
        assert_eq!(log.last().map(String::as_str), Some("submit 0 cancel [3] wait false"), "{log:?}");
    }

    #[test]
    fn without_calls_a_wait_is_a_sleep() {
        let (mut state, host) = running();
        assert_eq!(state.wait(Some(0)), [0_u32; 0]);
        assert_eq!(state.wait(None), [0_u32; 0]);
        assert!(host.log().is_empty());
        assert_eq!(state.wait(Some(5)), [0_u32; 0]);
        assert_eq!(host.log(), ["Sleep(5)"]);
    }

    #[test]
    fn calls_that_do_not_fit_one_message_take_several() {
        let (mut state, host) = running();
        let long = "x".repeat(100 * 1024);
        let tickets = [0; 4].map(|_| start(&mut state, &long));
        let mut completed = state.wait(None);
        completed.extend(state.wait(None));
        completed.sort_unstable();
        assert_eq!(completed, tickets);
        let sent = host.log().iter().filter(|line| line.starts_with("submit")).count();
        assert_eq!(sent, 3, "two for the calls, and one for the other replies");
        let longer = "x".repeat(700 * 1024);
        let ticket = start(&mut state, &longer);
        assert_eq!(state.wait(None), [ticket]);
        assert!(state.finish_tool(ticket) == Ok(longer));
    }

    #[test]
    fn a_call_that_cannot_be_sent_completes_with_an_error() {
        let (mut state, host) = running();
        let ticket = state.start_tool("n".repeat(2 * MESSAGE_LIMIT), "{}".into());
        assert_eq!(state.wait(None), [ticket]);
        assert!(state.finish_tool(ticket).is_err());
        let ticket = start(&mut state, &"x".repeat(11 * 192 * 1024));
        assert_eq!(state.wait(None), [ticket]);
        assert!(state.finish_tool(ticket).is_err());
        assert!(host.0.borrow().payloads.is_empty());
    }

    #[test]
    fn the_end_of_a_run_sends_what_was_submitted() {
        let (mut state, host) = running();
        start(&mut state, "1");
        state.finish();
        assert_eq!(host.log(), ["submit 1 cancel [] wait false", "tool echo 1"]);
        let ticket = start(&mut state, "1");
        assert!(state.finish_tool(ticket).is_err(), "there is no run");
    }
}
