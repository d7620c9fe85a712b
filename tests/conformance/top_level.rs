//! The top level of JavaScript programs: scripts, modules, and programs of a session.

use isolette::RunOptions;
use isolette_tests::{Case, scenario};
use serde_json::json;

#[scenario(only = JavaScript, because = "Python has no sloppy mode")]
fn programs_with_imports_run_in_strict_mode(case: &Case) {
    let sandbox = case.sandbox();
    let strict = "(function () { return this === undefined; })()";
    for (program, expected) in [
        (strict.to_owned(), false),
        (format!("import 'fs';\n{strict}"), true),
        (format!("export const a = 1;\n{strict}"), true),
        (format!("import.meta.url;\n{strict}"), true),
        (format!("await import('fs');\n{strict}"), false),
        (format!("if (false) return;\n{strict}"), false),
        (format!("'use strict';\nif (false) return;\n{strict}"), true),
    ] {
        assert_eq!(sandbox.run(&program).unwrap().value, Some(json!(expected)), "{program}");
        let options = RunOptions::new().filename("program.ts");
        assert_eq!(
            sandbox.run_with(&program, options).unwrap().value,
            Some(json!(expected)),
            "{program} in TypeScript"
        );
    }
    let error = sandbox.run("import fs from 'fs';\nfs = 1").unwrap().error.unwrap();
    assert_eq!((&*error.kind, error.line), ("TypeError", Some(2)));
}

#[scenario(only = JavaScript, because = "Python runs an import where it stands")]
fn imports_are_resolved_before_the_program_runs(case: &Case) {
    let sandbox = case.sandbox();
    let late = sandbox.run("const joined = join('a', 'b');\nimport { join } from 'path';\njoined").unwrap();
    assert_eq!(late.value, Some(json!("a/b")));
    let missing = sandbox.run("\nimport { nothing } from 'fs';").unwrap().error.unwrap();
    assert_eq!((&*missing.kind, missing.line), ("SyntaxError", Some(2)));
    assert_eq!(missing.message, "The requested module 'fs' does not provide an export named 'nothing'");
}

#[scenario(only = JavaScript, because = "the names are those of Node")]
fn a_program_knows_its_file_name(case: &Case) {
    let sandbox = case.builder().temp_output().build().unwrap();
    let options = || RunOptions::new().filename("report.js");
    let result =
        sandbox.run_with("[__filename, __dirname, process.argv[1], require.main === module]", options()).unwrap();
    assert_eq!(result.value, Some(json!(["/output/report.js", "/output", "/output/report.js", true])));
    let result = sandbox.run_with("[import.meta.url, import.meta.filename, import.meta.dirname]", options()).unwrap();
    assert_eq!(result.value, Some(json!(["file:///output/report.js", "/output/report.js", "/output"])));
}

#[scenario(only = JavaScript, because = "Python has no constants")]
fn constants_stay_constant_in_a_session(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    assert!(session.run("const fixed = 1; let open = 2; class Kind {}").unwrap().success());
    for program in ["fixed = 2", "const other = 1; other = 2", "if (true) { fixed += 1; }\nreturn"] {
        assert_eq!(session.run(program).unwrap().error.unwrap().kind, "TypeError", "{program}");
    }
    for program in ["early; let early = 1", "new Early(); class Early {}"] {
        assert_eq!(session.run(program).unwrap().error.unwrap().kind, "ReferenceError", "{program}");
    }
    assert_eq!(session.run("open += fixed; [open, typeof Kind]").unwrap().value, Some(json!([3, "function"])));
}

#[scenario(only = JavaScript, because = "Python does not declare its names")]
fn session_names_can_be_declared_with_any_keyword(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    let ways = [
        "let name = 1",
        "const name = 1",
        "class name {}",
        "function name() {}",
        "var name = 1",
        "let name = 1; if (true) return name",
        "import { sep as name } from 'path'",
    ];
    for before in ways {
        for after in ways {
            assert!(session.run(before).unwrap().error.is_none(), "{before}");
            assert!(session.run(after).unwrap().error.is_none(), "{after} after {before}");
        }
    }
    session.run("let kept = 5").unwrap();
    assert_eq!(session.run("var kept; kept").unwrap().value, Some(json!(5)));
    session.run("let kept = 6").unwrap();
    assert_eq!(session.run("kept").unwrap().value, Some(json!(6)));
    let options = RunOptions::new().variable("kept", 7);
    assert_eq!(session.run_with("kept", options).unwrap().value, Some(json!(7)));
}

