//! Derives what a page shows beside what the sources say.

use std::collections::BTreeMap;

use crate::{
    document::{Document, LimitUse, Node, NodeKind, Run},
    lanes,
};

impl Run {
    /// Derives what follows from the rest: the lanes of calls, and what was used of the limits that are known.
    pub(crate) fn complete(&mut self) {
        self.calls.sort_by_key(|call| call.number);
        lanes::assign(&mut self.calls);
        if self.limits.is_empty() {
            const UNITS: [(&str, &str, &str); 7] = [
                ("wall_ms", "time", "ms"),
                ("cpu_ms", "processor time", "ms"),
                ("memory_peak_bytes", "memory", "bytes"),
                ("host_calls", "host calls", "count"),
                ("tool_calls", "tool calls", "count"),
                ("http_requests", "HTTP requests", "count"),
                ("http_bytes", "HTTP bytes", "bytes"),
            ];
            let known = UNITS.iter().filter_map(|(key, name, unit)| {
                let used = self.usage.get(*key)?.as_f64()?;
                Some(LimitUse { name: (*name).into(), used, limit: None, unit: (*unit).into() })
            });
            self.limits = known.collect();
        }
    }
}

impl Document {
    /// Sorts runs, and makes the tree of sessions, unless the source has one.
    pub(crate) fn complete(&mut self) {
        self.runs.sort_by(|one, other| one.began.cmp(&other.began));
        self.runs.iter_mut().for_each(Run::complete);
        if !self.tree.is_empty() {
            return;
        }
        let mut last: BTreeMap<&str, String> = BTreeMap::new();
        let mut tree = Vec::new();
        for run in &self.runs {
            let Some(session) = &run.session else { continue };
            let parent = last.get(session.as_str()).cloned().unwrap_or_else(|| {
                let id = format!("session {session}");
                let name = format!("session {}", session.chars().take(8).collect::<String>());
                tree.push(Node { id: id.clone(), parent: None, kind: NodeKind::Session, run: None, name, time: None });
                id
            });
            let number = tree.iter().filter(|node: &&Node| node.kind == NodeKind::Cell).count() + 1;
            let (id, name) = (format!("cell {}", run.run), format!("cell {number}"));
            let (time, run_id) = (run.began.clone(), Some(run.run.clone()));
            last.insert(session, id.clone());
            tree.push(Node { id, parent: Some(parent), kind: NodeKind::Cell, run: run_id, name, time });
        }
        self.tree = tree;
    }
}
