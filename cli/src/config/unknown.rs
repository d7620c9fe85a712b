//! What is wrong with a file, with the nearest key for one that is not known.

use isolette::catalog;

/// A message with the place, and what to do.
pub(super) fn explain(error: &toml::de::Error, text: &str) -> (String, String) {
    let message = error.message();
    let line =
        error.span().and_then(|span| text.get(..span.start)).map_or(1, |before| before.matches('\n').count() + 1);
    let hint = match nearest(message) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "docs/mcp.md has every key, with an example".into(),
    };
    // Not the line itself: there may be a secret in it that should not have been there.
    (format!("line {line}: {message}"), hint)
}

/// The name that is most like the unknown one, of those that were expected.
fn nearest(message: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown field `")?;
    let (unknown, rest) = rest.split_once('`')?;
    let expected = rest.split('`').skip(1).step_by(2);
    catalog::nearest(unknown, expected, 1).first().map(|name| (*name).to_owned())
}
