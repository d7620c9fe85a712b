//! Whether the calls of a program return results or awaitables, decided from its text where the sandbox leaves it open.
//!
//! The text is read as tokens, not parsed: a wrong guess is an error in the program, with a hint that says what was decided
//! and why. The time is proportional to the length of the text.

mod names;
mod program;
#[cfg(test)]
mod tests;
mod tokens;
mod uses;
mod words;

use std::collections::HashSet;

use isolette_tools::{declarations::spellings, naming};
use isolette_types::{CallMode, CallModes, ChosenMode, Dialect, Language, ToolCalls};

use self::{
    names::{Group, Names, Offered},
    program::Program,
    uses::{Evidence, Uses},
};
use crate::shared::Shared;

/// The modes of the calls of a program, as far as the sandbox has something to call.
pub(crate) fn of_program(shared: &Shared, code: &str, is_session: bool) -> CallModes {
    let (tools, interfaces) = (&shared.capabilities.tools, &shared.capabilities.interfaces);
    let has_tools = tools.iter().next().is_some();
    let has_interfaces = interfaces.iter().next().is_some();
    if !(has_tools || has_interfaces) || shared.language == Language::Component {
        return CallModes::default();
    }
    let mut offered = Offered {
        tools: &|| tools.iter().flat_map(|tool| names_of(tool.name())).collect(),
        has_bare_tools: is_session,
        namespaces: HashSet::new(),
        functions: HashSet::new(),
    };
    for capability in interfaces.iter() {
        let [namespace, _] = spellings(&capability.name().namespace);
        offered.namespaces.insert(namespace);
        if is_session {
            let functions = capability.interface().functions.iter();
            offered.functions.extend(functions.flat_map(|function| spellings(function.name.as_str())));
        }
    }
    let (tools, interfaces) =
        chosen(shared.programs.tool_calls, shared.programs.dialect, shared.language, code, &offered);
    CallModes::new(has_tools.then_some(tools), has_interfaces.then_some(interfaces))
}

/// The modes of calls of tools and of custom interfaces in a program.
pub(crate) fn chosen(
    setting: ToolCalls,
    dialect: Dialect,
    language: Language,
    code: &str,
    offered: &Offered<'_>,
) -> (ChosenMode, ChosenMode) {
    let same = |mode, reason: &str| (ChosenMode::new(mode, reason), ChosenMode::new(mode, reason));
    match setting {
        ToolCalls::Sync => return same(CallMode::Sync, "the sandbox has `tool_calls = sync`"),
        ToolCalls::Async => return same(CallMode::Async, "the sandbox has `tool_calls = async`"),
        _ => {}
    }
    let python = language == Language::Python;
    let words: &[&str] = if python { &["await", "asyncio"] } else { &["await", "Promise", "then"] };
    let (mut tools, interfaces) = if words.iter().any(|word| code.contains(word)) {
        let program = Program::new(code, python);
        let found = Uses::new(&program, &Names::of(&program, offered)).evidence();
        let mode = |group| decided(python, found.get(&group).copied().unwrap_or_default());
        (mode(Group::Tools), mode(Group::Interfaces))
    } else {
        let nothing = || decided(python, Evidence::default());
        (nothing(), nothing())
    };
    if dialect.is_asynchronous() {
        tools = ChosenMode::new(CallMode::Async, format!("calls are asynchronous in the dialect {dialect}"));
    }
    (tools, interfaces)
}

fn decided(python: bool, evidence: Evidence) -> ChosenMode {
    let Evidence { awaited, chained, used } = evidence;
    if let Some(line) = chained {
        return ChosenMode::new(CallMode::Async, format!("line {line} passes on what a call returns, with `then`"));
    }
    match (awaited, used) {
        (None, _) => ChosenMode::new(CallMode::Sync, "no call in the text of the program is awaited"),
        // In JavaScript, results can be awaited as well as promises.
        (Some(_), Some(line)) if !python => {
            ChosenMode::new(CallMode::Sync, format!("line {line} uses the result of a call without awaiting it"))
        }
        (Some(line), _) => ChosenMode::new(CallMode::Async, format!("line {line} awaits a call")),
    }
}

/// The names by which a tool may be called: all of its name, or what follows the namespace.
fn names_of(tool: &str) -> [String; 2] {
    [naming::flat(tool), naming::flat(tool.rsplit_once('.').map_or(tool, |(_, last)| last))]
}
