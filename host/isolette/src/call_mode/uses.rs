//! What a program does with the results of its calls: whether it awaits them, or uses them as values.

use std::collections::HashMap;

use super::{
    names::{Group, Names},
    program::Program,
    tokens::Kind,
    words::{COMBINERS, KEEPERS, USING, USING_AFTER, is_chain, is_keyword, is_unary},
};

/// The lines that show what the calls of a group return.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Evidence {
    /// The first line that awaits a call.
    pub(super) awaited: Option<u32>,
    /// The first line that calls `then` of a result.
    pub(super) chained: Option<u32>,
    /// The first line that uses a result without awaiting it.
    pub(super) used: Option<u32>,
}

impl Evidence {
    fn note(place: &mut Option<u32>, line: u32) {
        if place.is_none_or(|known| line < known) {
            *place = Some(line);
        }
    }
}

/// How a program uses the result of one call.
enum Use<'a> {
    Awaited,
    Chained,
    Value,
    /// It is not used.
    Nothing,
    /// It is in these variables, or is what these functions return.
    Kept(Vec<&'a str>),
}

pub(super) struct Uses<'a, 'p, 'o> {
    program: &'p Program<'a>,
    names: &'p Names<'a, 'o>,
    /// The steps that remain, so that the time depends on the length of the program only.
    steps: usize,
}

impl<'a, 'p, 'o> Uses<'a, 'p, 'o> {
    pub(super) fn new(program: &'p Program<'a>, names: &'p Names<'a, 'o>) -> Self {
        Self { program, names, steps: program.tokens.len().saturating_mul(8).saturating_add(10_000) }
    }

    /// Returns the evidence for the calls of each group.
    pub(super) fn evidence(mut self) -> HashMap<Group, Evidence> {
        let mut found: HashMap<Group, Evidence> = HashMap::new();
        let mut kept: HashMap<&'a str, (Group, u32)> = HashMap::new();
        for at in 0..self.program.tokens.len() {
            let Some(path) = self.program.path(at) else { continue };
            if self.program.text(path.end) != "(" {
                continue;
            }
            let Some(group) = self.names.group(&path) else { continue };
            let line = self.program.line(at);
            let evidence = found.entry(group).or_default();
            match self.use_of(at, path.end) {
                Use::Awaited => Evidence::note(&mut evidence.awaited, line),
                Use::Chained => Evidence::note(&mut evidence.chained, line),
                Use::Value => Evidence::note(&mut evidence.used, line),
                Use::Nothing => {}
                Use::Kept(names) => names.into_iter().for_each(|name| {
                    kept.entry(name).or_insert((group, line));
                }),
            }
        }
        self.kept(&kept, &mut found);
        found
    }

    /// Adds what happens to the variables that hold results.
    fn kept(&self, kept: &HashMap<&'a str, (Group, u32)>, found: &mut HashMap<Group, Evidence>) {
        let program = self.program;
        let mut unresolved = kept.clone();
        let mut mentions: HashMap<&str, usize> = HashMap::new();
        for token in &program.tokens {
            *mentions.entry(token.text).or_default() += 1;
        }
        for at in 0..program.tokens.len() {
            let Some((group, _)) = kept.get(program.text(at)).filter(|_| program.path(at).is_some()) else { continue };
            if self.is_waited_for(at) {
                Evidence::note(&mut found.entry(*group).or_default().awaited, program.line(at));
                unresolved.remove(program.text(at));
            } else if matches!(program.text(at + 1), "." | "?.") && is_chain(program.text(at + 2)) {
                Evidence::note(&mut found.entry(*group).or_default().chained, program.line(at));
                unresolved.remove(program.text(at));
            }
        }
        // A variable that nothing waits for holds a value, if it is used at all.
        for (name, (group, line)) in unresolved {
            if mentions.get(name).is_some_and(|count| *count > 1) {
                Evidence::note(&mut found.entry(group).or_default().used, line);
            }
        }
    }

    /// Whether the program awaits the variable at this token, or passes it to a function that does.
    fn is_waited_for(&self, at: usize) -> bool {
        let program = self.program;
        if matches!(program.before(at), "await" | "of") && (program.before(at) == "await" || self.is_for_await(at)) {
            return true;
        }
        let mut bracket = program.parent(at);
        for _ in 0..32 {
            let Some(open) = bracket else { return false };
            if program.text(open) == "(" && COMBINERS.contains(&program.called(open)) {
                return true;
            }
            bracket = program.parent(open);
        }
        false
    }

    /// `for await (const x of calls)`.
    fn is_for_await(&self, at: usize) -> bool {
        self.program.parent(at).is_some_and(|open| self.program.before(open) == "await")
    }

