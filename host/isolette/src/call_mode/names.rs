//! The names by which a program calls tools and functions of custom interfaces.

use std::collections::{HashMap, HashSet};

use super::program::{PATTERN_LIMIT, Path, Program};

/// What a call reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Group {
    Tools,
    Interfaces,
}

/// What a sandbox offers to programs by name.
pub(crate) struct Offered<'a> {
    /// Returns the names by which tools are called, without their namespaces and with `_` for what is no part of a name.
    pub(crate) tools: &'a dyn Fn() -> HashSet<String>,
    /// Whether a name of a tool is a function without an import: in a session, which may have imported it.
    pub(crate) has_bare_tools: bool,
    /// The namespaces of custom interfaces in Python: `acme` of `acme:weather/forecast`.
    pub(crate) namespaces: HashSet<String>,
    /// The names of functions of custom interfaces that a session may have imported.
    pub(crate) functions: HashSet<String>,
}

/// The names of one program.
pub(super) struct Names<'a, 'o> {
    roots: HashMap<&'a str, Group>,
    /// Functions that the program defines itself.
    own: HashSet<&'a str>,
    offered: &'o Offered<'o>,
    tools: HashSet<String>,
    python: bool,
}

/// Methods of `tools` that are not calls of a tool.
const METHODS: [&str; 3] = ["search", "list", "describe"];

impl<'a, 'o> Names<'a, 'o> {
    pub(super) fn of(program: &Program<'a>, offered: &'o Offered<'o>) -> Self {
        let roots = HashMap::from([("tools", Group::Tools), ("codemode", Group::Tools)]);
        let mut names = Self { roots, own: HashSet::new(), offered, tools: (offered.tools)(), python: program.python };
        for at in 0..program.tokens.len() {
            if program.python {
                names.learn_python(program, at);
            } else {
                names.learn_javascript(program, at);
            }
            if matches!(program.text(at), "def" | "function" | "class") && program.is_name(at + 1) {
                names.own.insert(program.text(at + 1));
            }
        }
        names
    }

    /// The group of the call of a path, which `(` follows.
    pub(super) fn group(&self, path: &Path<'_>) -> Option<Group> {
        let (first, last) = (*path.names.first()?, *path.names.last()?);
        if path.names.len() == 1 {
            if matches!(first, "call_tool") {
                return (!self.python).then_some(Group::Tools);
            }
            if self.own.contains(first) {
                return None;
            }
            if let Some(group) = self.roots.get(first) {
                return (!matches!(first, "tools" | "codemode")).then_some(*group);
            }
            if self.offered.has_bare_tools && self.tools.contains(first) {
                return Some(Group::Tools);
            }
            return self.offered.functions.contains(first).then_some(Group::Interfaces);
        }
        let group = self.roots.get(first).copied()?;
        let is_method = path.names.len() == 2 && METHODS.contains(&last) && !self.tools.contains(last);
        let is_explicit = last == "start" || (self.python && last == "call" && path.names.len() == 2);
        (!(group == Group::Tools && (is_method || is_explicit))).then_some(group)
    }

    /// `from tools.github import search as find`, `import acme.weather.forecast as forecast`, `gh = tools.github`.
    fn learn_python(&mut self, program: &Program<'a>, at: usize) {
        match program.text(at) {
            "from" if program.begins_line(at) => {
                let Some(path) = program.path(at + 1) else { return };
                let Some(group) = self.of_module(&path) else { return };
                if program.text(path.end) != "import" {
                    return;
                }
                let mut at = path.end + 1;
                while program.is_name(at) || matches!(program.text(at), "," | "(") {
                    let name = program.text(at);
                    if program.is_name(at) && name != "as" {
                        self.roots.insert(name, group);
                    }
                    at += 1;
                }
            }
            "import" if program.begins_line(at) => {
                let mut at = at + 1;
                while let Some(path) = program.path(at) {
                    let renamed = program.text(path.end) == "as";
                    if let Some(group) = self.of_module(&path) {
                        let name = if renamed { program.text(path.end + 1) } else { path.names[0] };
                        self.roots.insert(name, group);
                    }
                    at = if renamed { path.end + 2 } else { path.end };
                    if program.text(at) != "," {
                        break;
                    }
                    at += 1;
                }
            }
            "=" if program.parent(at).is_none() => self.learn_alias(program, at),
            _ => {}
        }
    }

    fn of_module(&self, path: &Path<'_>) -> Option<Group> {
        let first = *path.names.first()?;
        if first == "tools" {
            return Some(Group::Tools);
        }
        self.offered.namespaces.contains(first).then_some(Group::Interfaces)
    }

    /// `const { search } = tools.github`, `import { get } from "acme:weather/forecast"`, `await import("acme:…")`.
    fn learn_javascript(&mut self, program: &Program<'a>, at: usize) {
        if program.text(at) == "=" {
            self.learn_alias(program, at);
            return;
        }
        if !program.literal(at).is_some_and(|text| text.contains(':') && text.contains('/')) {
            return;
        }
        if program.before(at) == "from" {
            let mut back = at - 1;
            while back > 0 && program.text(back) != "import" && at - back < PATTERN_LIMIT {
                // It is another statement.
                if program.literal(back).is_some() {
                    break;
                }
                back -= 1;
                if program.is_name(back) && !matches!(program.text(back), "as" | "import" | "type") {
                    self.roots.insert(program.text(back), Group::Interfaces);
                }
            }
        } else if program.before(at) == "(" && matches!(program.before(at - 1), "require" | "import") {
            let call = at - 2;
            let equals = if program.before(call) == "await" { call.checked_sub(2) } else { call.checked_sub(1) };
            let equals = equals.filter(|equals| program.text(*equals) == "=");
            for name in equals.map_or_else(Vec::new, |equals| program.targets(equals)) {
                self.roots.insert(name, Group::Interfaces);
            }
        }
    }

    /// `github = tools.github`: the name stands for the path, unless that is called.
    fn learn_alias(&mut self, program: &Program<'a>, equals: usize) {
        let from = if program.text(equals + 1) == "new" { equals + 2 } else { equals + 1 };
        let Some(path) = program.path(from) else { return };
        let Some(group) = path.names.first().and_then(|first| self.roots.get(first)).copied() else { return };
        // What an interface returns may be a resource with functions of its own; the result of a tool is a plain value.
        if program.text(path.end) == "(" && group == Group::Tools {
            return;
        }
        for name in program.targets(equals) {
            self.roots.entry(name).or_insert(group);
        }
    }
}
