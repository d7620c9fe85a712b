//! Variables of the environment of programs. They are set by a program of its own before, so that lines of programs keep their numbers.

use isolette::{CancellationToken, Error, Language, RunOptions, Session};
use serde_json::{Map, Value};

use crate::{failure::Failure, spec::Environment};

/// Maximum length of all names and values together in bytes: less than what a value of a program can have.
const LENGTH: usize = 128 << 10;

/// Maximum number of variables.
const COUNT: usize = 1000;

/// Checks that these can be variables.
pub(crate) fn check(variables: &Environment) -> Result<(), Failure> {
    let wrong = |name: &str| name.is_empty() || name.contains(['=', '\0']);
    if let Some((name, _)) = variables.iter().find(|(name, value)| wrong(name) || value.contains('\0')) {
        let shown: String = name.chars().take(80).collect();
        return Err(Failure::invalid(
            format!("`{}` cannot be a variable of the environment", shown.escape_debug()),
            "names have no `=`, and neither names nor values have null characters",
        ));
    }
    let length: usize = variables.iter().map(|(name, value)| name.len() + value.len()).sum();
    match variables.len() > COUNT || length > LENGTH {
        true => Err(Failure::invalid(
            format!("the environment has {} variables with {length} bytes", variables.len()),
            format!("use up to {COUNT} variables with {LENGTH} bytes, and a file for more"),
        )),
        false => Ok(()),
    }
}

/// The variables with their new values.
pub(super) fn changes(variables: &Environment) -> Map<String, Value> {
    variables.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect()
}

/// Sets variables. Returns what they were, with `null` for those that did not exist.
pub(crate) async fn set(
    session: &mut Session,
    language: Language,
    variables: &Environment,
    cancel: &CancellationToken,
) -> Result<Map<String, Value>, Error> {
    match change(session, language, changes(variables), cancel).await? {
        Value::Object(before) => Ok(before),
        _ => Err(not_set("their values before are not known")),
    }
}

/// Sets variables to what they were.
pub(crate) async fn reset(
    session: &mut Session,
    language: Language,
    before: Map<String, Value>,
    cancel: &CancellationToken,
) -> Result<(), Error> {
    change(session, language, before, cancel).await.map(drop)
}

async fn change(
    session: &mut Session,
    language: Language,
    changes: Map<String, Value>,
    cancel: &CancellationToken,
) -> Result<Value, Error> {
    let options = RunOptions::new().cancel(cancel.clone());
    let ended = session.run_async(&program(language, changes), options).await?;
    match ended.error {
        Some(error) => Err(not_set(&error.message)),
        None => Ok(ended.value.unwrap_or_default()),
    }
}

/// A program that changes the environment and defines no names. `null` removes a variable. Its value is what was there before.
pub(super) fn program(language: Language, changes: Map<String, Value>) -> String {
    // A text in JSON is the same text in both languages, except for line breaks, which `json_line` escapes.
    let text = isolette::json_lines::json_line(&Value::Object(changes)).unwrap_or_default();
    let text = Value::String(text).to_string();
    match language {
        Language::Python => format!(
            "(lambda new, env: [{{k: env.get(k) for k in new}}, \
             [env.pop(k, None) if v is None else env.__setitem__(k, v) for k, v in new.items()]][0])\
             (__import__('json').loads({text}), __import__('os').environ)"
        ),
        _ => format!(
            "((changes, env) => {{ const before = {{}}; for (const [name, value] of Object.entries(changes)) {{ \
             before[name] = Object.hasOwn(env, name) ? env[name] : null; \
             if (value === null) delete env[name]; else env[name] = value; }} return before; }})\
             (JSON.parse({text}), process.env)"
        ),
    }
}

pub(super) fn not_set(why: &str) -> Error {
    Error::invalid(
        format!("the variables of the environment cannot be set in this context: {why}"),
        "leave them out, or use another context",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_those_of_an_environment() {
        let of = |name: &str, value: &str| check(&Environment::from([(name.into(), value.into())])).is_ok();
        assert!(of("A", "") && of("a b", "=\n\u{2028}\u{e9}") && check(&Environment::new()).is_ok());
        assert!(!of("", "a") && !of("a=b", "") && !of("a\0", "") && !of("a", "\0"));
        assert!(of("a", &"x".repeat(LENGTH - 1)) && !of("a", &"x".repeat(LENGTH)));
        let many = |count: usize| check(&(0..count).map(|index| (index.to_string(), String::new())).collect()).is_ok();
        assert!(many(COUNT) && !many(COUNT + 1));
    }
}
