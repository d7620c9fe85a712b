//! E2B's official SDKs, and LiteLLM, with this server as their address.

use std::{path::PathBuf, process::Command};

use isolette::{Image, Language};
use isolette_tests::{Skipped, agents, host_test};

use crate::{runs::config, server::Server};

/// Runs one step of a client against a server of its own. Returns what it prints.
fn step(client: Command, step: &str) -> String {
    step_with(client, step, "timeout = '5s'")
}

/// The same with this policy.
fn step_with(mut client: Command, step: &str, policy: &str) -> String {
    let config = config(&format!("[sandbox]\n{policy}"));
    let arguments = ["--http", "127.0.0.1:0", "--token", "alice=env:ALICE", "--config", &config];
    let server = Server::start(&arguments);
    let address = format!("{}/e2b", server.url());
    let variables = [
        ("E2B_API_URL", address.as_str()),
        ("E2B_SANDBOX_URL", &address),
        ("E2B_API_KEY", "alice-secret"),
        ("E2B_HTTP_VERSION", "1.1"),
    ];
    let output = client.arg(step).envs(variables).output().expect("it starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}\n{stdout}{stderr}\n{}", output.status, server.messages());
    stdout.into_owned()
}

fn source(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("service/clients").join(name)
}

fn python_client() -> Result<Command, Skipped> {
    let mut client = Command::new(agents::installed_client("service-python/bin/python")?);
    client.arg(source("client.py"));
    Ok(client)
}

fn python(name: &str) -> Result<String, Skipped> {
    Ok(step(python_client()?, name))
}

fn typescript(name: &str) -> Result<String, Skipped> {
    let modules = agents::installed_client("service-node/node_modules")?;
    // Modules are resolved relative to a program.
    let folder = modules.parent().expect("it was joined").to_owned();
    let draft = tempfile::Builder::new().suffix(".mjs").tempfile_in(folder).expect("a file beside the modules");
    std::fs::copy(source("client.mjs"), draft.path()).expect("the client can be copied");
    let mut client = Command::new(agents::node_for_suite()?);
    client.arg(draft.path());
    Ok(step(client, name))
}

macro_rules! steps {
    ($client:ident: $($name:ident)+) => {
        mod $client {
            $(
                #[isolette_tests::host_test]
                fn $name() -> Result<(), isolette_tests::Skipped> {
                    super::$client(stringify!($name)).map(drop)
                }
            )+
        }
    };
}

steps!(python: runs_code streams has_contexts has_files lists_and_renames_files has_an_environment has_addresses_of_files is_at_names_of_hosts runs_code_with_litellm begins_in_the_workspace has_odd_line_breaks has_large_integers pauses_and_forks runs_asynchronously ends_code_at_its_timeout);
steps!(typescript: runs_code streams has_contexts_and_files lists_and_renames_files has_an_environment has_addresses_of_files sees_reasons begins_in_the_workspace has_odd_line_breaks pauses_and_forks);

#[host_test]
fn figures_are_results() -> Result<(), Skipped> {
    let image = Image::find(Language::Python).expect("there is one").directory().with_file_name("python-science");
    if !image.join("image.json").exists() {
        return Err(Skipped("`cargo xtask image build --name python-science` has not made the image".into()));
    }
    step_with(python_client()?, "shows_figures", "timeout = '30s'\nimage = 'science'");
    Ok(())
}

#[host_test]
fn the_workspace_is_the_home() -> Result<(), Skipped> {
    step_with(python_client()?, "has_a_home", "timeout = '5s'\n[sandbox.limits]\nfile_total_bytes = '1MiB'");
    Ok(())
}

#[host_test]
fn what_does_not_exist_here_is_refused_with_a_reason() -> Result<(), Skipped> {
    insta::assert_snapshot!("e2b_refusals", python("refuses_what_it_does_not_have")?);
    Ok(())
}
