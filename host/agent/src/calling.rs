//! How programs call tools, in the terms of the language and the dialect.

use isolette::{Dialect, Language, ToolCalls, catalog::Style};

const ERRORS_IN_PYTHON: &str = "They return plain values (dict, list, str, numbers) and raise `ToolError`.";

/// For languages whose numbers do not have all integers of 64 bits.
const LARGE_INTEGERS: &str = "An integer beyond 2^53 is a BigInt in results; pass it as one (`123n`).";

/// Returns the sentences before a list of tools.
pub(super) fn how_to_call(style: Style) -> String {
    let text = match style.dialect {
        Dialect::Anthropic => {
            "They are asynchronous functions of their own names, which take one dict or keyword arguments and return text, \
             which is JSON unless the result itself is text: `rows = json.loads(await <name>({\"key\": value}))`. Make \
             calls that do not depend on each other at once: `await asyncio.gather(<name>({...}), <name>({...}))`. If a tool \
             fails, the text begins with `Error: `; a call that is refused raises `ToolError`."
                .to_owned()
        }
        Dialect::OpenAi => with_output(""),
        Dialect::Codex => with_output(
            " `ALL_TOOLS` lists the names and descriptions. `store(key, value)` keeps a value for later programs of the same \
             session, `load(key)` returns it. `notify(value)` produces output at once, `exit()` ends the program. The first \
             line may be `// @exec: {\"max_output_tokens\": 1000}`.",
        ),
        Dialect::Cloudflare => {
            "Write the program as one asynchronous arrow function, and return what should come back. Call the tools as \
             functions of one object, which return promises: `await codemode.<name>({ key: value })`, or several at once: \
             `await Promise.all([codemode.<name>({ ... }), codemode.<name>({ ... })])`. They return plain values and throw \
             `ToolError`."
                .to_owned()
        }
        _ => usual(style),
    };
    match style.language {
        Language::Python => text + "\n",
        _ => format!("{text} {LARGE_INTEGERS}\n"),
    }
}

fn with_output(more: &str) -> String {
    format!(
        "Call them as functions of one object, which return promises: `await tools.<name>({{ key: value }})`, or several at \
         once: `await Promise.all([tools.<name>({{ ... }}), tools.<name>({{ ... }})])`. They return plain values and throw \
         `ToolError`. `text(value)` produces output, and so does `image(url)` with the URL or data URL of an image.{more}"
    )
}

fn usual(style: Style) -> String {
    match (style.language, style.tool_calls) {
        (Language::Python, ToolCalls::Async) => format!(
            "Call them as asynchronous functions with keyword arguments, `await tools.<name>(key=value)`, or several at once, \
             `await asyncio.gather(tools.<name>(key=value), tools.<name>(key=value))`. {ERRORS_IN_PYTHON} \
             `call_tool(\"<name>\", key=value)` returns the result without `await`."
        ),
        (Language::Python, mode) => {
            let several = match mode {
                ToolCalls::Sync => {
                    "To make several calls at once, write `await asyncio.gather(call_tool_async(\"<name>\", key=value), ...)`."
                }
                _ => {
                    "To make several calls at once, write `await asyncio.gather(tools.<name>(key=value), ...)`, and then \
                     await every call of `tools` in the program."
                }
            };
            format!(
                "Call them as functions with keyword arguments, `tools.<name>(key=value)`, or as \
                 `call_tool(\"<name>\", key=value)`. {ERRORS_IN_PYTHON} {several}"
            )
        }
        (_, mode) => {
            let (how, several) = match mode {
                ToolCalls::Async => {
                    ("They return promises of plain values, which throw `ToolError`", "tools.<name>({ ... })")
                }
                ToolCalls::Sync => {
                    ("They return plain values and throw `ToolError`", "call_tool_async(\"<name>\", { ... })")
                }
                _ => (
                    "They return plain values, or promises if the program awaits its calls, and throw `ToolError`",
                    "tools.<name>({ ... })",
                ),
            };
            format!(
                "Call them as functions of one object, `await tools.<name>({{ key: value }})`, or as \
                 `await call_tool(\"<name>\", {{ key: value }})`. {how}. To make several calls at once, write \
                 `await Promise.all([{several}, ...])`."
            )
        }
    }
}
