//! Integers keep all their digits wherever they enter or leave, or are refused with an error that names their place.

use isolette::{
    RunOptions, SandboxBuilder, Tool,
    audit::{Audit, RecordedArguments},
};
use isolette_tests::{Case, host_test, isolette as program, scenario};
use proptest::{
    prelude::*,
    strategy::ValueTree as _,
    test_runner::{Config, TestRunner},
};
use serde_json::{Value, json};

use crate::audit::Kept;

/// Integers of both kinds: those of 64 bits, and others.
const INTEGERS: [&str; 24] = [
    "0",
    "-1",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "-9007199254740993",
    "1234567890123456789",
    "1000000000000000000",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "100000000000000000000",
    "100000000000000000001",
    "-100000000000000000001",
    "1000000000000000000000",
    "10000000000000000000000",
    "12345678901234567890123456789",
    "340282366920938463463374607431768211455",
    "10000000000000000000000000000000000000000",
    "-10000000000000000000000000000000000000000",
    "1180591620717411303424",
];

fn fits(digits: &str) -> bool {
    digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok()
}

fn echo(builder: SandboxBuilder) -> SandboxBuilder {
    let schema = json!({"type": "object", "properties": {"value": {}}, "required": ["value"]});
    let echo = |arguments: Value| Ok::<_, String>(arguments["value"].clone());
    builder.tool(Tool::from_schema("echo", "Gives back", schema, echo).unwrap())
}

/// Some values of a strategy.
fn samples<S: Strategy>(strategy: &S, count: usize) -> Vec<S::Value> {
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

#[scenario(programs = ["exact_numbers/tools"])]
fn integers_go_through_tools_with_all_digits_or_are_refused(case: &Case) {
    let sandbox = echo(case.builder()).build().unwrap();
    let mut integers: Vec<String> = INTEGERS.map(str::to_owned).to_vec();
    integers.extend(samples(&"-?[1-9][0-9]{0,40}", 60));
    let options = RunOptions::new().variable("integers", integers.clone());
    let result = sandbox.run_with(&case.program(), options).unwrap();
    let found = result.value.clone().unwrap_or_else(|| panic!("{:?}", result.error));
    assert_eq!(found.as_array().unwrap().len(), integers.len());
    for ways in found.as_array().unwrap() {
        let digits = ways["digits"].as_str().unwrap();
        for (way, outcome) in ways.as_object().unwrap() {
            let outcome = outcome.as_str().unwrap();
            match fits(digits) || way == "text" || way == "digits" {
                true => assert_eq!(outcome, digits, "{way}"),
                false => {
                    let place = match (&**way, case.pick(true, false)) {
                        ("nested", _) => "arguments.value.list[1][\"a b\"]",
                        ("positional", false) => "arguments.value[0]",
                        _ => "arguments.value",
                    };
                    assert!(outcome.contains(place) && outcome.contains(digits), "{way} of {digits}: {outcome}");
                    assert!(outcome.contains("as text"), "{way} of {digits}: {outcome}");
                }
            }
        }
    }
}

/// Documents with integers of any size, and floats that both languages write in the same way.
fn documents() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "-?[1-9][0-9]{0,22}",
        "-?[1-9][0-9]{0,2}\\.[0-9]{1,15}[1-9]",
        Just("null".to_owned()),
        Just("true".to_owned()),
        any::<String>().prop_map(|text| Value::from(text).to_string()),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::btree_map("[a-z]{1,4}", inner, 0..4).prop_map(|members| {
                let members = members.into_iter().map(|(name, value)| format!("{}: {value}", json!(name)));
                format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
            }),
        ]
    })
}

#[scenario(programs = ["exact_numbers/documents"])]
fn documents_go_through_tools_unchanged_or_are_refused(case: &Case) {
    let sandbox = echo(case.builder()).build().unwrap();
    let documents = samples(&documents(), 150);
    let options = RunOptions::new().variable("documents", documents.clone());
    let result = sandbox.run_with(&case.program(), options).unwrap();
    let found = result.value.clone().unwrap_or_else(|| panic!("{:?}", result.error));
    let mut refused = 0;
    for (document, differs) in documents.iter().zip(found.as_array().unwrap()) {
        let Some(error) = differs.as_str() else { continue };
        refused += 1;
        assert!(
            error.contains("arguments.value") && error.contains("an integer of more than 64 bits"),
            "{document}: {error}"
        );
    }
    assert!(refused < documents.len());
}

