//! Modules of CPython's own tests, each as one program in the sandbox. `cpython/modules.txt` names them.

use std::{collections::BTreeSet, fs, sync::OnceLock, time::Duration};

use isolette::{Isolation, Language, Sandbox, policy::Access};
use isolette_tests::{Case, Outcome as _, Skipped, libtest_mimic::Trial, report};
use serde_json::{Value, json};

use crate::{differences::Differences, downloaded, folder};

/// The timeout of a module, of which most take less than a second. It only matters if a test hangs.
const TIME: Duration = Duration::from_secs(900);

const MEMORY: u64 = 512 << 20;

/// A line of the list.
#[derive(Clone, Debug)]
struct Module {
    name: String,
    /// Settings that the tests require.
    pretending: Vec<String>,
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials: Vec<Trial> = modules()
        .into_iter()
        .map(|module| {
            report::trial(format!("cpython::{}", module.name.trim_start_matches("test.")), move || {
                compare(&module).completion()
            })
        })
        .collect();
    trials.push(report::trial("cpython::every_difference_is_of_a_module_that_is_run".to_owned(), || {
        let modules = modules();
        let all = |name: &str| !modules.iter().any(|module| module.owns(name));
        let none = |how| assert_eq!(differences().those(how, all), BTreeSet::new());
        none("fails");
        none("avoided");
        isolette_tests::libtest_mimic::Completion::Completed
    }));
    trials
}

fn modules() -> Vec<Module> {
    let path = folder().join("cpython/modules.txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let mut words = line.split_whitespace().map(ToOwned::to_owned);
            let name = words.next().unwrap_or_default();
            Module { name, pretending: words.filter(|word| word != "pretending").collect() }
        })
        .collect()
}

fn differences() -> &'static Differences {
    static DIFFERENCES: OnceLock<Differences> = OnceLock::new();
    DIFFERENCES.get_or_init(|| Differences::read(&folder().join("cpython/differences.txt")))
}

impl Module {
    /// Whether a test belongs to this module, by its identifier in the runner: errors in the set-up of a class or module have
    /// the name in brackets, and import errors have it after that of the loader.
    fn owns(&self, test: &str) -> bool {
        let rest = test.split_once(&self.name).map(|(_, rest)| rest);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':', ')']))
    }
}

fn compare(module: &Module) -> Result<(), Skipped> {
    let tests = downloaded("cpython");
    if !tests.join("test/support").is_dir() {
        return Err(Skipped(
            "CPython's tests are not there: `cargo xtask setup` gets them, or says why it cannot".into(),
        ));
    }
    let owned = |name: &str| module.owns(name);
    let result = run(module, &differences().those("avoided", owned));
    let outcomes = result["outcomes"].as_object().expect("outcomes by test");
    assert_ne!(result["tests"], 0, "no test was run: {}", result["skipped"]);
    let found = outcomes
        .keys()
        .map(|name| (name.clone(), result["reasons"][name].as_str().unwrap_or_default().to_owned()))
        .collect();
    differences().assert("fails", &found, owned);
    report::measured("tests", result["tests"].as_f64().unwrap_or_default());
    Ok(())
}

/// The report of the runner.
fn run(module: &Module, skip: &BTreeSet<String>) -> Value {
    let mut limits = Case::new(Language::Python, Isolation::Wasm).limits();
    limits.timeout = TIME;
    limits.cpu_time = TIME;
    limits.memory = MEMORY;
    limits.value = 4 << 20;
    let sandbox = Sandbox::builder()
        .language(Language::Python)
        .isolation(Isolation::Wasm)
        .limits(limits)
        .mount(downloaded("cpython"), "/input", Access::ReadOnly)
        .temp_output()
        .variable("MODULE", module.name.as_str())
        .variable("PRETENDING", json!(module.pretending))
        .variable("SKIP", json!(skip))
        .build()
        .expect("a sandbox for CPython's tests");
    match sandbox.run(include_str!("cpython/run_module.py")) {
        Ok(result) => {
            if let Some(error) = result.error {
                panic!("{}", error.traceback);
            }
            result.value.expect("the runner reports")
        }
        Err(error) => {
            let last = error.partial().and_then(|partial| partial.stdout.lines().next_back()).unwrap_or_default();
            panic!("the guest ended over {last}: {error}")
        }
    }
}
