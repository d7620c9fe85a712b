//! The CodeAct provider for agents: its prompts, and the results of a model's programs.

use std::fs;

use isolette::{
    Error, ExecutionResult, Language, Sandbox, Tool, policy::Access, policy::Approval, policy::Decision,
    policy::Limits, policy::Mount,
};
use isolette_agent::{CodeActProvider, EXECUTE_CODE, Guide, OutputLimits, rendering::Rendering};
use isolette_tests::{Case, scenario, shop};
use serde_json::json;

fn provider(case: &Case) -> CodeActProvider {
    let case = *case;
    CodeActProvider::new(move || case.builder())
}

fn succeeded(result: Result<ExecutionResult, Error>) -> ExecutionResult {
    let result = result.unwrap();
    assert!(result.success(), "{result:?}");
    result
}

#[scenario(programs = ["code_act/admins"])]
fn administrators_are_found_and_numbers_multiplied(case: &Case) {
    let provider = provider(case);
    provider.add_tools(shop::calculator());
    let result = succeeded(provider.execute_code_blocking(&case.program()));
    let lines: Vec<_> = result.stdout.lines().collect();
    assert!(
        lines[0].starts_with("Users: [{")
            && lines[0].matches("'role'").count().max(lines[0].matches("\"role\"").count()) == 3
    );
    assert_eq!(lines[1], case.pick("Admins: ['Alice', 'Charlie']", "Admins: [\"Alice\",\"Charlie\"]"));
    assert_eq!(lines[2], case.pick("7 * 6 = 42.0", "7 * 6 = 42"));
    assert_eq!(result.usage.tool_calls, 3);
}

#[scenario(programs = ["code_act/totals", "code_act/totals_remembered"])]
fn grand_totals_are_exact(case: &Case) {
    let provider = provider(case);
    provider.add_tools(shop::tools());
    for ((name, program), calls) in case.programs().zip([36, 26]) {
        let result = succeeded(provider.execute_code_blocking(&program));
        assert_eq!(result.value, Some(json!(shop::TOTALS)), "{name}");
        assert_eq!(result.usage.tool_calls, calls, "{name}");
        assert!(result.calls.iter().all(|call| call.outcome.as_str() == "ok" && call.target.starts_with("shop.")));
    }
}

#[scenario]
fn provided_tools_can_change_between_runs(case: &Case) {
    let provider = provider(case);
    let answer = |answer: &'static str| {
        Tool::from_schema("answer", "Answers", json!({"type": "object"}), move |_| Ok::<_, String>(json!(answer)))
            .unwrap()
    };
    let call = "call_tool('answer')";
    provider.add_tools([answer("first")]);
    let before = provider.sandbox().unwrap();
    provider.add_tools([answer("second")]);
    assert_eq!(provider.tools().len(), 1, "the same name replaces");
    assert_eq!(succeeded(provider.execute_code_blocking(call)).value, Some(json!("second")));
    assert_eq!(succeeded(before.run(call)).value, Some(json!("first")), "what has begun keeps what it had");
    provider.remove_tool("answer").unwrap();
    let error = provider.execute_code_blocking(call).unwrap().error.unwrap();
    assert!(error.message.contains("unknown tool: answer"), "{}", error.message);

    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("note.txt"), "here").unwrap();
    let read = "read_file('/data/note.txt')";
    provider.add_file_mounts([Mount::new(folder.path(), "/data", Access::ReadOnly).unwrap()]);
    assert_eq!(succeeded(provider.execute_code_blocking(read)).value, Some(json!("here")));
    provider.clear_file_mounts();
    assert!(provider.execute_code_blocking(read).unwrap().error.is_some());

    provider.add_allowed_domains(["GET api.example.com", "https://other.example"].map(|rule| rule.parse().unwrap()));
    provider.add_allowed_domains(["GET,POST api.example.com".parse().unwrap()]);
    let rules: Vec<_> = provider.allowed_domains().iter().map(ToString::to_string).collect();
    assert_eq!(rules, ["GET,POST api.example.com", "https://other.example"]);
    provider.remove_allowed_domain("api.example.com").unwrap();
    assert_eq!(provider.allowed_domains().len(), 1);

    let nested = Tool::from_schema(EXECUTE_CODE, "", json!({}), Ok::<_, String>).unwrap();
    provider.add_tools([nested]);
    assert!(provider.tools().is_empty(), "a program does not start programs");
}

