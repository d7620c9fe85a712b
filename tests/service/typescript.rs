//! The client for TypeScript, in the form in which it is published: packed, installed, and compiled against.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use isolette_tests::{Skipped, agents, host_test, isolette};

use crate::server::Server;

/// The folder with the compiled tests and examples. It is made once.
fn compiled() -> Result<&'static Path, Skipped> {
    static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let made = FOLDER.get_or_init(|| make().map_err(|skipped| skipped.0));
    made.as_deref().map_err(|reason| Skipped(reason.clone()))
}

fn make() -> Result<PathBuf, Skipped> {
    let node = agents::node_for_suite()?;
    let modules = agents::installed_client("typescript/node_modules")?;
    let test = std::env::current_exe().expect("the test knows its own path");
    let target = test.ancestors().nth(3).expect("tests are in the folder `deps` of a profile's folder");
    let folder = target.join("typescript/tests");
    std::fs::create_dir_all(&folder).expect("a folder");
    let document = isolette().args(["serve", "--print-openapi"]).output().expect("it ends").stdout;
    std::fs::write(folder.join("openapi.json"), document).expect("a file");
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../typescript");
    let script = |name: &str, arguments: &[&Path]| {
        let mut command = Command::new(&node);
        // The npm that belongs to the system's Node.js packs.
        let output = command.arg(source.join(name)).args(arguments).output().expect("it starts");
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{name}: {stdout}{stderr}");
        stdout.trim().to_owned()
    };
    let archive = script("build.mjs", &[&folder.join("openapi.json"), &folder.join("package"), &modules]);
    script("check.mjs", &[Path::new(&archive), &folder.join("check"), &modules]);
    Ok(folder.join("check/out"))
}

/// Runs a program with a server of its own, over HTTP or its socket. Returns what it prints.
fn run(arguments: &[&str], is_http: bool) -> Result<String, Skipped> {
    let folder = compiled()?;
    let server = match is_http {
        true => Server::start(&["--http", "127.0.0.1:0", "--token", "alice=env:ALICE"]),
        false => Server::start(&[]),
    };
    let mut node = Command::new(agents::node_for_suite()?);
    node.args(arguments).current_dir(folder).env("ISOLETTE_SERVER", server.url()).env("ISOLETTE_TOKEN", "alice-secret");
    let output = node.output().expect("it starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}{stderr}\n{}", server.messages());
    Ok(stdout.into_owned())
}

#[host_test]
fn sandboxes_over_http() -> Result<(), Skipped> {
    run(&["--test", "tests/sandbox.test.js"], true).map(drop)
}

#[host_test]
fn sandboxes_over_a_socket() -> Result<(), Skipped> {
    run(&["--test", "tests/sandbox.test.js"], false).map(drop)
}

#[host_test]
fn events_that_are_cut_anywhere() -> Result<(), Skipped> {
    run(&["--test", "tests/events.test.js"], false).map(drop)
}

#[host_test]
fn requests_that_fail() -> Result<(), Skipped> {
    run(&["--test", "tests/transport.test.js"], false).map(drop)
}

#[host_test]
fn tools_over_http() -> Result<(), Skipped> {
    run(&["--test", "tests/tools.test.js"], true).map(drop)
}

#[host_test]
fn tools_over_a_socket() -> Result<(), Skipped> {
    run(&["--test", "tests/tools.test.js"], false).map(drop)
}

#[host_test]
fn the_tool_for_the_ai_sdk() -> Result<(), Skipped> {
    run(&["--test", "tests/ai.test.js"], false).map(drop)
}

#[host_test]
fn the_programs_of_the_documentation() -> Result<(), Skipped> {
    assert!(run(&["tests/readme.js"], false)?.contains("from a program"));
    Ok(())
}

#[host_test]
fn a_program_calls_functions_of_its_caller() -> Result<(), Skipped> {
    assert_eq!(run(&["examples/plain.js"], false)?, "total: 42.5\n");
    Ok(())
}

#[host_test]
fn a_model_of_the_ai_sdk_writes_a_program() -> Result<(), Skipped> {
    assert_eq!(run(&["examples/ai-sdk.js"], true)?, "It is warmer in Rome.\n");
    Ok(())
}
