//! The texts that models read before their first call.

use isolette_agent::Guide;

use super::{
    Shared,
    profile::Profile,
    sandboxes::{LanguageSandbox, Sandboxes},
};

const CODE_MODE: &str = "\
Work with the tools of this server in four steps. `search` finds what programs can call. `get_schema` describes what those \
tools expect. `get_execute_syntax` describes how programs are written; read it once. `execute_code` runs a program, which does \
the calls. Do as much as you can in one program: loops, several calls, filtering and arithmetic belong into it, and only \
what you need to see should come back.";

const SESSIONS: &str = "\
`create_sandbox` gives a handle; `execute_code` with that `sandbox_id` goes on where the last call ended, and `read_file`, \
`write_file` and `list_files` look after the sandbox's files. `destroy_sandbox` ends it.";

impl LanguageSandbox {
    /// The guide to the sandbox.
    pub(super) fn guide(&self, keeps_state: bool) -> Guide {
        let guide = Guide::new(&self.sandbox);
        if keeps_state { guide.of_session() } else { guide }
    }
}

impl Shared {
    /// The text for a system prompt.
    pub(super) fn instructions(&self) -> String {
        let sandboxes = self.sandboxes();
        let guide = |keeps_state| sandboxes.first().guide(keeps_state).instructions(false);
        match self.profile {
            Profile::CodeAct => guide(false),
            Profile::CodeMode => CODE_MODE.to_owned(),
            Profile::Sessions => format!("{}\n{SESSIONS}", guide(true)),
        }
    }

    /// Describes everything that a program can use; in code mode, which tools describe it.
    pub(super) fn execute_code_description(&self, sandboxes: &Sandboxes) -> String {
        if self.profile == Profile::CodeMode {
            let languages = sandboxes.languages().join(" or ");
            return format!(
                "Runs a program ({languages}) in a sandbox and returns its value and what it printed. Find what it can \
                 call with `search` and `get_schema`; `get_execute_syntax` describes how it is written."
            );
        }
        let keeps_state = self.profile == Profile::Sessions;
        let descriptions: Vec<String> = sandboxes.iter().map(|entry| entry.guide(keeps_state).description()).collect();
        match descriptions.as_slice() {
            [only] => only.clone(),
            several => {
                let names = sandboxes.languages();
                let parts = several.iter().zip(names).map(|(text, name)| format!("# language: {name}\n{text}"));
                parts.collect::<Vec<_>>().join("\n\n")
            }
        }
    }
}