#[scenario]
fn removing_an_unknown_tool_is_an_error(case: &Case) {
    let provider = provider(case);
    let message = |result: Result<(), Error>| result.unwrap_err().to_string();
    let cases = [
        (message(provider.remove_tool("x")), "No managed tool named 'x' is registered."),
        (message(provider.remove_file_mount("/data")), "No file mount exists for '/data'."),
        (message(provider.remove_allowed_domain("a.example")), "No allowed domain exists for 'a.example'."),
    ];
    for (message, expected) in cases {
        assert!(message.starts_with(expected), "{message}");
    }
}

/// With one item of each kind.
fn rich(case: &Case, folder: &std::path::Path) -> Sandbox {
    let mut limits = Limits::default();
    limits.tool_calls = 50;
    case.builder()
        .limits(limits)
        .tools(shop::calculator().into())
        .tool(
            Tool::from_schema(
                "mail.send",
                "Sends a mail. It cannot be called back.",
                json!({"type": "object"}),
                Ok::<_, String>,
            )
            .unwrap()
            .with_approval(),
        )
        .mount(folder, "/data", Access::ReadOnly)
        .temp_output()
        .allow("GET https://api.example.com/v1")
        .allow("*.example.org")
        .variable("BASE_URL", "https://api.example.com/v1")
        .build()
        .unwrap()
}

#[scenario]
fn the_prompt_describes_the_effective_settings(case: &Case) {
    let folder = tempfile::tempdir().unwrap();
    let sandbox = rich(case, folder.path());
    let guide = Guide::new(&sandbox);
    let texts =
        [guide.instructions(false), guide.instructions(true), guide.syntax(), guide.of_session().instructions(false)];
    let text = texts.join("\n\n======\n\n");
    assert!(!text.contains(folder.path().to_str().unwrap()), "paths of the host are not shown");
    // Versions of bundled packages depend on the image.
    insta::with_settings!({filters => vec![(r"(certifi|charset-normalizer|httpx|idna|requests|tzdata|urllib3) \d+(\.\d+)*", "$1 <version>")]}, {
        insta::assert_snapshot!(format!("guide_{}", case.language), text);
    });
}

#[scenario(programs = ["code_act/version"])]
fn the_prompt_names_the_interpreter_version(case: &Case) {
    let version = succeeded(case.sandbox().run(&case.program())).value;
    let version = version.as_ref().and_then(|version| version.as_str()).expect("a text");
    let reported = Guide::new(&case.sandbox()).description();
    assert!(reported.contains(version), "it is {version}, and the prompt says:\n{reported}");
}

#[scenario]
fn the_prompt_omits_unavailable_features(case: &Case) {
    let text = Guide::new(&case.sandbox()).description();
    for absent in ["/input", "/output", "calls of tools", "requests,", "agree", "BASE_URL"] {
        assert!(!text.contains(absent), "`{absent}`: {text}");
    }
    assert!(text.contains("every request is denied"), "{text}");
    if case.language == Language::JavaScript {
        let typescript = case.builder().language(Language::TypeScript).build().unwrap();
        let text = Guide::new(&typescript).description();
        assert!(text.contains("TypeScript program") && text.contains("Types are removed"), "{text}");
        assert!(!text.contains("keyword arguments"), "{text}");
    }
}

#[scenario]
fn a_thousand_tools_do_not_flood_the_prompt(case: &Case) {
    let tool = |number: usize| {
        let name = format!("{}.tool_{number}", ["github", "mail", "calendar"][number % 3]);
        Tool::from_schema(&name, &"Does something. ".repeat(20), json!({"type": "object"}), Ok::<_, String>).unwrap()
    };
    for count in [3, 40, 150, 1000] {
        let provider = provider(case);
        provider.add_tools((0..count).map(tool));
        let text = provider.execute_code_description().unwrap();
        assert!(text.len() < 9_000, "{count} tools take {} bytes", text.len());
        assert!(text.contains("tools.search("), "{text}");
        match count {
            1000 => assert!(text.contains("There are 1000 tools") && text.contains("334 in `github`"), "{text}"),
            150 => assert!(text.contains("mail") && !text.contains("function tool_"), "{text}"),
            _ => assert!(text.contains("tool_2"), "{text}"),
        }
    }
}

