//! Invalid arguments of the API. They are refused before anything runs, and the error says what to do.

use insta::assert_snapshot;
use isolette::{
    Error, Isolation, Language, Sandbox, SandboxBuilder, Tool,
    policy::{
        Access, Limits,
        network::{Network, Rule},
    },
};
use isolette_tests::{Case, host_test, scenario};
use serde_json::{Value, json};

fn refusal(builder: SandboxBuilder) -> String {
    let error = match builder.build() {
        Ok(sandbox) => panic!("it was accepted: {}", sandbox.explain()),
        Err(error) => error,
    };
    assert!(matches!(error, Error::InvalidArgument { .. } | Error::Io { .. }), "{error:?}");
    format!("{}: {error}", error.name())
}

#[host_test]
fn invalid_builder_settings_are_reported() {
    let new = Sandbox::builder;
    let nothing = |_: Value| Ok::<_, String>(());
    let named = |name: &str| new().tool_typed(name, "", nothing);
    let read_only = Access::ReadOnly;
    let refusals = [
        new().allow(""),
        new().allow("https://user:password@example.com"),
        new().allow("ftp://example.com"),
        new().allow("http://"),
        new().allow("*.com:99999"),
        new().allow("a*.example.com"),
        new().allow("get example.com post"),
        new().allow_domain("example.com", &["G E T"]),
        new().allow_domain("example.com", &["TRACE"]),
        new().base_url("api.example.com/v1"),
        new().network(Network::Allowlist(Vec::<Rule>::new())),
        new().network(Network::Full).allow("example.com"),
        new().mount("/tmp", "data", read_only),
        new().mount("/tmp", "/", read_only),
        new().mount("/tmp", "/a/../b", read_only),
        new().mount("/tmp", "/a//b", read_only),
        new().mount("/tmp", "/a\0b", read_only),
        new().mount("/tmp", "/tmp/a", read_only),
        new().mount("/tmp", "/data", read_only).mount("/", "/data/", read_only),
        new().mount("/no/such/folder", "/data", read_only),
        new().mount("/proc/self/exe", "/data", read_only),
        new().output_dir("/tmp").temp_output(),
        new().variable("not a name", 1),
        named(""),
        named("line\nbreak"),
        named(&"n".repeat(129)),
        named("same").tool_typed("same", "", nothing),
    ]
    .map(refusal);
    assert_snapshot!("builder", refusals.join("\n\n").replace(&"n".repeat(129), "[129 times n]"));
    let schemas = [json!({"type": "no such type"}), json!({"$ref": "https://example.com/schema.json"})];
    let refusals =
        schemas.map(|schema| Tool::from_schema("tool", "", schema, Ok::<_, String>).unwrap_err().to_string());
    assert_snapshot!("tool-schemas", refusals.join("\n\n"));
}

#[host_test]
fn unknown_names_are_reported() {
    let language = "cobol".parse::<Language>().unwrap_err();
    let isolation = "container".parse::<Isolation>().unwrap_err();
    assert_snapshot!("unknown-names", format!("{language}\n\n{isolation}"));
}

#[host_test]
fn the_first_builder_error_is_reported() {
    let error = Sandbox::builder().variable("1", 1).allow("").mount("/tmp", "x", Access::ReadOnly).build().map(drop);
    assert!(error.unwrap_err().to_string().contains("name of a variable"));
}

#[scenario]
fn code_over_the_size_limit_is_refused(case: &Case) {
    let sandbox = case.sandbox();
    let comment = case.pick("#", "//");
    let fifty_megabytes = format!("{comment}{}", " ".repeat(50 << 20));
    let error = sandbox.run(&fifty_megabytes).unwrap_err();
    let Error::LimitExceeded { what, limit, used, .. } = error else { panic!("{error}") };
    assert_eq!((what, limit, used), ("code", Limits::default().code, fifty_megabytes.len() as u64));
    let mut session = sandbox.session().unwrap();
    assert!(session.run(&fifty_megabytes).is_err());
    assert_eq!(session.run("1").unwrap().value, Some(json!(1)), "nothing ran, so the session lives on");
    let almost = format!("{comment}{}\n6 * 7", " ".repeat((10 << 20) - 100));
    assert_eq!(sandbox.run(&almost).unwrap().value, Some(json!(42)), "up to the limit it runs");
}

#[scenario]
fn empty_code_is_a_valid_program(case: &Case) {
    let result = case.sandbox().run("").unwrap();
    assert!(result.success(), "{result:?}");
    assert_eq!((result.value, &*result.stdout, &*result.stderr), (None, "", ""));
}
