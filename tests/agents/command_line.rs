//! The command line of the server: help, printed client settings, listings of tools.

use std::process::Output;

use insta::{assert_snapshot, with_settings};
use isolette_tests::{guests, host_test, isolette, transcript};

fn run(arguments: &[&str]) -> Output {
    isolette().args(arguments).output().expect("it runs")
}

#[host_test]
fn help_of_the_mcp_commands() {
    let commands: [&[&str]; 5] = [&["mcp"], &["tools"], &["tools", "list"], &["tools", "search"], &["tools", "show"]];
    for command in commands {
        let output = run(&[command, &["--help"]].concat());
        assert_snapshot!(format!("help-{}", command.join("-")), transcript(&output));
    }
}

#[host_test]
fn printed_client_settings_for_stdio() {
    with_settings!({filters => vec![(r#""command": ".*/isolette""#, r#""command": "[program]""#)]}, {
        for application in ["claude", "vscode", "cursor"] {
            let output = run(&["mcp", "--profile", "codemode", "--print-config", application]);
            assert_snapshot!(format!("print-config-{application}"), transcript(&output));
        }
    });
}

#[host_test]
fn printed_client_settings_for_http() {
    let arguments = ["mcp", "--http", "127.0.0.1:8080", "--token", "env:TOKEN", "--print-config"];
    for application in ["claude", "vscode", "cursor"] {
        let output = run(&[&arguments[..], &[application]].concat());
        assert_snapshot!(format!("print-config-http-{application}"), transcript(&output));
    }
    let output = run(&["mcp", "--http", "127.0.0.1:0", "--print-config", "claude"]);
    assert_eq!(output.status.code(), Some(102));
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(stderr.contains("hint: name a port"), "{stderr}");
}

#[host_test]
fn printed_client_settings_name_what_they_leave_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments =
        ["mcp", "--mcp-server", "files=npx server .", "--secret", "key=env:KEY", "--print-config", "cursor"];
    let output = isolette().args(arguments).current_dir(folder.path()).output().expect("it runs");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(stderr.contains("warning: `.` is relative to this directory") && stderr.contains("`KEY`"), "{stderr}");
    let settings: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(settings["mcpServers"]["isolette"]["env"]["KEY"], "${env:KEY}");
}

#[host_test]
fn tools_are_listed_searched_and_shown_on_the_command_line() {
    let config = guests::folder().join("../../examples/mcp/isolette.toml");
    let config = config.to_str().expect("UTF-8");
    for (name, arguments, code) in [
        ("tools-list", vec!["list"], 0),
        ("tools-search", vec!["search", "random", "--detail", "detailed"], 0),
        ("tools-search-nothing", vec!["search", "chromodynamics"], 1),
        ("tools-show", vec!["show", "breweries.search_breweries"], 0),
        ("tools-show-typescript", vec!["show", "breweries.search_breweries", "--lang", "typescript"], 0),
        ("tools-show-unknown", vec!["show", "breweries.search_brewery"], 1),
    ] {
        let output = run(&[&["tools"], &*arguments, &["--config", config]].concat());
        assert_eq!(output.status.code(), Some(code), "{}", transcript(&output));
        assert_snapshot!(name, transcript(&output));
    }
}

#[host_test]
fn mistakes_in_the_configuration_file_are_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("isolette.toml");
    let reported: Vec<_> = [
        "[server]\nprofil = 'codeact'\n",
        "[sandbox]\nmemory = 'much'\n",
        "[server]\ntoken = 'hunter2'\n",
        "[[mcp]]\nname = 'nothing'\n",
        "[[openapi]]\nsource = 'no-such-file.yaml'\n",
        "[sandbox\n",
    ]
    .iter()
    .map(|text| {
        std::fs::write(&file, text).expect("a file");
        let output = run(&["mcp", "--config", file.to_str().expect("UTF-8")]);
        format!("{text}{}", transcript(&output))
    })
    .collect();
    let place = folder.path().display().to_string();
    assert_snapshot!("mistakes-in-the-file", reported.join("\n").replace(&place, "[folder]"));
}

#[host_test]
fn explain_prints_the_effective_server_policy() {
    let output = run(&["mcp", "--explain", "--lang", "python", "--lang", "javascript", "--approval", "ask *"]);
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(stdout.contains("language    python") && stdout.contains("language    javascript"), "{stdout}");
    assert!(stdout.contains("ask *"), "{stdout}");
    let output = run(&["mcp", "--explain", "--json", "--lang", "python", "--lang", "javascript"]);
    let explained: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&explained[0]["language"], &explained[1]["language"]), (&"python".into(), &"javascript".into()));
}
