//! Values, exceptions and exit codes of programs.

use isolette::RunOptions;
use isolette_tests::{Case, scenario};
use serde_json::{Value, json};

#[scenario]
fn every_kind_of_json_comes_back(case: &Case) {
    let table = [
        (case.pick("True", "true"), json!(true)),
        (case.pick("False", "false"), json!(false)),
        ("42", json!(42)),
        ("-1.5", json!(-1.5)),
        ("2 ** 53 - 1", json!(9_007_199_254_740_991_i64)),
        ("1e300", json!(1e300)),
        ("'text'", json!("text")),
        ("'\\ud83e\\udd80'.length || 0", json!(2)),
        ("'grüße 世界 🦀'", json!("grüße 世界 🦀")),
        ("0.1 + 0.2", json!(0.30000000000000004)),
        ("5e-324", json!(5e-324)),
        ("1.7976931348623157e308", json!(f64::MAX)),
        (
            case.pick("[2 ** 64 - 1, -(2 ** 63)]", "[2 ** 53, -(2 ** 53)]"),
            case.pick(json!([u64::MAX, i64::MIN]), json!([1u64 << 53, -(1i64 << 53)])),
        ),
        ("[]", json!([])),
        ("[1, 'a', [2, []]]", json!([1, "a", [2, []]])),
        (case.pick("{}", "({})"), json!({})),
        (
            case.pick("{'a': {'b': [1, None]}, 'c': ''}", "({a: {b: [1, null]}, c: ''})"),
            json!({"a": {"b": [1, null]}, "c": ""}),
        ),
        (case.pick("(1, 2)", "[1, 2]"), json!([1, 2])),
    ];
    let sandbox = case.sandbox();
    for (expression, expected) in table {
        if expression.contains(".length ||") && case.pick(true, false) {
            continue;
        }
        let result = sandbox.run(expression).unwrap();
        assert_eq!(result.value, Some(expected), "{expression}");
        assert!(result.value_exact, "{expression}");
    }
}

#[scenario]
fn the_global_result_overrides_the_trailing_expression(case: &Case) {
    let sandbox = case.sandbox();
    assert_eq!(sandbox.run("result = 'set'\n'trailing'").unwrap().value, Some(json!("set")));
    let computed = case.pick("x = 20\nx + 1", "const x = 20;\nx + 1");
    assert_eq!(sandbox.run(computed).unwrap().value, Some(json!(21)));
}

/// Lines of a longer expression can look like assignments and statements, and start where those do.
#[scenario]
fn a_trailing_expression_may_have_lines_that_look_like_statements(case: &Case) {
    let sandbox = case.sandbox();
    let programs: &[&str] = case.pick(
        &[
            "dict(a=1,\nb=2)",
            "dict(\na=1,\nb=2\n)",
            "dict(\na=')(',\nb=2)",
            "dict(\nb='(')",
            "(1 if True\nelse 2)",
            "(1 if True\nelse '(:')",
            "[n\nfor n in range(3)]",
            "{'a': 1\nif True else 2}",
            "str('''\nx = 1''')",
            "str(\"\"\"\nx = 1\n# \"\"\")",
            "1 + \\\nint(x := 2)",
            "x = [1]\nsorted(x,\nkey=lambda n: n)",
            "import os\nstr(\nobject='\\n')",
            "[lambda x=3: x][0](1)",
            "\"\"\"12\" = 30 cm\"\"\"",
            "y = 1\ry + 1",
            "y = 1\n\u{c}y + 1",
            "# \"\"\" doc\nprint(\"\"\"\na = 1 # \"\"\") or 7",
            "s = '\"\"\"'\ns + \"\"\"\na = 1 # \"\"\"",
        ],
        &["Object.assign({a: 1},\n{b: 2})", "[1,\n2].map(n =>\nn)", "`\nx = 1`", "(true ? 1\n: 2)"],
    );
    for program in programs {
        let result = sandbox.run(program).unwrap();
        assert!(result.value.is_some(), "{program}: {result:?}");
    }
    let statements: &[&str] = case.pick(
        &[
            "try: 1\nexcept ValueError: print('(')",
            "x = '''\n'''\ny = '\\n'",
            "if False: 1\nelse: x = {1: 2}",
            "x = [\n1,\n2]",
            "@str\ndef f(): 1",
            "with open('/tmp/x', 'w') as f:\n    f.write(')')",
        ],
        &["var x = 1;", "if (false) 1; else ;", "function f() { return 1 }"],
    );
    for program in statements {
        let result = sandbox.run(program).unwrap();
        assert!(result.error.is_none() && result.value.is_none(), "{program}: {result:?}");
    }
}

#[scenario]
fn a_program_without_a_value_has_none(case: &Case) {
    let sandbox = case.sandbox();
    for program in
        ["", "\n\n", case.pick("# nothing", "// nothing"), case.pick("x = 1", "var x;"), case.pick("None", "undefined")]
    {
        let result = sandbox.run(program).unwrap();
        assert!(result.success(), "{program:?}: {result:?}");
        assert_eq!(result.value, None, "{program:?}");
    }
}

