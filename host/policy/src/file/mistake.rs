//! Error messages for policy files, with a suggestion for an unknown key.

use isolette_work::nearest;

/// Returns a message with the line of the mistake, and a hint. `documentation` is the page that the hint refers to.
/// Public for the tool that reads the policy as part of a larger file.
#[must_use]
pub fn toml_mistake(error: &toml::de::Error, text: &str, documentation: &str) -> (String, String) {
    let message = error.message();
    let line =
        error.span().and_then(|span| text.get(..span.start)).map_or(1, |before| before.matches('\n').count() + 1);
    let hint = match nearest_expected(message) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("{documentation} has every key, with an example"),
    };
    // The message must not quote the line: it may have a secret in it by mistake.
    (format!("line {line}: {message}"), hint)
}

/// Returns the expected name that resembles the unknown one most.
fn nearest_expected(message: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown field `").or_else(|| message.strip_prefix("unknown variant `"))?;
    let (unknown, rest) = rest.split_once('`')?;
    nearest(unknown, rest.split('`').skip(1).step_by(2), 1).first().map(|name| (*name).to_owned())
}
