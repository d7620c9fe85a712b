//! Parses and classifies media types.

/// The type without its parameters, in lower case.
pub(super) fn essence(media: &str) -> String {
    media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

pub(super) fn is_json(media: &str) -> bool {
    let essence = essence(media);
    matches!(essence.as_str(), "application/json" | "text/json" | "application/*" | "*/*") || essence.ends_with("+json")
}

/// Whether it is a text type other than JSON.
pub(super) fn is_text(media: &str) -> bool {
    const TEXT: [&str; 12] = [
        "application/xml",
        "application/yaml",
        "application/x-yaml",
        "application/javascript",
        "application/ecmascript",
        "application/graphql",
        "application/sql",
        "application/toml",
        "application/x-ndjson",
        "application/jsonl",
        "application/jwt",
        "application/x-www-form-urlencoded",
    ];
    let essence = essence(media);
    essence.starts_with("text/")
        || essence.ends_with("+xml")
        || essence.ends_with("+yaml")
        || TEXT.contains(&essence.as_str())
}

/// The value of a parameter of the type, such as its `charset`.
pub(super) fn parameter(media: &str, name: &str) -> Option<String> {
    media.split(';').skip(1).find_map(|parameter| {
        let (key, value) = parameter.split_once('=')?;
        key.trim().eq_ignore_ascii_case(name).then(|| value.trim().trim_matches('"').to_ascii_lowercase())
    })
}
