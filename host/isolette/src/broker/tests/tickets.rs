//! Tickets of an untrusted guest.

use isolette_abi::{
    CHUNK_LIMIT, Payload,
    tickets::{Completion, Exchange, OPEN_LIMIT, Submission, Submitted, Wait},
};

use super::{
    super::trial::{LIMIT, Trial},
    *,
};
use isolette_tools::Tool;

/// A tool that never returns.
pub(super) fn stuck() -> Tool {
    let tool = Tool::typed_async("echo", "", async |_: serde_json::Value| {
        std::future::pending::<()>().await;
        Ok::<_, String>(0)
    });
    tool.unwrap()
}

pub(super) fn echo(ticket: u32) -> Submission<'static> {
    Submission { ticket, call: Submitted::Tool { name: "echo", arguments: Payload::Inline(b"{}"), line: 0 } }
}

pub(super) fn exchange(submit: Vec<Submission<'_>>, cancel: Vec<u32>, wait: Option<Wait>) -> Vec<u8> {
    encode(&Call::Tickets(Exchange { submit, cancel, wait }))
}

pub(super) fn completed(reply: &[u8]) -> Vec<u32> {
    decode::<Vec<Completion<'_>>>(reply).unwrap().iter().map(|completion| completion.ticket).collect()
}

/// Waits until no ticket is open.
fn all_completed(host: &mut Trial, first: &[u8]) -> Vec<u32> {
    let mut tickets = completed(&host.call(first).unwrap());
    loop {
        let more = completed(&host.call(&exchange(vec![], vec![], all())).unwrap());
        if more.is_empty() {
            tickets.sort_unstable();
            return tickets;
        }
        tickets.extend(more);
    }
}

pub(super) fn all() -> Option<Wait> {
    Some(Wait { tickets: Vec::new(), all: true, timeout: None })
}

#[test]
fn every_ticket_completes_once() {
    let mut host = Trial::new();
    let mut tickets = completed(&host.call(&exchange(vec![echo(3), echo(4), echo(900)], vec![], all())).unwrap());
    tickets.sort_unstable();
    assert_eq!(tickets, [3, 4, 900]);
    assert_eq!(completed(&host.call(&exchange(vec![], vec![3], all())).unwrap()), [0_u32; 0]);
    let named = Some(Wait { tickets: vec![3, 77, u32::MAX], all: true, timeout: None });
    assert_eq!(completed(&host.call(&exchange(vec![], vec![], named)).unwrap()), [0_u32; 0], "none is open");
}

#[test]
fn a_ticket_is_used_once() {
    for tickets in [[1, 1], [2, 1], [1, 0]] {
        let mut host = Trial::new();
        let submit = tickets.map(echo).to_vec();
        assert_eq!(host.call(&exchange(submit, vec![], None)), Err(Stop::Malformed), "{tickets:?}");
    }
}

#[test]
fn a_cancelled_call_does_not_complete() {
    let mut host = Trial::new();
    let reply = host.call(&exchange(vec![echo(1), echo(2)], vec![1], all())).unwrap();
    assert_eq!(completed(&reply), [2]);
    let outcomes: Vec<_> = host.broker.record().calls.iter().map(|call| call.outcome.as_str()).collect();
    assert_eq!(outcomes, ["cancelled", "ok"]);
}

#[test]
fn tickets_that_nobody_waits_for_have_an_end() {
    let mut host = Trial::with(stuck());
    Arc::get_mut(&mut Arc::get_mut(&mut host.broker.scope).unwrap().policy).unwrap().limits.tool_calls = u64::MAX;
    let mut ticket = 0;
    let ended = loop {
        let submit = (1..=256).map(|number| echo(ticket + number)).collect();
        if let Err(stop) = host.call(&exchange(submit, vec![], None)) {
            break stop;
        }
        ticket += 256;
    };
    assert_eq!((ended, ticket as usize), (Stop::Malformed, OPEN_LIMIT));
}

#[test]
fn replies_that_do_not_fit_a_message_come_with_the_next() {
    let long = "x".repeat(CHUNK_LIMIT - 100);
    let tool = Tool::typed("echo", "", move |_: serde_json::Value| Ok::<_, String>(long.clone()));
    let mut host = Trial::with(tool.unwrap());
    // More than there are places, each of which a long result keeps.
    let tickets: Vec<u32> = (1..=40).collect();
    let first = exchange(tickets.iter().map(|ticket| echo(*ticket)).collect(), vec![], all());
    assert_eq!(all_completed(&mut host, &first), tickets);
}

#[test]
fn the_arguments_of_pending_calls_are_bounded() {
    let mut host = Trial::with(stuck());
    let long = format!("{{\"x\": \"{}\"}}", "x".repeat(CHUNK_LIMIT - 100));
    let submit = |ticket| Submission {
        ticket,
        call: Submitted::Tool { name: "echo", arguments: Payload::Inline(long.as_bytes()), line: 0 },
    };
    let refused = (1..=20).filter(|ticket| {
        let reply = host.call(&exchange(vec![submit(*ticket)], vec![], None)).unwrap();
        !completed(&reply).is_empty()
    });
    assert_eq!(refused.count() as u64, 20 - LIMIT / CHUNK_LIMIT as u64);
}
