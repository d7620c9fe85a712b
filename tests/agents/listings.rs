//! Listings of tools: names, descriptions, annotations and instructions.

use insta::assert_snapshot;
use isolette::Isolation;
use isolette_tests::{
    ClientCase, Skipped,
    agents::{Client, Era, Script, stdio},
    client_test, engines, host_test,
};
use serde_json::{Value, json};

fn listing(arguments: &[&str]) -> Result<(Value, Value), Skipped> {
    let script = Script::new(Client::Python, Era::New, stdio(arguments));
    let mut replies = script.step(json!({ "tools": true })).step(json!({ "instructions": true })).play()?;
    let instructions = replies.results.remove(1);
    Ok((replies.results.remove(0), instructions))
}

#[host_test]
fn every_profile_lists_its_tools() -> Result<(), Skipped> {
    for profile in ["codeact", "codemode", "sessions"] {
        let (tools, instructions) = listing(&["--profile", profile])?;
        assert_snapshot!(format!("tools-{profile}"), serde_json::to_string_pretty(&tools["tools"]).expect("JSON"));
        assert_snapshot!(format!("instructions-{profile}"), instructions.as_str().unwrap_or_default());
        assert_eq!((&tools["ttlMs"], &tools["cacheScope"]), (&json!(60_000), &json!("private")));
    }
    let (tools, _) = listing(&["--lang", "javascript", "--lang", "typescript"])?;
    assert_snapshot!("description-several-languages", tools["tools"][0]["description"].as_str().unwrap_or_default());
    Ok(())
}

#[host_test]
fn tool_annotations_follow_the_policy() -> Result<(), Skipped> {
    let folder = tempfile::tempdir().expect("a folder");
    let mount = format!("{}:/data:rw", folder.path().display());
    for (arguments, read_only, open_world) in [
        (vec![], true, false),
        (vec!["--allow", "GET https://api.example.com"], false, true),
        (vec!["--network", "full"], false, true),
        (vec!["--mount", &mount], false, false),
        (vec!["--profile", "sessions"], false, false),
    ] {
        let (tools, _) = listing(&arguments)?;
        let tools = tools["tools"].as_array().unwrap();
        let tool = tools.iter().find(|tool| tool["name"] == "execute_code").unwrap();
        let annotations = &tool["annotations"];
        assert_eq!(annotations["readOnlyHint"], read_only, "{arguments:?}");
        assert_eq!(annotations["destructiveHint"], !read_only, "{arguments:?}");
        assert_eq!(annotations["idempotentHint"], read_only, "{arguments:?}");
        assert_eq!(annotations["openWorldHint"], open_world, "{arguments:?}");
    }
    Ok(())
}

#[client_test]
fn every_client_gets_the_same_listing(case: &ClientCase) -> Result<(), Skipped> {
    let ours = case.serve(&["--profile", "sessions"]).script.step(json!({ "tools": true })).play()?;
    let again = case.serve(&["--profile", "sessions"]).script.step(json!({ "tools": true })).play()?;
    assert_eq!(ours.results[0]["tools"], again.results[0]["tools"]);
    let names: Vec<_> = ours.results[0]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    let expected = [
        "create_sandbox",
        "list_sandboxes",
        "reset_sandbox",
        "destroy_sandbox",
        "execute_code",
        "read_file",
        "write_file",
        "list_files",
        "snapshot_sandbox",
        "fork_sandbox",
        "restore_sandbox",
        "delete_snapshot",
    ];
    let of_states = if engines::automatic() == Isolation::Wasm { 4 } else { 0 };
    assert_eq!(names, expected[..expected.len() - of_states]);
    Ok(())
}
