//! Pauses of an untrusted guest.

use isolette_abi::{Payload, tools};
use isolette_tools::Tool;
use isolette_types::Answer;
use serde_json::json;

use super::{super::trial::Trial, *};

/// A guest that has called a tool that is answered later.
fn paused() -> Trial {
    let ask = Tool::deferred("ask", "", json!({ "type": "object" })).unwrap();
    let mut host = Trial::with(ask);
    host.broker = host.broker.pausable();
    assert_eq!(host.call(&ask_again()), Err(Stop::Paused));
    host
}

fn ask_again() -> Vec<u8> {
    encode(&Call::Tools(tools::Call::Call { name: "ask", arguments: Payload::Inline(b"{}"), line: 0 }))
}

#[test]
fn a_guest_that_is_paused_makes_no_calls() {
    for message in [ask_again(), encode(&Call::System(system::Call::WallClock))] {
        let mut host = paused();
        assert_eq!(host.call(&message), Err(Stop::Malformed));
        assert_eq!(host.broker.record().calls.len(), 1);
    }
}

#[test]
fn an_answer_belongs_to_one_call() {
    let mut host = paused();
    let answer = || Answer::Value(json!(1));
    for answers in [vec![(2, answer())], vec![(1, answer()), (1, answer())]] {
        assert!(host.broker.take_answers(answers).is_err());
        assert_eq!(host.broker.resume(), Err(Stop::Paused));
    }
    host.broker.take_answers(vec![(1, answer())]).unwrap();
    assert!(host.broker.take_answers(vec![(1, answer())]).is_err());
    assert!(host.broker.resume().is_ok());
    assert_eq!(host.broker.resume(), Err(Stop::Malformed));
}