#[scenario(only = JavaScript, because = "Python does not declare its names")]
fn redeclaring_a_name_is_a_syntax_error(case: &Case) {
    let result = case.sandbox().run("let name = 1; (0, eval)('var name = 2')").unwrap();
    assert_eq!(result.error.unwrap().kind, "SyntaxError");
    for name in ["undefined", "NaN", "Infinity"] {
        let result = case.sandbox().run(&format!("let {name} = 1")).unwrap();
        assert_eq!(result.error.unwrap().kind, "SyntaxError", "{name}");
    }
}

#[scenario(only = JavaScript, because = "Python is not compiled from another language")]
fn errors_in_typescript_have_source_lines(case: &Case) {
    let sandbox = case.sandbox();
    let options = || RunOptions::new().filename("program.ts");
    let head =
        "import { join } from 'path';\nenum Kind {\n  A,\n  B,\n}\nnamespace Space {\n  export const a = 1;\n}\n";
    for (body, line, column) in [
        ("const unset: Kind | null = null;\nunset!.toFixed();", 10, 8),
        (
            "class Point {\n  constructor(\n    public x: number,\n  ) {\n    throw new Error('no');\n  }\n}\nnew Point(1);",
            13,
            11,
        ),
        ("function fail(kind: Kind): never {\n\n  throw new TypeError(`${kind}`);\n}\nfail(Kind.B);", 11, 9),
        ("const text = `\n\n${Kind.A}`;\ntext.missing();", 12, 6),
    ] {
        let error = sandbox.run_with(&format!("{head}{body}"), options()).unwrap().error.unwrap();
        assert_eq!(error.line, Some(line), "{body}\n{}", error.traceback);
        let place = format!("program.ts:{line}:{column}");
        assert!(error.traceback.contains(&place), "{place} is not in {}", error.traceback);
    }
    let error = sandbox.run_with(&format!("{head}let = = 1"), options()).unwrap().error.unwrap();
    assert_eq!((&*error.kind, error.line), ("SyntaxError", Some(9)));
    // The lines of a later program with the same name are not mapped if it needs no compiler.
    let mut session = sandbox.session().unwrap();
    session.run_with(&format!("{head}Kind"), options()).unwrap();
    let error = session.run_with("const a: number = 1;\nthrow new Error('no')", options()).unwrap().error.unwrap();
    assert_eq!(error.line, Some(2));
}

#[scenario(only = JavaScript, because = "the modules are those of Node")]
fn importing_an_unavailable_module_gives_a_hint(case: &Case) {
    let sandbox = case.sandbox();
    for name in ["child_process", "node:net", "worker_threads", "http", "express", "./helper", "zlib", "vm"] {
        for program in [format!("require('{name}')"), format!("import '{name}'"), format!("await import('{name}')")] {
            let error = sandbox.run(&program).unwrap().error.unwrap();
            let bare = name.trim_start_matches("node:");
            let reported = [name, bare].map(|name| format!("Cannot find module '{name}'\nhint: "));
            assert!(reported.iter().any(|reported| error.message.starts_with(reported)), "{}", error.message);
        }
    }
}

#[scenario(only = JavaScript, because = "the functions are those of Node")]
fn relative_paths_start_in_a_writable_directory(case: &Case) {
    let program = "require('fs').writeFileSync('made.txt', 'content'); \
                   [process.cwd(), require('path').resolve('x'), require('fs').readFileSync('./made.txt', 'utf8')]";
    let with_output = case.builder().temp_output().build().unwrap().run(program).unwrap();
    assert_eq!(with_output.value, Some(json!(["/output", "/output/x", "content"])));
    assert_eq!(with_output.files.len(), 1);
    let without = case.sandbox().run(program).unwrap();
    assert_eq!(without.value, Some(json!(["/tmp", "/tmp/x", "content"])));
}