    /// What happens to the result of the call whose path begins at `at` and whose arguments begin at `open`.
    fn use_of(&mut self, at: usize, open: usize) -> Use<'a> {
        let program = self.program;
        let after = program.pair(open).map_or(usize::MAX, |close| close.saturating_add(1));
        let mut first = at;
        while program.before(first) == "(" && program.called(first - 1).is_empty() {
            first -= 1;
        }
        if program.before(first) == "await" {
            return Use::Awaited;
        }
        let next = program.text(after);
        if matches!(next, "." | "?.") && is_chain(program.text(after + 1)) {
            return Use::Chained;
        }
        if USING_AFTER.contains(&next) && !(next == "[" && program.begins_line(after)) {
            return Use::Value;
        }
        self.before(at)
    }

    /// Walks back from a call to what its result is used for.
    fn before(&mut self, call: usize) -> Use<'a> {
        let program = self.program;
        let mut at = call;
        let mut level = program.parent(call);
        loop {
            let Some(left) = self.steps.checked_sub(1) else { return Use::Nothing };
            self.steps = left;
            let Some(previous) = at.checked_sub(1).filter(|previous| level.is_none_or(|open| *previous > open)) else {
                let Some(open) = level else { return Use::Nothing };
                match self.bracket(open) {
                    Outward::Use(used) => return used,
                    Outward::Continue => {}
                }
                (at, level) = (open, program.parent(open));
                continue;
            };
            match program.text(previous) {
                ")" | "]" | "}" => {
                    // In JavaScript, a block may end there.
                    if program.text(previous) == "}" && program.begins_line(at) && !program.python {
                        return Use::Nothing;
                    }
                    at = program.pair(previous).unwrap_or(previous);
                    continue;
                }
                "=" | ":=" => {
                    let in_call = level.is_some_and(|open| program.text(open) == "(" && program.python);
                    if program.text(previous) == ":=" || !in_call {
                        return Use::Kept(program.targets(previous));
                    }
                }
                "return" | "yield" => match self.returned(previous) {
                    Outward::Use(used) => return used,
                    // An arrow function is where its result is.
                    Outward::Continue => {
                        let block = program.parent(previous).unwrap_or(0);
                        at = block.saturating_sub(1);
                        level = program.parent(block);
                        continue;
                    }
                },
                ";" => return Use::Nothing,
                // A loop awaits the members of an array, and not an array that it awaits.
                "of" if self.is_for_await(previous) && level != program.parent(call) => return Use::Awaited,
                word if USING.contains(&word) && !(matches!(word, "*" | "-") && is_unary(program.before(previous))) => {
                    return Use::Value;
                }
                "" if program.tokens.get(previous).is_some_and(|token| token.kind == Kind::End) => {
                    return Use::Nothing;
                }
                _ => {}
            }
            // In JavaScript, a line that begins with a name, after an expression, is a statement of its own.
            let ends = matches!(program.text(previous), "") || program.is_name(previous);
            if !program.python && program.begins_line(at) && program.is_name(at) && ends && at != previous {
                return Use::Nothing;
            }
            at = previous;
        }
    }

    /// What a bracket around a call means for its result.
    fn bracket(&self, open: usize) -> Outward<'a> {
        let program = self.program;
        let called = program.called(open);
        match program.text(open) {
            "(" if called.is_empty() || is_keyword(called) => {
                // `f(…)(…)` calls the result of a call.
                let is_result = matches!(program.before(open), ")" | "]");
                if is_result || matches!(called, "if" | "while" | "switch" | "for") {
                    return Outward::Use(Use::Value);
                }
                Outward::Continue
            }
            "(" if COMBINERS.contains(&called) => Outward::Use(Use::Awaited),
            "(" if matches!(called, "append" | "push" | "add" | "extend") => {
                let owner = open.checked_sub(3).filter(|at| program.is_name(*at));
                Outward::Use(Use::Kept(owner.map_or_else(Vec::new, |at| vec![program.text(at)])))
            }
            "(" if KEEPERS.contains(&called) => Outward::Continue,
            "(" => Outward::Use(Use::Value),
            "[" if !called.is_empty() && !is_keyword(called) => Outward::Use(Use::Value),
            "{" if program.python => match open.checked_sub(1).and_then(|at| program.literal(at)) {
                // `f"… {call} …"`
                Some(_) => Outward::Use(Use::Value),
                None => Outward::Continue,
            },
            "{" if matches!(program.before(open), "(" | "," | "=" | ":" | "[" | "return" | "?") => Outward::Continue,
            "{" if open.checked_sub(1).and_then(|at| program.literal(at)).is_some() => Outward::Use(Use::Value),
            "{" => Outward::Use(Use::Nothing),
            _ => Outward::Continue,
        }
    }

    /// The result of a call that a function returns is what that function returns to its caller.
    fn returned(&mut self, at: usize) -> Outward<'a> {
        let program = self.program;
        if program.python {
            let definition = (0..at).rev().take(self.steps.min(4_096)).find(|back| program.text(*back) == "def");
            self.steps = self.steps.saturating_sub(definition.map_or(4_096, |def| at - def));
            return Outward::Use(match definition {
                // What an asynchronous function returns is not awaited once more.
                Some(def) if program.before(def) == "async" => Use::Value,
                Some(def) => Use::Kept(vec![program.text(def + 1)]),
                None => Use::Nothing,
            });
        }
        let Some(block) = program.parent(at) else { return Outward::Use(Use::Nothing) };
        if program.before(block) == "=>" {
            return Outward::Continue;
        }
        let parameters = block.checked_sub(1).filter(|close| program.text(*close) == ")");
        let name = parameters.and_then(|close| program.pair(close)).map_or("", |open| program.called(open));
        Outward::Use(if name.is_empty() || is_keyword(name) { Use::Nothing } else { Use::Kept(vec![name]) })
    }
}

enum Outward<'a> {
    Use(Use<'a>),
    Continue,
}
