//! Custom interfaces: their types, functions and resources in programs.

mod byte_server;
mod context;
mod embedder;
mod forecast;
mod meetings;
mod random;
mod rare_types;

use isolette::{RunOptions, policy::Limits};
use isolette_tests::{Case, scenario};
use serde_json::{Value, json};

/// Runs the scenario's program with the forecasts, and returns its value.
fn value_of(case: &Case) -> Value {
    let result = case.builder().capability(forecast::capability()).build().unwrap().run(&case.program()).unwrap();
    result.value.unwrap_or_else(|| panic!("{:?}", result.error))
}

#[scenario(programs = ["capabilities/values"])]
fn capability_functions_take_and_return_typed_values(case: &Case) {
    // False marks a value that did not come back unchanged.
    let value = value_of(case);
    let wrong: Vec<_> = value.as_object().unwrap().iter().filter(|(_, ok)| **ok != json!(true)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(value.as_object().unwrap().len() > 20);
}

#[scenario(programs = ["capabilities/mismatches"])]
fn values_that_do_not_fit_their_type_are_refused(case: &Case) {
    let reported = value_of(case);
    insta::assert_snapshot!(format!("mismatches-{}", case.language), reported.as_str().unwrap());
}

#[scenario(programs = ["capabilities/errors"])]
fn interface_errors_carry_their_payload(case: &Case) {
    let reported = value_of(case);
    insta::assert_snapshot!(format!("errors-{}", case.language), reported.as_str().unwrap());
}

#[scenario(programs = ["capabilities/resources"])]
fn resources_are_objects_with_a_lifetime(case: &Case) {
    let (capability, live) = forecast::counted();
    let sandbox = case.builder().capability(capability).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    let value = result.value.unwrap_or_else(|| panic!("{:?}", result.error));
    insta::assert_snapshot!(format!("resources-{}", case.language), value.as_str().unwrap());
    drop(sandbox);
    assert_eq!(live.count(), 0);
}

#[scenario(programs = ["capabilities/modules"])]
fn interfaces_are_importable_modules(case: &Case) {
    let reported = value_of(case);
    insta::assert_snapshot!(format!("modules-{}", case.language), reported.as_str().unwrap());
}

#[scenario(programs = ["capabilities/names"])]
fn keywords_and_builtins_work_as_interface_names(case: &Case) {
    let capability = byte_server::echo(include_str!("names.wit"), "from:await/class");
    let result = case.builder().capability(capability).build().unwrap().run(&case.program()).unwrap();
    assert_eq!(result.value, Some(json!("used")), "{:?}", result.error);
}

#[scenario(programs = ["capabilities/hostile"])]
fn hostile_use_of_an_interface_breaks_only_the_program(case: &Case) {
    assert_eq!(value_of(case), json!("still here"));
}

#[scenario(programs = ["capabilities/help"], only = Python, because = "JavaScript has no help()")]
fn help_shows_interface_types_and_docs(case: &Case) {
    let reported = value_of(case);
    insta::assert_snapshot!("help-python", reported.as_str().unwrap());
}

#[scenario(only = JavaScript, because = "annotations in Python do not need another syntax")]
fn typescript_programs_can_annotate_interface_types(case: &Case) {
    let program = "import { get, type Report } from \"acme:weather/forecast\";\n\
                   const report: Report = get(\"Paris\" as string);\n\
                   result = report.highC as number;";
    let sandbox = case.builder().capability(forecast::capability()).build().unwrap();
    let options = RunOptions::default().filename("program.ts");
    let result = sandbox.run_with(program, options).unwrap();
    assert_eq!(result.value, Some(json!(21.5)), "{:?}", result.error);
}

#[scenario]
fn a_server_reply_that_does_not_fit_the_interface_is_reported(case: &Case) {
    let sandbox = case.builder().capability(byte_server::broken()).build().unwrap();
    for function in ["short", "long", "text", "letter", "choice"] {
        let program = case.pick(
            format!("from acme.broken import parts\nparts.{function}()"),
            format!("require('acme:broken/parts').{function}()"),
        );
        let error = sandbox.run(&program).unwrap().error.unwrap();
        assert_eq!(error.kind, case.pick("SystemError", "InternalError"), "{function}: {}", error.message);
        assert!(error.message.contains("does not match the interface"), "{}", error.message);
    }
}

const BYTES: &str = "package acme:bytes; interface bytes { echo: func(bytes: list<u8>) -> list<u8>; }";

#[scenario]
fn capability_arguments_and_results_of_any_length_arrive(case: &Case) {
    let sandbox = case.builder().capability(byte_server::echo(BYTES, "acme:bytes/bytes")).build().unwrap();
    // About the size of one message, and then several messages. The length is encoded in four bytes.
    let program = case.pick(
        "from acme.bytes.bytes import echo\nimport random\n\
         lengths = [0, 1, 196603, 196604, 196605, 393212, 393213, 1048576, 5000000]\n\
         [n for n in lengths if (data := random.randbytes(n)) and echo(data) != data]",
        "const { echo } = require('acme:bytes/bytes');\n\
         const lengths = [0, 1, 196603, 196604, 196605, 393212, 393213, 1048576, 5000000];\n\
         lengths.filter((n) => {\n\
           const data = new Uint8Array(n);\n\
           for (let at = 0; at < n; at += 9973) data[at] = at % 251;\n\
           const echoed = echo(data);\n\
           return echoed.length !== n || echoed.some((byte, at) => byte !== data[at]);\n\
         })",
    );
    let result = sandbox.run(program).unwrap();
    assert_eq!(result.value, Some(json!([])), "{:?}", result.error);
    let lengths: Vec<u64> = result.calls.iter().map(|call| call.bytes_in).collect();
    assert_eq!(lengths[lengths.len() - 2..], [1_048_580, 5_000_004]);
}

#[scenario]
fn capability_payloads_over_the_limit_are_refused(case: &Case) {
    let mut limits = Limits::default();
    limits.payload = 1 << 20;
    let twice = byte_server::serve(BYTES, "acme:bytes/bytes", |_, arguments, _| {
        let bytes = &arguments[4..];
        Ok([&(2 * bytes.len() as u32).to_le_bytes(), bytes, bytes].concat())
    });
    let sandbox = case.builder().limits(limits).capability(twice).build().unwrap();
    // The arguments are too long, then the result, and then nothing of either is stored.
    let program = case.pick(
        "from acme.bytes.bytes import echo\nfrom isolette import CapabilityError\nreported = []\n\
         for _ in range(3):\n\
         \tfor length in (1200000, 700000, 500000):\n\
         \t\ttry:\n\
         \t\t\treported.append(len(echo(bytes(length))))\n\
         \t\texcept CapabilityError as error:\n\
         \t\t\treported.append(error.kind)\n\
         reported",
        "const { echo } = require('acme:bytes/bytes');\n\
         const reported = [];\n\
         for (let round = 0; round < 3; round++) for (const length of [1200000, 700000, 500000]) {\n\
           try { reported.push(echo(new Uint8Array(length)).length); } catch (error) { reported.push(error.kind); }\n\
         }\n\
         reported",
    );
    let result = sandbox.run(program).unwrap();
    let round = [json!("budget"), json!("budget"), json!(1_000_000)];
    assert_eq!(result.value, Some(json!([round.clone(), round.clone(), round].concat())), "{:?}", result.error);
}

#[scenario]
fn interface_modules_do_not_exist_without_a_capability(case: &Case) {
    let program = case.pick("import acme.weather.forecast", "require('acme:weather/forecast')");
    let error = case.sandbox().run(program).unwrap().error.unwrap();
    assert_eq!(error.kind, case.pick("ModuleNotFoundError", "CapabilityError"), "{}", error.message);
}

#[scenario]
fn a_session_keeps_its_resources_between_runs(case: &Case) {
    let (capability, live) = forecast::counted();
    let sandbox = case.builder().capability(capability).build().unwrap();
    let mut session = sandbox.session().unwrap();
    let first = case.pick(
        "from acme.weather import forecast\nstation = forecast.Station('north')\nforgotten = forecast.Station('south')",
        "var { Station } = require('acme:weather/forecast'); var station = new Station('north'), forgotten = new Station('south'); 1",
    );
    let result = session.run(first).unwrap();
    assert!(result.error.is_none(), "{:?}", result.error);
    assert_eq!(live.count(), 2);
    let second = case.pick("del forgotten\nstation.name()", "forgotten = undefined; station.name()");
    let result = session.run(second).unwrap();
    assert_eq!(result.value, Some(json!("north")), "{:?}", result.error);
    assert_eq!(live.count(), 1);
    drop(session);
    assert_eq!(live.count(), 0);
}

/// The limit of calls of a test.
fn many_calls() -> Limits {
    let mut limits = Limits::default();
    limits.capability_calls = u64::MAX;
    limits
}
