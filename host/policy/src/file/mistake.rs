//! What is wrong with a file, with the nearest key for one that is not known.

use isolette_work::nearest;

/// A message with the place, and what to do. Public for the tool that reads the policy as part of a larger file.
#[must_use]
pub fn toml_mistake(error: &toml::de::Error, text: &str, documentation: &str) -> (String, String) {
    let message = error.message();
    let line =
        error.span().and_then(|span| text.get(..span.start)).map_or(1, |before| before.matches('\n').count() + 1);
    let hint = match nearest_expected(message) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("{documentation} has every key, with an example"),
    };
    // Not the line itself: there may be a secret in it that should not have been there.
    (format!("line {line}: {message}"), hint)
}

/// The name that is most like the unknown one, of those that were expected.
fn nearest_expected(message: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown field `").or_else(|| message.strip_prefix("unknown variant `"))?;
    let (unknown, rest) = rest.split_once('`')?;
    nearest(unknown, rest.split('`').skip(1).step_by(2), 1).first().map(|name| (*name).to_owned())
}
