//! Tools of other MCP servers, called by programs.

use std::path::Path;

use isolette::Language;
use isolette_tests::{
    ClientCase, Served, Skipped,
    agents::{Client, Era, HttpServer, Script, python, servers, stdio},
    client_test, guests, host_test,
};
use serde_json::{Value, json};

/// The command that starts the shop.
fn shop() -> Result<String, Skipped> {
    let server = servers().join("shop.py");
    let quoted = |path: &Path| format!("'{}'", path.display());
    Ok(format!("shop={} {}", quoted(&python()?), quoted(&server)))
}

fn serve(case: &ClientCase, arguments: &[&str]) -> Result<Served, Skipped> {
    let shop = shop()?;
    Ok(case.serve(&[&["--mcp-server", &shop], arguments].concat()))
}

fn script(arguments: &[&str]) -> Result<Script, Skipped> {
    let shop = shop()?;
    Ok(Script::new(Client::Python, Era::New, stdio(&[&["--mcp-server", &shop], arguments].concat())))
}

fn run(code: &str) -> Value {
    json!({ "call": "execute_code", "arguments": { "code": code } })
}

fn value(result: &Value) -> &Value {
    assert_eq!(result["isError"], json!(false), "{result}");
    &result["structuredContent"]["value"]
}

#[client_test]
fn users_and_administrators_in_python(case: &ClientCase) -> Result<(), Skipped> {
    let code = "
users = call_tool('shop.fetch_data', table='users')['rows']
admins = [user['name'] for user in users if user['role'] == 'admin']
product = call_tool('shop.compute', operation='multiply', a=7, b=call_tool('shop.compute', operation='multiply', a=3, b=2)['result'])
print('Users:', users)
print('Admins:', admins)
print('7 * 6 =', product['result'])
";
    let replies = serve(case, &[])?.script.step(run(code)).step(json!({ "tools": true })).play()?;
    let stdout = replies.results[0]["structuredContent"]["stdout"].as_str().unwrap();
    let lines: Vec<_> = stdout.lines().collect();
    assert!(lines[0].starts_with("Users: [{'id': 1, 'name': 'Alice', 'role': 'admin'}"), "{stdout}");
    assert_eq!(lines[1..], ["Admins: ['Alice', 'Charlie']", "7 * 6 = 42.0"]);
    let calls: Vec<_> = replies.results[0]["_meta"]["isolette/calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| (call["target"].as_str().unwrap(), call["outcome"].as_str().unwrap()))
        .collect();
    assert_eq!(calls, [("shop.fetch_data", "ok"), ("shop.compute", "ok"), ("shop.compute", "ok")]);
    // The model sees only one tool.
    assert_eq!(replies.results[1]["tools"].as_array().unwrap().len(), 1);
    Ok(())
}

#[client_test]
fn users_and_administrators_in_javascript(case: &ClientCase) -> Result<(), Skipped> {
    let code = "
const users = call_tool('shop.fetch_data', { table: 'users' }).rows;
const admins = users.filter((user) => user.role === 'admin').map((user) => user.name);
const six = await call_tool('shop.compute', { operation: 'multiply', a: 3, b: 2 });
const product = await tools.shop.compute({ operation: 'multiply', a: 7, b: six.result });
console.log('Users:', JSON.stringify(users));
console.log('Admins:', JSON.stringify(admins));
console.log('7 * 6 =', product.result);
";
    let replies =
        serve(case, &["--lang", "javascript"])?.script.step(run(code)).step(json!({ "tools": true })).play()?;
    let structured = &replies.results[0]["structuredContent"];
    let stdout = structured["stdout"].as_str().unwrap();
    let lines: Vec<_> = stdout.lines().collect();
    assert!(lines[0].starts_with(r#"Users: [{"id":1,"name":"Alice","role":"admin"}"#), "{stdout}");
    assert_eq!(lines[1..], [r#"Admins: ["Alice","Charlie"]"#, "7 * 6 = 42"]);
    assert_eq!(structured["usage"]["tool_calls"], 3);
    assert_eq!(replies.results[1]["tools"].as_array().unwrap().len(), 1);
    Ok(())
}

/// The programs of the provider's tests.
#[client_test]
fn grand_totals_with_every_call_style(case: &ClientCase) -> Result<(), Skipped> {
    let served = serve(case, &["--lang", "python", "--lang", "javascript"])?;
    let mut script = served.script;
    let forms = [("code_act/totals", 36), ("code_act/totals_remembered", 26)];
    let languages = [Language::Python, Language::JavaScript];
    let forms: Vec<_> = languages.into_iter().flat_map(|language| forms.map(|form| (language, form))).collect();
    for (language, (name, _)) in &forms {
        let code = guests::read(name, *language);
        script = script.call("execute_code", json!({ "code": code, "language": language.name() }));
    }
    for (result, (language, (name, calls))) in script.play()?.results.iter().zip(forms) {
        assert_eq!(*value(result), json!(isolette_tests::shop::TOTALS), "{name} in {language}");
        assert_eq!(result["structuredContent"]["usage"]["tool_calls"], calls, "{name} in {language}");
    }
    Ok(())
}

#[client_test]
fn the_weather_in_python(case: &ClientCase) -> Result<(), Skipped> {
    let replies = serve(case, &[])?
        .script
        .step(run("w = call_tool('shop.get_weather_for_city', {'city': 'Paris'})\nprint(w)"))
        .step(run("tools.shop.get_weather_for_city(city='Paris')"))
        .step(run("import asyncio
weather = lambda city: asyncio.to_thread(call_tool, 'shop.get_weather_for_city', city=city)
async def main():
    return await asyncio.gather(*map(weather, ['Paris', 'Oslo', 'Lima']))
asyncio.run(main())"))
        .play()?;
    assert_eq!(replies.results[0]["structuredContent"]["stdout"], "Paris: rain, 12 °C\n");
    let call = &replies.results[0]["_meta"]["isolette/calls"];
    assert_eq!((call.as_array().unwrap().len(), &call[0]["target"]), (1, &json!("shop.get_weather_for_city")));
    assert_eq!(*value(&replies.results[1]), json!("Paris: rain, 12 °C"));
    let cities = ["Paris", "Oslo", "Lima"].map(|city| format!("{city}: rain, 12 °C"));
    assert_eq!(*value(&replies.results[2]), json!(cities));
    Ok(())
}

#[client_test]
fn grand_totals_take_36_tool_calls(case: &ClientCase) -> Result<(), Skipped> {
    let code = "
totals = {}
for user in call_tool('shop.list_users'):
    orders = call_tool('shop.get_orders_for_user', user_id=user['id'])
    rates = {
        'discount': call_tool('shop.get_discount_rate', tier=user['tier']),
        'tax': call_tool('shop.get_tax_rate', region=user['region']),
    }
    totals[user['name']] = round(sum(call_tool('shop.compute_line_total', **order, **rates) for order in orders), 2)
sorted(totals.items(), key=lambda entry: -entry[1])
";
    let replies = serve(case, &[])?.script.step(run(code)).play()?;
    let expected = json!([
        ["Diana", 104.40],
        ["George", 52.77],
        ["Charlie", 50.09],
        ["Alice", 48.36],
        ["Fiona", 36.70],
        ["Evan", 21.77],
        ["Hana", 10.35],
        ["Bob", 9.71],
    ]);
    assert_eq!(*value(&replies.results[0]), expected);
    assert_eq!(replies.results[0]["structuredContent"]["usage"]["tool_calls"], 36);
    Ok(())
}

#[client_test]
fn every_call_style_works(case: &ClientCase) -> Result<(), Skipped> {
    let replies = serve(case, &["--lang", "javascript"])?
        .script
        .step(run("const w = call_tool('shop.get_weather_for_city', { city: 'Paris' }); console.log(w)"))
        .step(run("await call_tool('shop.get_weather_for_city', { city: 'Paris' })"))
        .step(run(
            "await Promise.all(['Paris', 'Oslo', 'Lima'].map((city) => call_tool('shop.get_weather_for_city', { city })))",
        ))
        .play()?;
    assert_eq!(replies.results[0]["structuredContent"]["stdout"], "Paris: rain, 12 °C\n");
    let call = &replies.results[0]["_meta"]["isolette/calls"];
    assert_eq!((call.as_array().unwrap().len(), &call[0]["target"]), (1, &json!("shop.get_weather_for_city")));
    assert_eq!(*value(&replies.results[1]), json!("Paris: rain, 12 °C"));
    assert_eq!(*value(&replies.results[2]), json!(["Paris: rain, 12 °C", "Oslo: rain, 12 °C", "Lima: rain, 12 °C"]));
    Ok(())
}

#[client_test]
fn errors_of_a_tool_server_are_exceptions(case: &ClientCase) -> Result<(), Skipped> {
    let replies = serve(case, &[])?
        .script
        .step(run("try:\n    call_tool('shop.compute', operation='root', a=1, b=2)\nexcept Exception as error:\n    print(error)"))
        .step(run("call_tool('shop.compute', operation='add', a='one', b=2)"))
        .step(run("call_tool('shop.picture')"))
        .play()?;
    let stdout = replies.results[0]["structuredContent"]["stdout"].as_str().unwrap();
    assert!(stdout.contains("unknown operation: root"), "{stdout}");
    // This call is rejected without a request to the other server.
    let error = replies.results[1]["structuredContent"]["error"]["message"].as_str().unwrap();
    assert!(error.contains("argument `a`"), "{error}");
    assert_eq!(value(&replies.results[2])[1]["mimeType"], "image/png");
    Ok(())
}

#[host_test]
fn a_tool_server_that_exited_is_restarted() -> Result<(), Skipped> {
    let replies = script(&[])?
        .step(run("call_tool('shop.crash')"))
        .step(run("call_tool('shop.compute', operation='add', a=1, b=2)['result']"))
        .play()?;
    let error = replies.results[0]["structuredContent"]["error"]["message"].as_str().unwrap();
    assert!(error.contains("the connection to the server was lost"), "{error}");
    assert_eq!(*value(&replies.results[1]), json!(3.0));
    Ok(())
}

#[client_test]
fn tools_added_later_are_provided_and_announced(case: &ClientCase) -> Result<(), Skipped> {
    let code = "call_tool('shop.delete_')['done']";
    let replies = serve(case, &[])?
        .script
        .step(json!({ "tools": true }))
        .step(json!({ "until_tools_change": "execute_code", "arguments": { "code": code } }))
        .step(json!({ "tools": true }))
        .step(run("call_tool('shop.added')['added']"))
        .play()?;
    let described = |result: &Value| result["tools"][0]["description"].as_str().unwrap().contains("added");
    assert!(!described(&replies.results[0]), "{}", replies.results[0]);
    assert_eq!(replies.results[1]["changed"], json!(true));
    assert!(described(&replies.results[2]), "{}", replies.results[2]);
    assert_eq!(*value(&replies.results[3]), json!(true));
    Ok(())
}

#[host_test]
fn a_tool_server_does_not_inherit_the_environment() -> Result<(), Skipped> {
    let folder = tempfile::tempdir().expect("a folder");
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "hunter2\n").expect("a file");
    let config = folder.path().join("isolette.toml");
    let text = format!(
        "[[mcp]]\nname = 'shop'\ncommand = ['{}', '{}']\nenv = {{ SHOP_KEY = 'file:secret' }}\n\
         variables = {{ SHOP_MODE = 'fast' }}\n",
        python()?.display(),
        servers().join("shop.py").display()
    );
    std::fs::write(&config, text).expect("a file");
    let place = stdio(&["--config", config.to_str().expect("UTF-8")]);
    let replies = Script::new(Client::Python, Era::New, place)
        .step(run("call_tool('shop.environment')['names']"))
        .step(run("call_tool('shop.key')"))
        .play()?;
    let names: Vec<_> = value(&replies.results[0]).as_array().unwrap().iter().filter_map(Value::as_str).collect();
    // LC_CTYPE is set by the interpreter itself.
    let ours: Vec<_> = names.into_iter().filter(|name| *name != "LC_CTYPE").collect();
    assert_eq!(ours, ["HOME", "PATH", "SHOP_KEY", "SHOP_MODE"]);
    // A program does not get the secrets of the server.
    assert_eq!(*value(&replies.results[1]), json!({ "key": "it is [redacted]" }));
    Ok(())
}

#[host_test]
fn a_tool_call_in_flight_ends_with_its_run() -> Result<(), Skipped> {
    let replies = script(&[])?
        .call("execute_code", json!({ "code": "call_tool('shop.wait_for_ever')", "timeout_s": 1 }))
        .step(run("call_tool('shop.compute', operation='add', a=1, b=2)['result']"))
        .play()?;
    assert_eq!(replies.results[0]["structuredContent"]["error"]["kind"], "Timeout");
    assert_eq!(*value(&replies.results[1]), json!(3.0));
    Ok(())
}

#[host_test]
fn tool_filters_select_tools() -> Result<(), Skipped> {
    let shop = shop()?;
    let arguments = ["tools", "list", "--mcp-server", &shop, "--include", "get*", "--exclude", "*_rate"];
    let output = isolette_tests::isolette().args(arguments).output().expect("it runs");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    let names: Vec<_> = stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["shop.get_orders_for_user", "shop.get_weather_for_city"], "{stdout}{stderr}");
    Ok(())
}

#[host_test]
fn tool_filters_match_every_name_of_a_tool() -> Result<(), Skipped> {
    let shop = shop()?;
    for include in ["get-weather*", "get_weather*", "shop.get_weather_*"] {
        let arguments = ["tools", "list", "--mcp-server", &shop, "--include", include];
        let output = isolette_tests::isolette().args(arguments).output().expect("it runs");
        let stdout = String::from_utf8(output.stdout).expect("UTF-8");
        let names: Vec<_> = stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(names, ["shop.get_weather_for_city"], "{include}");
    }
    Ok(())
}

#[host_test]
fn a_tool_server_without_tools_causes_a_warning() -> Result<(), Skipped> {
    let shop = shop()?;
    let arguments = ["mcp", "--mcp-server", &shop, "--include", "chromodynamics", "--explain"];
    let output = isolette_tests::isolette().args(arguments).output().expect("it runs");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(stderr.contains("warning: `shop` provides no tools") && stderr.contains("isolette tools list"), "{stderr}");
    let output =
        isolette_tests::isolette().args(["mcp", "--mcp-server", &shop, "--explain"]).output().expect("it runs");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(!stderr.contains("warning: `shop`"), "{stderr}");
    Ok(())
}

#[host_test]
fn a_tool_server_that_cannot_start_is_reported() -> Result<(), Skipped> {
    let python = python()?;
    let broken = format!("'{}' -c 'import sys; sys.exit(\"no key was given\")'", python.display());
    for (server, expected) in [("no-such-program --at-all", "cannot be started"), (&*broken, "no key was given")] {
        let output =
            isolette_tests::isolette().args(["mcp", "--mcp-server", server]).output().expect("it runs and fails");
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(stderr.contains(expected) && stderr.contains("hint: "), "{stderr}");
        assert_eq!(output.status.code(), Some(104));
    }
    Ok(())
}

/// A server of this project is the source of another one.
#[host_test]
fn tools_of_an_http_server_are_provided() -> Result<(), Skipped> {
    let inner = HttpServer::start(&["--profile", "sessions"]);
    let place = stdio(&["--mcp-server", &format!("inner={}", inner.url)]);
    let code = "
handle = call_tool('inner.create_sandbox')['sandbox_id']
call_tool('inner.execute_code', code='x = 20', sandbox_id=handle)
call_tool('inner.execute_code', code='x + 22', sandbox_id=handle)['value']
";
    let replies = Script::new(Client::TypeScript, Era::Old, place).step(run(code)).play()?;
    assert_eq!(*value(&replies.results[0]), json!(42));
    Ok(())
}

/// The program returns each result, or the error of its call.
const NUMBERS: &str = "
def outcome(name, **arguments):
    try:
        return call_tool('numbers.' + name, **arguments)
    except ToolError as error:
        return str(error)
large, huge = str(2**64 - 1), str(10**20 + 1)
declared = describe_tool('numbers.kind')['input_schema']['properties']['n']
[
    outcome('structured', digits=large), outcome('as_text', digits=large), outcome('kind', n=2**63),
    outcome('only_digits', digits=huge), declared['default'], declared['maximum'],
    outcome('structured', digits=huge), outcome('as_text', digits=huge), outcome('kind', n=10**20 + 1),
]
";

#[host_test]
fn numbers_of_other_servers_keep_their_digits_or_are_refused_with_their_place() -> Result<(), Skipped> {
    let quoted = |path: &Path| format!("'{}'", path.display());
    let server = format!("numbers={} {}", quoted(&python()?), quoted(&servers().join("large_numbers.py")));
    let script = Script::new(Client::Python, Era::New, stdio(&["--mcp-server", &server]));
    let replies = script.step(run(NUMBERS)).play()?;
    let found = value(&replies.results[0]).as_array().expect("a list").clone();
    assert_eq!(found[0], json!({ "list": [1, { "n": u64::MAX }] }));
    assert_eq!(found[1], json!({ "n": u64::MAX }));
    assert_eq!(found[2], json!({ "digits": "9223372036854775808" }));
    let huge = "100000000000000000001";
    // One such number in a schema leaves the tools of the server as they are.
    assert_eq!(found[3..6], [json!(huge), json!(huge), json!(1e30)]);
    let expected = [
        format!("`result.list[1].n` is {huge}, "),
        format!("`result.n` is {huge}, "),
        format!("`arguments.n` is {huge}, "),
    ];
    for (found, expected) in found[6..].iter().zip(expected) {
        let text = found.as_str().expect("an error");
        assert!(text.contains(&expected) && text.contains("as text"), "{text}");
    }
    Ok(())
}
