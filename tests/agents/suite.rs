//! The official conformance suite of the protocol, as far as it is about servers of tools: scenarios that want a server made
//! for the suite are not ours to pass.

use std::process::Command;

use isolette_tests::{
    Skipped,
    agents::{HttpServer, node},
    host_tests,
};

host_tests! {
    the_official_suite_passes;
}

const SCENARIOS: [&str; 4] = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];

fn the_official_suite_passes() -> Result<(), Skipped> {
    let folder = node()?;
    needs_node_22()?;
    let server = HttpServer::start(&[]);
    let results = tempfile::tempdir().expect("a folder");
    for scenario in SCENARIOS {
        let output = Command::new(folder.join("node_modules/.bin/conformance"))
            .args(["server", "--url", &server.url, "--scenario", scenario])
            .current_dir(results.path())
            .output()
            .expect("the suite runs");
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{scenario}: {stdout}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

fn needs_node_22() -> Result<(), Skipped> {
    let output = Command::new("node").arg("--version").output().expect("node runs");
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_some_and(|major| major >= 22) {
        return Ok(());
    }
    Err(Skipped(format!("node is {version}, the suite needs 22")))
}