#[scenario]
fn results_of_typed_tools_keep_their_digits_or_name_the_place(case: &Case) {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Power {
        exponent: u32,
    }
    #[derive(serde::Serialize, schemars::JsonSchema)]
    struct Powers {
        powers: Vec<u128>,
    }
    let power = |Power { exponent }| Ok::<_, String>(Powers { powers: vec![1, 2_u128.pow(exponent) - 1] });
    let sandbox = case.builder().tool_typed("power", "Powers of two, less one", power).build().unwrap();
    let call = |exponent| {
        case.pick(
            format!("str(call_tool('power', exponent={exponent})['powers'][1])"),
            format!("String(call_tool('power', {{ exponent: {exponent} }}).powers[1])"),
        )
    };
    assert_eq!(sandbox.run(&call(64)).unwrap().value, Some(json!("18446744073709551615")));
    let error = sandbox.run(&call(70)).unwrap().error.unwrap();
    let expected = "`result.powers[1]` is 1180591620717411303423, an integer of more than 64 bits";
    assert!(error.message.contains(expected), "{}", error.message);
}

#[scenario]
fn variables_and_values_have_all_digits(case: &Case) {
    let integers = json!({"list": [i64::MIN, i64::MAX, u64::MAX, 9_007_199_254_740_993_i64, 1, 1e300]});
    let sandbox = echo(case.builder()).build().unwrap();
    let run = |code| sandbox.run_with(code, RunOptions::new().variable("given", integers.clone())).unwrap();
    let result = run("given");
    assert_eq!((result.value, result.value_exact), (Some(integers.clone()), true));
    let result = run(case.pick("call_tool('echo', value=given)", "call_tool('echo', { value: given })"));
    assert_eq!((result.value, result.value_exact), (Some(integers.clone()), true));
    let text = run(case.pick("import json\njson.dumps(given['list'][:4])", "JSON.stringify(given.list.slice(0, 4))"));
    let text = text.value.unwrap().as_str().unwrap().replace(' ', "");
    assert_eq!(text, "[-9223372036854775808,9223372036854775807,18446744073709551615,9007199254740993]");
}

#[scenario]
fn integers_that_no_reader_has_are_values_as_text(case: &Case) {
    let sandbox = case.sandbox();
    let mut integers: Vec<String> = INTEGERS.map(str::to_owned).to_vec();
    integers.extend(samples(&"-?[1-9][0-9]{0,40}", 20));
    for digits in &integers {
        let expressions = case.pick(
            [digits.clone(), format!("[1, {{'a': ({digits},)}}]"), format!("{{{digits}: 1}}")],
            [format!("{digits}n"), format!("[1, {{ a: [{digits}n] }}]"), format!("({{ '{digits}': {digits}n }})")],
        );
        for (index, expression) in expressions.iter().enumerate() {
            let result = sandbox.run(expression).unwrap();
            let value = result.value.unwrap();
            // Keys of other types than text are printed.
            let is_exact = fits(digits) && (index < 2 || case.pick(false, true));
            assert_eq!(result.value_exact, is_exact, "{expression}: {value}");
            assert!(value.is_string() != is_exact, "{expression}: {value}");
            assert!(value.to_string().contains(digits.as_str()), "{expression}: {value}");
        }
    }
}

