//! The texts that depend on the language of the programs.

use super::Guide;
use isolette::Language;

impl Guide {
    pub(super) fn language_name(&self) -> &'static str {
        match self.language {
            Language::Python => "Python",
            Language::JavaScript => "JavaScript",
            Language::TypeScript => "TypeScript",
            _ => "whatever the image takes",
        }
    }

    pub(super) fn interpreter(&self) -> String {
        match self.language {
            Language::Python => {
                let packages: Vec<String> =
                    self.packages.iter().map(|(name, version)| format!("{name} {version}")).collect();
                let packages = match packages.as_slice() {
                    [] => String::new(),
                    packages => format!(" and these packages: {}", packages.join(", ")),
                };
                format!(
                    "The interpreter is CPython 3.14 with its standard library{packages}. Nothing can be installed. There \
                     are no processes or sockets. Threads run one at a time, each to its end when it is started.\n"
                )
            }
            Language::JavaScript | Language::TypeScript => {
                let types = match self.language {
                    Language::TypeScript => " Types are removed before the program runs and are not checked.",
                    _ => "",
                };
                format!(
                    "The engine is QuickJS (ES2023) with Intl, the usual web APIs (fetch, URL, TextEncoder, \
                     structuredClone) and some modules of Node (assert, buffer, crypto, events, fs, os, path, stream, url, \
                     util). Nothing can be installed. There are no threads, processes or sockets. `await` works at the top \
                     level.{types}\n"
                )
            }
            _ => String::new(),
        }
    }

    pub(super) fn ending(&self) -> String {
        match self.language {
            Language::Python => {
                "The call returns the global `result` if the program sets it, else the value of its last expression, and \
                 what it prints.\n"
            }
            Language::JavaScript | Language::TypeScript => {
                "The call returns the global `result` if the program sets it, else what a top-level `return` gives, else \
                 the value of its last expression, and what it writes to the console.\n"
            }
            _ => "The call returns what the component gives.\n",
        }
        .to_owned()
    }

    pub(super) fn example(&self) -> String {
        match (self.language, self.variables.iter().any(|name| name == "BASE_URL")) {
            (Language::Python, true) => {
                "response = http_get(f\"{BASE_URL}/items\", params={\"page\": 1})\n\
                 if not response[\"ok\"]:\n    raise RuntimeError(f\"status {response['status']}\")\n\
                 result = [item[\"name\"] for item in response[\"json\"]]"
            }
            (Language::Python, false) => {
                "numbers = [3, 1, 2]\nresult = {\"largest\": max(numbers), \"sorted\": sorted(numbers)}"
            }
            (_, true) => {
                "const response = http_get(`${BASE_URL}/items?page=1`);\n\
                 if (!response.ok) throw new Error(`status ${response.status}`);\n\
                 result = response.json.map((item) => item.name);"
            }
            (_, false) => {
                "const numbers = [3, 1, 2];\nresult = { largest: Math.max(...numbers), sorted: numbers.toSorted() };"
            }
        }
        .to_owned()
    }
}
