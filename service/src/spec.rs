//! The specification with which a caller makes a sandbox.

use std::collections::BTreeMap;

use isolette::{Error, Language, policy::PolicyFile};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::failure::Failure;

/// The specification of a sandbox by its caller. It is stored, and applied over the grants of the operator whenever guests are started.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SandboxSpec {
    /// The language of programs that do not name one: `python`, `javascript` or `typescript`.
    pub(crate) language: String,
    /// The policy, with the keys of a policy file. Callers with a token can set `profile`, `network` (to `none`), `timeout`,
    /// `memory`, `variables`, `tool_calls` and `dialect`.
    pub(crate) policy: Map<String, Value>,
    /// Tools that the caller answers.
    pub(crate) tools: Vec<ToolSpec>,
    /// Whether the caller approves calls that need approval. If not, they are denied.
    pub(crate) approves: bool,
    /// Whether programs in contexts are paused while calls wait for the caller, as those outside always are. If not, the guest waits
    /// with the call.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) pauses: bool,
    /// The part that only E2B's clients set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(ignore)]
    pub(crate) e2b: Option<E2bSpec>,
    /// Whether the creator had the rights of the user.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(ignore)]
    pub(crate) is_user: bool,
}

/// The part of a specification that E2B's clients set. Programs of such a sandbox have a home, which is the workspace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct E2bSpec {
    /// Variables of the environment of all programs.
    #[serde(skip_serializing_if = "Environment::is_empty")]
    pub(crate) environment: Environment,
}

/// Variables of the environment of programs, by their names.
pub(crate) type Environment = BTreeMap<String, String>;

/// A tool that the caller answers: a program that calls it waits for the answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ToolSpec {
    /// Letters, digits, `_`, `-` and `.`.
    pub(crate) name: String,
    /// What the tool does, for models.
    pub(crate) description: String,
    /// The JSON schema of the arguments, an object.
    pub(crate) input_schema: Map<String, Value>,
    /// The JSON schema of the result.
    pub(crate) output_schema: Option<Map<String, Value>>,
    /// Whether each call needs approval before it is passed to the caller.
    pub(crate) needs_approval: bool,
}

/// Maximum number of tools of one sandbox.
pub(crate) const TOOLS: usize = 200;

impl SandboxSpec {
    pub(crate) fn language(&self) -> Result<Language, Failure> {
        parse_language(if self.language.is_empty() { "python" } else { &self.language })
    }

    pub(crate) fn policy(&self) -> Result<PolicyFile, Error> {
        serde_json::from_value(Value::Object(self.policy.clone())).map_err(|error| {
            Error::invalid(format!("`policy`: {error}"), "write it with the keys of a policy file: docs/policy.md")
        })
    }
}

pub(crate) fn parse_language(name: &str) -> Result<Language, Failure> {
    Ok(name.parse::<Language>()?)
}