#[scenario(only = JavaScript, because = "it has two kinds of numbers, and prints one of them short")]
fn large_integers_are_exact_or_flagged(case: &Case) {
    let table = [
        ("2 ** 53", json!(9_007_199_254_740_992_u64), true),
        ("2 ** 53 + 2", json!(9_007_199_254_740_994_u64), true),
        ("-(2 ** 55)", json!(-36_028_797_018_963_968_i64), true),
        ("({ a: [2 ** 60, 2 ** 63 + 2048] })", json!({"a": [1_u64 << 60, (1_u64 << 63) + 2048]}), true),
        ("-(2 ** 63)", json!(i64::MIN), true),
        ("-(2 ** 63) - 2048", json!(-9_223_372_036_854_777_856_f64), true),
        ("2 ** 64", json!(18_446_744_073_709_551_616_f64), true),
        ("12345678901234567890123", json!(12_345_678_901_234_567_890_123_f64), true),
        ("5n", json!(5), true),
        ("2n ** 64n - 1n", json!(u64::MAX), true),
        ("2n ** 64n", json!("18446744073709551616n"), false),
        ("[1, 2n]", json!([1, 2]), true),
        ("({ a: -1n })", json!({"a": -1}), true),
        ("[1, 2n ** 64n]", json!("[ 1, 18446744073709551616n ]"), false),
        ("Object(1n)", json!("[BigInt: 1n]"), false),
    ];
    let sandbox = case.sandbox();
    for (expression, expected, exact) in table {
        let result = sandbox.run(expression).unwrap();
        assert_eq!((result.value, result.value_exact), (Some(expected), exact), "{expression}");
    }
}

#[scenario]
fn floats_come_back_exactly(case: &Case) {
    let program = case.pick(
        "import math\nnumbers = [math.sin(n) * 10.0 ** (n % 600 - 300) for n in range(3000)]\n[numbers, [repr(n) for n in numbers]]",
        "const numbers = Array.from({ length: 3000 }, (_, n) => Math.sin(n) * 10 ** ((n % 600) - 300));\n[numbers, numbers.map(String)]",
    );
    let result = case.sandbox().run(program).unwrap();
    assert!(result.value_exact);
    let (numbers, texts): (Vec<f64>, Vec<String>) = serde_json::from_value(result.value.unwrap()).unwrap();
    for (number, text) in numbers.into_iter().zip(texts) {
        assert_eq!(number, text.parse::<f64>().unwrap(), "{text}");
    }
}

#[scenario]
fn values_beyond_json_are_shown_as_text_and_flagged(case: &Case) {
    let table = case.pick(
        [
            ("{1, 2}", "{1, 2}"),
            ("b'ab'", "b'ab'"),
            ("1j", "1j"),
            ("float('nan')", "nan"),
            ("print", "<built-in function print>"),
            ("__import__('datetime').date(2024, 2, 29)", "datetime.date(2024, 2, 29)"),
            ("10 ** 30", "1000000000000000000000000000000"),
            ("{'a': ['1' * 20, 2 ** 64]}", "{'a': ['11111111111111111111', 18446744073709551616]}"),
        ],
        [
            ("new Set([1, 2])", "Set(2) { 1, 2 }"),
            ("/ab/", "/ab/"),
            ("10n ** 30n", "1000000000000000000000000000000n"),
            ("NaN", "NaN"),
            ("Math.max", "[Function: max]"),
            ("Symbol('s')", "Symbol(s)"),
            ("Infinity", "Infinity"),
            ("Object(1n)", "[BigInt: 1n]"),
        ],
    );
    let sandbox = case.sandbox();
    for (expression, shown) in table {
        let result = sandbox.run(expression).unwrap();
        assert_eq!(result.value, Some(json!(shown)), "{expression}");
        assert!(!result.value_exact, "{expression}");
    }
    let circular = case.pick("loop = []\nloop.append(loop)\nloop", "const loop = []; loop.push(loop); loop");
    let result = sandbox.run(circular).unwrap();
    assert!(result.value.is_some_and(|value| value.is_string()) && !result.value_exact);
}

#[scenario]
fn a_value_cannot_be_forged_by_printing(case: &Case) {
    let forged = r#"{"value": 1, "exit_code": 0}"#;
    let program = case.pick(format!("print('{forged}')\n2"), format!("console.log('{forged}'); 2"));
    let result = case.sandbox().run(&program).unwrap();
    assert_eq!(result.value, Some(json!(2)));
    assert_eq!(result.stdout, format!("{forged}\n"));
}

#[scenario]
fn a_long_value_comes_back_complete(case: &Case) {
    let expression =
        case.pick("[{'index': n} for n in range(50_000)]", "Array.from({ length: 50_000 }, (_, index) => ({ index }))");
    let value = case.sandbox().run(expression).unwrap().value.unwrap();
    let expected: Vec<_> = (0..50_000).map(|index| json!({ "index": index })).collect();
    assert_eq!(value, Value::from(expected));
}