#[scenario(only = Python, because = "it has other kinds of numbers that are integers")]
fn integers_of_other_types_are_values_with_all_digits(case: &Case) {
    let sandbox = echo(case.builder()).build().unwrap();
    for (code, expected, exact) in [
        ("import enum\nclass E(enum.IntEnum):\n    A = 2**64 - 1\n[E.A]", json!([u64::MAX]), true),
        ("from decimal import Decimal\nDecimal(10**20 + 1)", json!("Decimal('100000000000000000001')"), false),
        (
            "from fractions import Fraction\n[Fraction(10**20 + 1)]",
            json!("[Fraction(100000000000000000001, 1)]"),
            false,
        ),
        ("{2**70: True}", json!("{1180591620717411303424: True}"), false),
        ("[True, 2**63]", json!([true, 1_u64 << 63]), true),
    ] {
        let result = sandbox.run(code).unwrap();
        assert_eq!((result.value, result.value_exact), (Some(expected), exact), "{code}");
    }
    let code = "import enum\nclass E(enum.IntEnum):\n    A = 10**20 + 1\ncall_tool('echo', value=[E.A])";
    let error = sandbox.run(code).unwrap().error.unwrap();
    assert!(error.message.contains("`arguments.value[0]` is 100000000000000000001, "), "{}", error.message);
}

#[scenario]
fn schemas_compare_integers_with_all_digits(case: &Case) {
    let schema = json!({
        "type": "object",
        "properties": {
            "bounded": {"type": "integer", "maximum": 9_007_199_254_740_992_i64},
            "exact": {"const": 9_007_199_254_740_993_i64},
            "one_of": {"enum": [u64::MAX]},
            "list": {"type": "array", "uniqueItems": true},
        },
    });
    let accept = |_| Ok::<_, String>(json!("accepted"));
    let sandbox = case.builder().tool(Tool::from_schema("accept", "", schema, accept).unwrap()).build().unwrap();
    for (name, value, accepted) in [
        ("bounded", json!(9_007_199_254_740_992_i64), true),
        ("bounded", json!(9_007_199_254_740_993_i64), false),
        ("exact", json!(9_007_199_254_740_993_i64), true),
        ("exact", json!(9_007_199_254_740_992_i64), false),
        ("one_of", json!(u64::MAX), true),
        ("one_of", json!(u64::MAX - 1), false),
        ("list", json!([u64::MAX, u64::MAX - 1, 9_007_199_254_740_993_i64, 9_007_199_254_740_992_i64]), true),
    ] {
        let code = case.pick(
            format!("call_tool('accept', {{'{name}': given}})"),
            format!("call_tool('accept', {{ {name}: given }})"),
        );
        let result = sandbox.run_with(&code, RunOptions::new().variable("given", value.clone())).unwrap();
        assert_eq!(result.error.is_none(), accepted, "{name}: {value}: {:?}", result.error);
        if let Some(error) = result.error {
            assert!(error.message.contains(name), "{}", error.message);
        }
    }
}

#[scenario]
fn an_audit_has_the_digits_of_refused_arguments(case: &Case) {
    let kept = Kept::default();
    let audit = Audit::new(kept.clone()).unwrap();
    let builder = echo(case.builder()).audit(&audit).record_arguments(RecordedArguments::Whole);
    let code = case.pick("call_tool('echo', value=10**20 + 1)", "call_tool('echo', { value: 2 ** 60 })");
    builder.build().unwrap().run(code).unwrap();
    let calls = kept.calls();
    let expected = case.pick(json!("{\"value\":100000000000000000001}"), json!({"value": 1_u64 << 60}));
    assert_eq!(calls[0]["arguments"], expected, "{calls:?}");
}

