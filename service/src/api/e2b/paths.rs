//! Paths as E2B's clients write them: `/home/user` is `/workspace`.

use crate::{HOME, WORKSPACE, sandboxes::LiveSandbox};

/// A path of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClientPath {
    /// The path in `/workspace` for one in `/home/user`; any other path as it was written.
    pub(super) inner: String,
    /// Whether the client sees it in `/home/user`.
    is_in_home: bool,
}

impl ClientPath {
    /// Reads a path. Relative ones are in the home of programs, which sandboxes have that were made for E2B's clients.
    pub(super) fn of(text: &str, sandbox: &LiveSandbox) -> Self {
        Self::read(text, sandbox.spec.e2b.is_some())
    }

    fn read(text: &str, has_home: bool) -> Self {
        let in_home = |rest: &str, is_in_home| Self { inner: format!("{WORKSPACE}/{rest}"), is_in_home };
        if text == "~" || text.starts_with("~/") {
            return in_home(text[1..].trim_start_matches('/'), has_home);
        }
        if !text.starts_with('/') {
            return in_home(text, has_home);
        }
        let mut rest = text;
        for name in HOME[1..].split('/') {
            let next = rest.trim_start_matches('/');
            match next.strip_prefix(name) {
                Some(after) if after.is_empty() || after.starts_with('/') => rest = after,
                _ => return Self { inner: text.to_owned(), is_in_home: false },
            }
        }
        in_home(rest.trim_start_matches('/'), true)
    }

    /// The path of the client for one in `/workspace` or `/output`.
    pub(super) fn shown(&self, inner: &str) -> String {
        match inner.strip_prefix(WORKSPACE).filter(|rest| self.is_in_home && (rest.is_empty() || rest.starts_with('/')))
        {
            Some(rest) => format!("{HOME}{rest}"),
            None => inner.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_is_the_workspace() {
        for (text, inner, is_in_home) in [
            ("/home/user", "/workspace/", true),
            ("/home/user/", "/workspace/", true),
            ("//home//user//a/b", "/workspace/a/b", true),
            ("/home/user/../a", "/workspace/../a", true),
            ("a/b", "/workspace/a/b", true),
            ("", "/workspace/", true),
            ("~", "/workspace/", true),
            ("~/a", "/workspace/a", true),
            ("~a", "/workspace/~a", true),
            ("/home/users/a", "/home/users/a", false),
            ("/home", "/home", false),
            ("/workspace/a", "/workspace/a", false),
            ("/output/a", "/output/a", false),
            ("/", "/", false),
        ] {
            assert_eq!(ClientPath::read(text, true), ClientPath { inner: inner.into(), is_in_home }, "{text}");
        }
        let home = ClientPath::read("/home/user/a", false);
        assert_eq!(home.shown("/workspace/a"), "/home/user/a");
        assert_eq!(home.shown("/workspace"), "/home/user");
        assert_eq!(home.shown("/workspaces"), "/workspaces");
        assert_eq!(ClientPath::read("a", false).shown("/workspace/a"), "/workspace/a");
    }
}
