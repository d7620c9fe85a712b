//! Finds modules that import each other, directly or through others.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::tree::{Edge, ModulePath};

/// For each module of `graph`, the modules that it imports, and one import of each.
type Graph<'a> = BTreeMap<&'a str, BTreeMap<&'a str, &'a Edge>>;

/// A shortest cycle of each group of sibling modules that import each other: its edges in order.
pub(super) fn cycles(edges: &[Edge]) -> Vec<Vec<&Edge>> {
    let mut graphs: BTreeMap<&ModulePath, Graph<'_>> = BTreeMap::new();
    for edge in edges {
        let graph = graphs.entry(&edge.parent).or_default();
        graph.entry(&edge.from).or_default().entry(&edge.to).or_insert(edge);
    }
    graphs.values().flat_map(cycles_among_siblings).collect()
}

fn cycles_among_siblings<'a>(graph: &Graph<'a>) -> Vec<Vec<&'a Edge>> {
    let mut cycles = Vec::new();
    let mut grouped = BTreeSet::new();
    for module in graph.keys() {
        if grouped.contains(module) {
            continue;
        }
        let reached = reached(graph, module);
        let group: Vec<&str> =
            reached.into_iter().filter(|other| self::reached(graph, other).contains(module)).collect();
        cycles.extend(group.iter().filter_map(|start| way_back(graph, start)).min_by_key(Vec::len));
        grouped.extend(group);
    }
    cycles
}

/// All modules that can be reached from one over at least one edge.
fn reached<'a>(graph: &Graph<'a>, start: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some(module) = waiting.pop() {
        for next in graph.get(module).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(*next) {
                waiting.push(next);
            }
        }
    }
    reached
}

/// The shortest path from a module back to itself.
fn way_back<'a>(graph: &Graph<'a>, start: &str) -> Option<Vec<&'a Edge>> {
    let mut last_edges: BTreeMap<&str, &'a Edge> = BTreeMap::new();
    let mut waiting = VecDeque::from([start]);
    while !last_edges.contains_key(start) {
        let module = waiting.pop_front()?;
        for (next, edge) in graph.get(module).into_iter().flatten() {
            if !last_edges.contains_key(next) {
                last_edges.insert(next, edge);
                waiting.push_back(next);
            }
        }
    }
    let mut way = vec![last_edges[start]];
    while way[way.len() - 1].from != start {
        way.push(last_edges[way[way.len() - 1].from.as_str()]);
    }
    way.reverse();
    Some(way)
}