#[scenario(only = JavaScript, because = "its numbers do not have all digits, and it has BigInt")]
fn javascript_announces_integers_that_numbers_do_not_have(case: &Case) {
    let sandbox = echo(case.builder())
        .tool(
            Tool::from_schema("user", "", json!({}), |_| {
                Ok::<_, String>(json!({"id": 1_234_567_890_123_456_789_i64, "age": 5}))
            })
            .unwrap(),
        )
        .build()
        .unwrap();
    let run = |code: &str| {
        let result = sandbox.run(code).unwrap();
        assert!(result.error.is_none(), "{code}: {:?}", result.error);
        result
    };
    let result = run(
        "const user = call_tool('user', {}); call_tool('user'); console.log(user.id, user.age, `${user.id}`, JSON.stringify(user)); typeof user.id",
    );
    assert_eq!(result.stdout, "1234567890123456789n 5 1234567890123456789 {\"id\":1234567890123456789,\"age\":5}\n");
    assert_eq!(result.value, Some(json!("bigint")));
    assert_eq!(result.stderr.matches("note: ").count(), 1, "{}", result.stderr);
    assert!(
        result.stderr.contains("the result of tool 'user'") && result.stderr.contains("1234567890123456789"),
        "{}",
        result.stderr
    );
    // The same digits go back, in any form that has them.
    for value in ["call_tool('user', {}).id", "1234567890123456789n", "JSON.rawJSON('1234567890123456789')"] {
        let result = run(&format!("call_tool('echo', {{ value: {value} }}) === 1234567890123456789n"));
        assert_eq!(result.value, Some(json!(true)), "{value}");
    }
    // A number is sent as what it is, and announced if it may have lost digits.
    let result = run("call_tool('echo', { value: [1234567890123456789] })");
    assert_eq!(result.value, Some(json!([1_234_567_890_123_456_768_i64])));
    assert!(
        result.stderr.contains("arguments.value[0]") && result.stderr.contains("1234567890123456768"),
        "{}",
        result.stderr
    );
    for (value, expected) in [
        ("2 ** 53", json!(1_u64 << 53)),
        ("1e18", json!(1_000_000_000_000_000_000_u64)),
        ("1e20", json!(1e20)),
        ("-0.5", json!(-0.5)),
    ] {
        let result = run(&format!("call_tool('echo', {{ value: {value} }})"));
        assert_eq!(result.value, Some(expected), "{value}");
    }
    // Without such an integer, nothing is said, and the language is as it is.
    let result = run(
        "let e; try { JSON.stringify(1n) } catch (error) { e = error.name } [call_tool('echo', { value: [1, null, '12345678901234567890'] }), e]",
    );
    assert_eq!((result.value, &*result.stderr), (Some(json!([[1, null, "12345678901234567890"], "TypeError"])), ""));
}

#[scenario(only = JavaScript, because = "JSON of Python refuses them in the guest already")]
fn javascript_refuses_arguments_that_json_does_not_have(case: &Case) {
    let sandbox = echo(case.builder()).build().unwrap();
    for (value, place, shown) in [
        ("10n ** 20n", "arguments.value", "100000000000000000000"),
        ("{ a: [1, -(2n ** 64n)] }", "arguments.value.a[1]", "-18446744073709551616"),
        ("1e999", "arguments.value", "Infinity"),
        ("[null, { 'a b': NaN }]", "arguments.value[1][\"a b\"]", "NaN"),
    ] {
        for call in [
            "call_tool('echo', { value: VALUE })",
            "await call_tool_async('echo', { value: VALUE })",
            "tools.echo({ value: VALUE })",
        ] {
            let error = sandbox.run(&call.replace("VALUE", value)).unwrap().error.unwrap();
            assert_eq!(error.kind, "TypeError", "{call} {value}");
            let expected = format!("call_tool('echo', …): {place} is {shown}, ");
            assert!(error.message.starts_with(&expected) && error.message.contains("hint: "), "{}", error.message);
        }
    }
}

fn run(arguments: &[&str]) -> (String, String) {
    let output = program().arg("run").args(arguments).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[host_test]
fn variables_of_the_command_line_have_all_digits_or_are_refused() {
    for language in ["python", "javascript"] {
        let print = if language == "python" { "print(id)" } else { "console.log(`${id}`)" };
        for digits in INTEGERS {
            let (stdout, stderr) = run(&["--lang", language, "--var", &format!("id={digits}"), "-c", print]);
            if fits(digits) {
                assert_eq!(stdout.trim(), digits, "{stderr}");
            } else {
                assert!(
                    stdout.is_empty() && stderr.contains(&format!("`id` is {digits}, ")),
                    "{digits}: {stdout}{stderr}"
                );
                assert!(stderr.contains("as text"), "{stderr}");
            }
        }
    }
    for (variable, place) in [
        ("x={\"a\": [1, 1e999]}", "`x.a[1]` is 1e999, "),
        ("x=[100000000000000000001]", "`x[0]` is 100000000000000000001, "),
    ] {
        let (stdout, stderr) = run(&["--var", variable, "-c", "x"]);
        assert!(stdout.is_empty() && stderr.contains(place), "{stdout}{stderr}");
    }
}
