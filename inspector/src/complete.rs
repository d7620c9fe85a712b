//! Data that is derived from the rest of a document: orders, lanes, units, the tree of sessions.

use std::collections::HashMap;

use crate::{
    document::{Document, LimitUse, Node, NodeKind, Run},
    lanes,
};

/// The parts of `usage` that a page shows, with their names and units, and the limits that they have.
const USAGE: [(&str, &str, &str, &str); 9] = [
    ("wall_ms", "time", "ms", "timeout_ms"),
    ("cpu_ms", "processor time", "ms", "cpu_time_ms"),
    ("sleep_ms", "sleep", "ms", "sleep_ms"),
    ("memory_peak_bytes", "memory", "bytes", "memory"),
    // Only their rate is limited.
    ("host_calls", "host calls", "count", ""),
    ("tool_calls", "tool calls", "count", "tool_calls"),
    ("http_requests", "HTTP requests", "count", "http_requests"),
    ("http_bytes", "HTTP bytes", "bytes", "http_total_bytes"),
    ("capability_calls", "calls of interfaces", "count", "capability_calls"),
];

impl Run {
    /// Derives the order and the lanes of calls, and the use of limits.
    pub(crate) fn complete(&mut self) {
        self.calls.sort_by_key(|call| call.number);
        lanes::assign(&mut self.calls);
        let used = USAGE.iter().filter_map(|(key, name, unit, limit)| {
            let used = self.usage.get(*key)?.as_f64()?;
            // The same name with its limit says more.
            let is_known = self.limits.iter().any(|limit| limit.name == *name);
            (!is_known).then(|| LimitUse {
                name: (*name).into(),
                used,
                limit: self.limits_set.get(*limit).copied(),
                unit: (*unit).into(),
            })
        });
        let used: Vec<_> = used.collect();
        self.limits.splice(0..0, used);
    }
}

impl Document {
    /// Sorts runs, and makes the tree of sessions, unless the source has one.
    pub(crate) fn complete(&mut self) {
        self.runs.sort_by(|one, other| one.began.cmp(&other.began));
        self.runs.iter_mut().for_each(Run::complete);
        if self.tree.is_empty() {
            self.tree = tree(&self.runs);
        }
    }
}

/// The sessions, each with its runs as cells that follow one another.
fn tree(runs: &[Run]) -> Vec<Node> {
    // The last node of each session, and the number of its cells.
    let mut sessions: HashMap<&str, (String, u64)> = HashMap::new();
    let mut tree = Vec::new();
    for run in runs {
        let Some(session) = &run.session else { continue };
        let (last, cells) = sessions.entry(session).or_insert_with(|| {
            let id = format!("session {session}");
            let name = session.chars().take(12).collect();
            tree.push(Node { id: id.clone(), parent: None, kind: NodeKind::Session, run: None, name, time: None });
            (id, 0)
        });
        *cells += 1;
        let id = format!("cell {}", run.run);
        tree.push(Node {
            id: id.clone(),
            parent: Some(std::mem::replace(last, id)),
            kind: NodeKind::Cell,
            run: Some(run.run.clone()),
            name: format!("cell {cells}"),
            time: run.began.clone(),
        });
    }
    tree
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(id: &str, session: Option<&str>, began: &str) -> Run {
        let session = session.map(str::to_owned);
        Run { run: id.into(), session, began: Some(began.into()), ending: Some("ok".into()), ..Run::default() }
    }

    #[test]
    fn cells_of_a_session_follow_one_another() {
        let runs =
            vec![run("c", Some("a"), "3"), run("x", None, "0"), run("b", Some("b"), "2"), run("a", Some("a"), "1")];
        let mut document = Document { runs, ..Document::default() };
        document.complete();
        let nodes: Vec<_> = document.tree.iter().map(|node| (&*node.id, node.parent.as_deref(), &*node.name)).collect();
        assert_eq!(
            nodes,
            [
                ("session a", None, "a"),
                ("cell a", Some("session a"), "cell 1"),
                ("session b", None, "b"),
                ("cell b", Some("session b"), "cell 1"),
                ("cell c", Some("cell a"), "cell 2"),
            ]
        );
    }

    #[test]
    fn what_was_used_is_shown_beside_limits_that_were_reached() {
        let mut run = run("a", None, "1");
        run.usage.insert("wall_ms".into(), 12.5.into());
        let limit = LimitUse { name: "stdout".into(), used: 20.0, limit: Some(10.0), unit: "bytes".into() };
        run.limits.push(limit.clone());
        run.complete();
        let time = LimitUse { name: "time".into(), used: 12.5, limit: None, unit: "ms".into() };
        assert_eq!(run.limits, [time, limit]);
    }
}
