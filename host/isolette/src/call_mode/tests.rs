use std::collections::HashSet;

use super::*;

fn offered() -> Offered<'static> {
    Offered {
        tools: &|| HashSet::from(["weather".to_owned(), "search_web".to_owned()]),
        has_bare_tools: false,
        namespaces: HashSet::from(["acme".to_owned()]),
        functions: HashSet::new(),
    }
}

fn modes(language: Language, code: &str, offered: &Offered<'_>) -> (CallMode, CallMode) {
    let (tools, interfaces) = chosen(ToolCalls::Auto, Dialect::Isolette, language, code, offered);
    (tools.mode, interfaces.mode)
}

fn python(code: &str) -> CallMode {
    modes(Language::Python, code, &offered()).0
}

fn javascript(code: &str) -> CallMode {
    modes(Language::JavaScript, code, &offered()).0
}

#[test]
fn python_programs_that_await_calls() {
    for code in [
        "await tools.weather(city='Oslo')",
        "x = (await tools.weather(city='Oslo'))['t']",
        "import asyncio\nasync def main():\n    return await tools.github.search(q='x')\nasyncio.run(main())",
        "import asyncio\nr = await asyncio.gather(tools.weather(city='a'), tools.weather(city='b'))",
        "import asyncio\nr = await asyncio.gather(*[tools.weather(city=c) for c in cities])",
        "import asyncio\ncalls = [tools.weather(city=c) for c in cities]\nr = await asyncio.gather(*calls)",
        "import asyncio\ncalls = []\nfor c in cities:\n    calls.append(tools.weather(city=c))\nr = await asyncio.gather(*calls)",
        "import asyncio\nasync with asyncio.TaskGroup() as group:\n    a = group.create_task(tools.weather(city='a'))",
        "from tools import weather\nprint(await weather(city='a'))",
        "from tools.github import (search, read as r)\nprint(await r(path='a'))",
        "w = tools.weather\nprint(await w(city='a'))",
        "import asyncio\ndef get(c):\n    return tools.weather(city=c)\nawait asyncio.gather(get('a'), get('b'))",
        "import asyncio\nget = lambda c: tools.weather(city=c)\nawait asyncio.gather(*map(get, 'ab'))",
        "print(f\"it is {(await tools.weather(city='a'))['t']} degrees\")",
        "call = tools.weather(city='a')\nprint(1)\nprint(await call)",
        "import asyncio\nasyncio.run(tools.weather(city='a'))",
        "calls = {c: tools.weather(city=c) for c in cities}\nimport asyncio\nawait asyncio.gather(*calls.values())",
    ] {
        assert_eq!(python(code), CallMode::Async, "{code}");
    }
}

#[test]
fn python_programs_that_use_results() {
    for code in [
        "tools.weather(city='Oslo')['t']",
        "# await tools.weather()\nx = tools.weather(city='Oslo')\nprint(x)",
        "text = 'await tools.weather()'\nprint(tools.weather(city=text))",
        "import asyncio\nasync def f(c):\n    return tools.weather(city=c)\nasyncio.run(f('a'))",
        "import asyncio\nasync def work(x):\n    pass\nfor x in tools.weather(city='a'):\n    await work(x)",
        "import asyncio\nawait asyncio.gather(*[work(x) for x in tools.weather(city='a')])",
        "import asyncio\nawait asyncio.gather(tools.weather.start(city='a'))",
        "import asyncio\nawait asyncio.to_thread(tools.weather, city='a')",
        "import asyncio\nawait call_tool_async('weather', city='a')\ntools.weather(city='b')['x']",
        "x = call_tool('weather', city='a')\nimport asyncio\nawait asyncio.sleep(x)",
        "found = tools.search('x')\nawait work(found)",
    ] {
        assert_eq!(python(code), CallMode::Sync, "{code}");
    }
}