#[scenario]
fn whole_programs_can_require_approval(case: &Case) {
    let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = asked.clone();
    let case = *case;
    let provider = CodeActProvider::new(move || {
        let seen = seen.clone();
        case.builder().approver(move |request| {
            seen.lock().unwrap().push((request.capability.as_str(), request.arguments.clone()));
            let hostile = request.arguments["code"].as_str().is_some_and(|code| code.contains("evil"));
            async move { if hostile { Decision::deny("not today") } else { Decision::Allow } }
        })
    })
    .with_bundled_approval(true);
    assert!(!provider.approval_required().unwrap());
    let send = Tool::from_schema("send_email", "Sends", json!({"type": "object"}), |_| Ok::<_, String>(json!("sent")))
        .unwrap();
    provider.add_tools([send.with_approval()]);
    assert!(provider.approval_required().unwrap(), "even if no program calls it");
    assert_eq!(provider.sandbox().unwrap().explain().policy.approval, Approval::Always);
    let program = "call_tool('send_email')";
    assert_eq!(succeeded(provider.execute_code_blocking(program)).value, Some(json!("sent")));
    let refused = provider.execute_code_blocking("'evil'").unwrap_err();
    assert!(matches!(&refused, Error::NotApproved { message } if message == "not today"), "{refused}");
    let asked = asked.lock().unwrap();
    assert_eq!(*asked, [("program", json!({"code": program})), ("program", json!({"code": "'evil'"}))]);
}

#[scenario]
fn a_policy_rule_overrides_the_approval_of_a_program(case: &Case) {
    let case = *case;
    let provider = CodeActProvider::new(move || {
        let rules = ["deny send_email", "allow *"].map(|rule| rule.parse().unwrap());
        case.builder().approval(Approval::Rules(rules.into())).approver(async |_| Decision::Allow)
    })
    .with_bundled_approval(true);
    let tool = |name: &str| {
        Tool::from_schema(name, "", json!({"type": "object"}), |_| Ok::<_, String>(json!("done"))).unwrap()
    };
    provider.add_tools([tool("send_email").with_approval(), tool("look")]);
    assert_eq!(succeeded(provider.execute_code_blocking("call_tool('look')")).value, Some(json!("done")));
    let refused = provider.execute_code_blocking("call_tool('send_email')").unwrap();
    assert!(!refused.success(), "{refused:?}");
    assert_eq!(refused.calls[0].approval.map(|approval| approval.as_str()), Some("refused-by-rule"));
}

#[scenario]
fn a_blank_program_is_refused(case: &Case) {
    let error = provider(case).execute_code_blocking(" \n").unwrap_err();
    assert!(error.to_string().starts_with("Parameter 'code' must not be empty."), "{error}");
}

#[scenario]
fn too_many_or_oversized_files_are_an_error(case: &Case) {
    let case = *case;
    let mut limits = OutputLimits::default();
    (limits.file_bytes, limits.total_bytes) = (1000, 3000);
    let provider = CodeActProvider::new(move || case.builder().temp_output()).with_output_limits(limits);
    let write = |count: u32, bytes: u32| {
        case.pick(
            format!(
                "print('written')\nfor n in range({count}):\n    open(f'/output/{{n}}', 'w').write('x' * {bytes})\n'value'"
            ),
            format!(
                "console.log('written');\nfor (let n = 0; n < {count}; n++) write_file(`/output/${{n}}`, 'x'.repeat({bytes}));\n'value'"
            ),
        )
    };
    for (count, bytes, expected) in [
        (20, 150, None),
        (21, 1, Some("the program left 21 files in /output, the limit is 20")),
        (1, 1001, Some("/output/0 is 1001 bytes, the limit for one file is 1000")),
        (4, 1000, Some("the files in /output are 4000 bytes together, the limit is 3000")),
    ] {
        let result = provider.execute_code_blocking(&write(count, bytes)).unwrap();
        let reported =
            result.error.as_ref().map(|error| (&*error.kind, error.message.lines().next().unwrap_or_default()));
        assert_eq!(reported, expected.map(|message| ("OutputLimit", message)));
        assert_eq!(result.success(), expected.is_none());
        // Other content is kept.
        assert_eq!((&*result.stdout, &result.value), ("written\n", &Some(json!("value"))));
    }
}

#[scenario]
fn long_output_is_clipped_and_counted(case: &Case) {
    let program = case.pick(
        "print('x' * 999)\nresult = 'done, with the password hunter2'",
        "console.log('x'.repeat(999));\nresult = 'done, with the password hunter2'",
    );
    let result = succeeded(case.sandbox().run(program));
    let rendering = Rendering::new().limit(100).secrets(["hunter2"]);
    let rendered = rendering.render(Ok(&result), |part, _| Some(format!("resource {part}")));
    assert_eq!(rendered.stdout.omitted, 900);
    assert!(
        rendered.text.contains("[900 of 1000 characters left out; all of it is in resource stdout]"),
        "{}",
        rendered.text
    );
    assert!(rendered.text.contains("done, with the password [redacted]"), "{}", rendered.text);
}
