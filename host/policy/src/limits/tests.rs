use super::*;
use crate::PolicyFile;

/// The table of limits in `docs/policy.md`.
fn documented() -> String {
    let row = |limit: &LimitDescription| {
        let LimitDescription { name, default, what, beyond, .. } = limit;
        format!("| `{}` | `{default}` | {what} | {beyond} |\n", name.as_str())
    };
    ["| limit | default | what is limited | beyond it |\n| --- | --- | --- | --- |\n".to_owned()]
        .into_iter()
        .chain(LIMITS.iter().map(row))
        .collect()
}

#[test]
fn the_documentation_lists_all_limits() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/policy.md");
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(&documented()), "docs/policy.md must contain this table:\n{}", documented());
}

#[test]
fn defaults_are_what_a_policy_file_would_set() {
    let (top, table): (Vec<_>, Vec<_>) = LIMITS.iter().partition(|limit| !limit.name.as_str().starts_with("limits."));
    let setting = |limit: &&LimitDescription| {
        let name = limit.name.as_str();
        format!("{} = {}\n", name.strip_prefix("limits.").unwrap_or(name), limit.default)
    };
    let text: String = top.iter().map(setting).chain(["[limits]\n".into()]).chain(table.iter().map(setting)).collect();
    assert_eq!(PolicyFile::parse(&text).unwrap().check().unwrap().limits, Limits::default());
    assert_eq!(Limits::default().http_header_bytes, Limits::MOST_HEADER_BYTES);
}

#[test]
fn limits_are_printed_and_serialized_by_name() {
    let mut limits = Limits { stdout: 5000, tool_calls: Limits::UNLIMITED, ..Limits::default() };
    limits.http_total_time = Limits::UNLIMITED_TIME;
    let text = limits.to_string();
    for line in ["limits      timeout 30s, memory 256 MiB, ", "\noutput      stdout 5000 bytes, stderr 1 MiB, "] {
        assert!(text.contains(line), "{text}");
    }
    assert!(text.contains(" tool_calls unlimited,") && text.contains("http_total_time unlimited\n"), "{text}");
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");

    let json = serde_json::to_value(&limits).unwrap();
    assert_eq!((&json["timeout_ms"], &json["stdout"]), (&30_000.into(), &5000.into()));
    assert_eq!(json.as_object().unwrap().len(), LIMITS.len());
}

#[test]
fn a_limit_is_described_if_the_policy_sets_it() {
    assert_eq!(LimitDescription::of(LimitName::Memory).unwrap().default, "\"256MiB\"");
    assert_eq!(LimitDescription::of(LimitName::ValueMemory), None);
}