#[test]
fn javascript_programs_that_await_calls() {
    for code in [
        "await tools.weather({ city: 'Oslo' })",
        "const x = await tools.weather({ city: 'Oslo' })\nconsole.log(x.t)",
        "const [a, b] = await Promise.all([tools.weather({ city: 'a' }), tools.weather({ city: 'b' })]);",
        "const r = await Promise.all(cities.map((city) => tools.weather({ city })));",
        "const r = await Promise.all(cities.map(async (city) => { return tools.weather({ city }); }));",
        "const calls = cities.map((city) => tools.weather({ city }));\nconst r = await Promise.all(calls);",
        "const calls = [];\nfor (const city of cities) calls.push(tools.weather({ city }));\nawait Promise.allSettled(calls);",
        "tools.weather({ city: 'a' }).then((x) => console.log(x));",
        "const call = tools.weather({ city: 'a' });\nconsole.log(1);\nconsole.log(await call);",
        "const get = (city) => tools.weather({ city });\nawait Promise.all(cities.map(get));",
        "const { weather } = tools;\nconsole.log(await weather({ city: 'a' }));",
        "const { search: find } = tools.github;\nconst x = await find({ q: 'a' });",
        "console.log(`it is ${(await tools.weather({ city: 'a' })).t}`);",
        "await call_tool('weather', { city: 'a' })",
        "for await (const x of cities.map((city) => tools.weather({ city }))) console.log(x);",
        "tools.weather({ city: 'a' })\nconst x = await tools.weather({ city: 'b' })",
    ] {
        assert_eq!(javascript(code), CallMode::Async, "{code}");
    }
}

#[test]
fn javascript_programs_that_use_results() {
    for code in [
        "tools.weather({ city: 'Oslo' }).t",
        "const a = tools.weather({ city: 'a' });\nconst b = await tools.weather({ city: a.next });",
        "// await tools.weather()\nconsole.log(tools.weather({ city: 'a' }))",
        "const pattern = /await tools.weather\\(/;\ntools.weather({ city: 'a' }).t",
        "const all = await Promise.all(tools.weather({ city: 'a' }).map((x) => work(x)));",
        "if (tools.weather({ city: 'a' }) > 3) await work();",
        "for await (const x of tools.weather({ city: 'a' })) console.log(x);",
        "await work(tools.weather({ city: 'a' }))",
        "const x = `${tools.weather({ city: 'a' })}`; await tools.weather({ city: x });",
        "await tools.weather.start({ city: 'a' }); tools.weather({ city: 'b' }).t",
    ] {
        assert_eq!(javascript(code), CallMode::Sync, "{code}");
    }
}

#[test]
fn functions_of_interfaces_have_a_mode_of_their_own() {
    let code = "from acme.weather import forecast\nx = await forecast.get('a')\nprint(tools.weather(city='a'))";
    assert_eq!(modes(Language::Python, code, &offered()), (CallMode::Sync, CallMode::Async));
    let code =
        "import { get } from 'acme:weather/forecast';\nconst a = get('a').t;\nawait tools.weather({ city: 'a' });";
    assert_eq!(modes(Language::JavaScript, code, &offered()), (CallMode::Async, CallMode::Sync));
    let code = "const { get } = require('acme:weather/forecast');\nawait Promise.all([get('a'), get('b')]);";
    assert_eq!(modes(Language::JavaScript, code, &offered()), (CallMode::Sync, CallMode::Async));
    let code = "import acme.weather.forecast as fc\nstation = fc.Station('a')\nprint(await station.name())";
    assert_eq!(modes(Language::Python, code, &offered()).1, CallMode::Async);
}

#[test]
fn names_of_tools_count_where_they_are_functions() {
    let code = "x = await weather({'city': 'a'})";
    assert_eq!(python(code), CallMode::Sync);
    let bare = Offered { has_bare_tools: true, ..offered() };
    assert_eq!(modes(Language::Python, code, &bare).0, CallMode::Async);
    let own = format!("async def weather(x):\n    return x\n{code}");
    assert_eq!(modes(Language::Python, &own, &bare).0, CallMode::Sync);
}

#[test]
fn the_reason_names_the_line() {
    let reason = |language, code| chosen(ToolCalls::Auto, Dialect::Isolette, language, code, &offered()).0.reason;
    assert_eq!(reason(Language::Python, "x = 1\n\nawait tools.weather()"), "line 3 awaits a call");
    assert_eq!(
        reason(Language::JavaScript, "const s = `\n${1}\n`; const a = tools.weather({}).t\nawait tools.weather({})"),
        "line 3 uses the result of a call without awaiting it"
    );
}

#[test]
fn broken_and_hostile_texts_are_decided_in_time() {
    for piece in [
        "(",
        ")",
        "{",
        "}",
        "`${",
        "f\"{",
        "tools.a(",
        "= ",
        "await ",
        "=> {return ",
        "a.",
        "\\",
        "\u{1F600}",
        "/[",
        "return tools.a()\n",
        "{a} = tools;",
        "from 'a:b/c' ",
        "v = tools.a()\n",
        "import a.b as c, ",
        "[",
        "x[tools.a()] = ",
    ] {
        let code = format!("await {}", piece.repeat(100_000));
        for language in [Language::Python, Language::JavaScript] {
            let _ = modes(language, &code, &offered());
        }
    }
}
