//! Many guests in processes: after a while their code is in large pages.

use std::{fs, path::Path, process};

use isolette::{Isolation, Language, Sandbox};
use isolette_tests::{Skipped, engines, host_test, processes};

/// More guests than can pass before the code is copied.
const MANY: usize = 1000;

/// How many fork servers of this process have code in large pages.
fn with_large_pages() -> usize {
    let maps = |process| fs::read_to_string(format!("/proc/{process}/maps")).unwrap_or_default();
    let children = processes::children(process::id());
    children.into_iter().filter(|process| maps(*process).contains("/memfd:isolette-code")).count()
}

#[host_test]
fn guests_go_on_when_their_code_is_in_large_pages() -> Result<(), Skipped> {
    if let Some(reason) = engines::missing(Isolation::Process) {
        return Err(Skipped(reason.to_owned()));
    }
    if !Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
        return Err(Skipped("this system has no large pages on demand".to_owned()));
    }
    let languages = [Language::Python, Language::JavaScript];
    let sandboxes =
        languages.map(|language| Sandbox::builder().language(language).isolation(Isolation::Process).build().unwrap());
    let value = |result: isolette::ExecutionResult| result.value.and_then(|value| value.as_u64());
    let begun = sandboxes.each_ref().map(|sandbox| {
        let mut session = sandbox.session().unwrap();
        session.run("x = 6").unwrap();
        let snapshot = session.snapshot().unwrap();
        (session, snapshot)
    });
    let mut rest = MANY;
    while with_large_pages() < languages.len() {
        rest = rest.checked_sub(1).expect("the code to be copied by now");
        for sandbox in &sandboxes {
            assert_eq!(value(sandbox.run("6 * 7").unwrap()), Some(42));
        }
    }
    for (sandbox, (mut session, snapshot)) in sandboxes.iter().zip(begun) {
        assert_eq!(value(sandbox.run("6 * 7").unwrap()), Some(42));
        assert_eq!(value(session.run("x * 7").unwrap()), Some(42));
        let mut earlier = sandbox.session_from(&snapshot).unwrap();
        assert_eq!(value(earlier.run("x * 8").unwrap()), Some(48));
        let mut forks = session.fork(2).unwrap();
        assert_eq!(forks.iter_mut().map(|fork| value(fork.run("x * 9").unwrap())).collect::<Vec<_>>(), [Some(54); 2]);
    }
    Ok(())
}