#[scenario]
fn an_exception_is_reported_with_its_line(case: &Case) {
    let program = case.pick(
        "def inner():\n    return {}['missing']\n\nprint('before')\ninner()\nprint('after')",
        "function inner() {\n  throw new TypeError('missing');\n}\nconsole.log('before');\ninner();\nconsole.log('after');",
    );
    let result = case.sandbox().run(program).unwrap();
    assert_eq!((&*result.stdout, result.exit_code, &result.value), ("before\n", 1, &None));
    let error = result.error.unwrap();
    assert_eq!(error.kind, case.pick("KeyError", "TypeError"));
    assert_eq!(error.line, Some(2), "where it was raised: {error:?}");
    assert!(
        error.traceback.contains(case.pick("return {}['missing']", "throw new TypeError('missing');")),
        "{}",
        error.traceback
    );
    assert!(error.traceback.contains("inner"), "{}", error.traceback);
    for internal in ["runner", "prelude", "exec(", "componentize"] {
        assert!(!error.traceback.contains(internal), "frames of the machinery are left out: {}", error.traceback);
    }
}

#[scenario(only = JavaScript, because = "the line of Python's own errors is never in doubt")]
fn errors_of_the_javascript_engine_are_reported_with_their_line(case: &Case) {
    const TYPES: &str = "interface Item {\n  name: string;\n  price?: number;\n}\ntype Items = Record<string, Item>;\n";
    let functions = [
        ("const items = null;\n\nitems.first;", 3),
        ("function f(items) {\n  const a = 1;\n  return null.first;\n}\nf();", 3),
        ("async function f(items) {\n  await 1;\n  items.first.name;\n}\nawait f({});", 3),
        ("async function f() {\n  const { name } = null;\n}\nreturn f();", 2),
        ("class A {\n  first() {\n    const a = 1;\n    return this.items.name;\n  }\n}\nnew A().first();", 4),
        ("const f = (items) => {\n  const a = 1;\n  items(\n    a,\n  );\n};\nf();", 3),
        ("[1].map((item) => {\n  const a = item;\n  return a.first.name;\n});", 3),
        ("setTimeout(() => {\n  const a = 1;\n  null.first;\n}, 0);", 3),
        ("await Promise.all([1].map(async (item) => {\n  await 1;\n  item();\n}));", 3),
    ];
    let sandbox = case.sandbox();
    let mut session = sandbox.session().unwrap();
    for (program, line) in functions {
        let error = sandbox.run(program).unwrap().error.unwrap();
        assert_eq!((&*error.kind, error.line), ("TypeError", Some(line)), "{program}");
        let error = session.run(program).unwrap().error.unwrap();
        assert_eq!(error.line, Some(line), "in a session: {program}");
        let typed = format!("{TYPES}{}", program.replace("(items)", "(items?: Items | null)"));
        let result = sandbox.run_with(&typed, RunOptions::new().filename("program.ts")).unwrap();
        assert_eq!(result.error.unwrap().line, Some(line + 5), "{typed}");
    }
}

#[scenario]
fn exit_codes_are_returned(case: &Case) {
    let sandbox = case.sandbox();
    for code in [0, 1, 7, 42, 100] {
        let result =
            sandbox.run(&case.pick(format!("import sys\nsys.exit({code})"), format!("process.exit({code})"))).unwrap();
        assert_eq!((result.exit_code, result.error), (code, None));
    }
    assert_eq!(sandbox.run(case.pick("1 / 0", "null.x")).unwrap().exit_code, 1);
}

#[scenario]
fn any_text_can_be_run(case: &Case) {
    let text = "emoji 🦀👩‍👩‍👧, astral 𝔘, combining é, right-to-left שלום, quotes '\"`, backslash \\, zero-width \u{200b}.";
    let quoted = serde_json::to_string(text).unwrap();
    assert_eq!(case.sandbox().run(&quoted).unwrap().value, Some(json!(text)));
    let with_nul = case.sandbox().run("1 +\0 1").unwrap();
    assert!(with_nul.error.is_some(), "a NUL is no part of either language, and no end of the program: {with_nul:?}");
    let line_ends = case.sandbox().run("\u{feff}x = 1\r\ny = 2\r\nresult = x + y\r\n").unwrap();
    assert_eq!(line_ends.value, Some(json!(3)), "{line_ends:?}");
}

#[scenario]
fn markdown_fences_around_a_program_are_removed(case: &Case) {
    let sandbox = case.sandbox();
    for fence in [case.pick("python", "javascript"), case.pick("py", "js"), ""] {
        let result = sandbox.run(&format!("```{fence}\n6 * 7\n```\n")).unwrap();
        assert_eq!(result.value, Some(json!(42)), "{fence}: {result:?}");
    }
}
