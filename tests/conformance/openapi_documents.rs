//! Published OpenAPI documents of real services: each loads, and every operation becomes a tool or is listed with the reason.
//!
//! The documents are not part of the sources: `cargo xtask setup` downloads pinned versions. `ISOLETTE_OPENAPI_DOCUMENTS` names
//! a directory with other documents to test.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    time::Instant,
};

use isolette::{OpenApi, OpenApiLimits};
use isolette_tests::{Skipped, host_test};
use serde_json::Value;

const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

#[host_test]
fn every_published_operation_becomes_a_tool_or_has_a_reason() -> Result<(), Skipped> {
    let given = env::var_os("ISOLETTE_OPENAPI_DOCUMENTS").map(PathBuf::from);
    let is_ours = given.is_none();
    let folder = given.unwrap_or_else(downloaded);
    let documents = list(&folder);
    if is_ours && documents.is_empty() {
        return Err(Skipped("the documents are not there: `cargo xtask setup` gets them".into()));
    }
    println!("{:>9} {:>6} {:>6} {:>8} {:>9}  document", "bytes", "ops", "tools", "skipped", "ms");
    let mut total = [0; 3];
    let mut refused = Vec::new();
    for path in &documents {
        let name = path.strip_prefix(&folder).unwrap_or(path);
        let Some([operations, tools, skipped]) = examine(path, name) else {
            refused.push(name);
            continue;
        };
        total = [total[0] + operations, total[1] + tools, total[2] + skipped];
    }
    println!("{} documents: {} operations, {} tools, {} skipped", documents.len(), total[0], total[1], total[2]);
    if is_ours {
        assert!(refused.is_empty(), "{refused:?}");
        assert!(total[1] * 100 >= total[0] * 99, "{} of {} operations are tools", total[1], total[0]);
    }
    Ok(())
}

fn downloaded() -> PathBuf {
    let test = env::current_exe().expect("the test knows its own path");
    let target = test.ancestors().nth(3).expect("tests are in `deps` of a profile's folder in the target folder");
    target.join("toolchain/openapi-documents")
}

fn list(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry of a folder").path();
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if path.is_dir() => found.extend(list(&path)),
            Some("json" | "yaml" | "yml") => found.push(path),
            _ => {}
        }
    }
    found.sort();
    found
}

/// Operations, tools, and operations that were not converted; `None` if the document is rejected.
fn examine(path: &Path, name: &Path) -> Option<[usize; 3]> {
    let text = fs::read_to_string(path).expect("a document is text");
    let mut limits = OpenApiLimits::default();
    limits.document_bytes = 256 << 20;
    limits.operations = 100_000;
    limits.schema_bytes = 4 << 30;
    let started = Instant::now();
    let loaded = OpenApi::from_file(path)
        .limits(limits)
        .name("service")
        // Some documents name no server, or a relative one: the owner of the service decides where it runs.
        .base_url("https://service.example/v1")
        .and_then(|document| document.tools());
    let time = started.elapsed().as_millis();
    let set = match loaded {
        Ok(set) => set,
        Err(error) => {
            println!(
                "{:>9} refused after {time} ms  {}: {}",
                text.len(),
                name.display(),
                error.to_string().escape_debug()
            );
            return None;
        }
    };
    let skipped: Vec<_> = set.skipped.iter().filter(|skipped| !skipped.what.starts_with("webhook ")).collect();
    println!(
        "{:>9} {:>6} {:>6} {:>8} {time:>9}  {}",
        text.len(),
        set.tools.len() + skipped.len(),
        set.tools.len(),
        skipped.len(),
        name.display()
    );
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for skipped in &skipped {
        let reason = skipped.reason.to_string();
        assert!(!reason.is_empty(), "{}", skipped.what);
        *reasons.entry(reason.chars().take(100).collect()).or_default() += 1;
    }
    for (reason, count) in reasons {
        println!("{:>42} {count} × {reason}", "");
    }
    for tool in &set.tools {
        let (namespace, name) = tool.name().split_once('.').expect("a name has two parts");
        let is_identifier = |part: &str| {
            part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                && !part.as_bytes()[0].is_ascii_digit()
        };
        assert!(namespace == "service" && is_identifier(name) && name.len() <= 64, "{}", tool.name());
        assert!(!tool.description().is_empty(), "{}", tool.name());
        assert_eq!(tool.input_schema()["type"], "object", "{}", tool.name());
    }
    if text.trim_start().starts_with('{') {
        let document: Value = serde_json::from_str(&text).expect("a document that was loaded");
        let operations = document["paths"]
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(path, _)| !path.starts_with("x-"))
            // Parts that a path references count for both.
            .map(|(_, item)| match item["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
                Some(pointer) => document.pointer(pointer).expect("a path that is somewhere"),
                None => item,
            })
            .map(|item| METHODS.iter().filter(|method| item[**method].is_object()).count())
            .sum::<usize>();
        assert_eq!(set.tools.len() + skipped.len(), operations, "{}", name.display());
    }
    Some([set.tools.len() + skipped.len(), set.tools.len(), skipped.len()])
}
