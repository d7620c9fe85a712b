//! Guests whose processes are ended by something else than the host, while they wait for the host.

use isolette::{Error, Isolation};
use isolette_tests::{Case, Skipped, processes, scenario};
use rustix::process::{Pid, Signal, kill_process};

/// Ends all guests, and never returns. So only the end of its guest ends the run before its time is over.
async fn kill(_: serde_json::Value) -> Result<(), String> {
    for guest in processes::guests() {
        let guest = i32::try_from(guest).ok().and_then(Pid::from_raw).ok_or("a number of a process")?;
        // One that was ready for another run may have ended.
        let _ = kill_process(guest, Signal::KILL);
    }
    std::future::pending().await
}

#[scenario]
fn a_guest_that_was_killed_while_it_waited_is_reported_at_once(case: &Case) -> Result<(), Skipped> {
    if case.isolation != Isolation::Process {
        return Err(Skipped("only guests of processes can be killed one by one".into()));
    }
    let sandbox = case.builder().tool_typed_async("kill", "Kills", kill).build().unwrap();
    let asleep = case.pick(
        "import asyncio\nawait asyncio.gather(asyncio.sleep(1000), call_tool_async('kill'))",
        "await Promise.all([new Promise(done => setTimeout(done, 1000000)), call_tool_async('kill')])",
    );
    for program in ["call_tool('kill')", asleep] {
        let error = sandbox.run(program).unwrap_err();
        assert!(matches!(error, Error::GuestCrashed { .. }), "{program}: {error}");
        assert!(error.to_string().contains("the process of the guest ended unexpectedly"), "{error}");
        let calls = &error.partial().unwrap().calls;
        assert_eq!((calls.len(), calls[0].outcome.as_str()), (1, "unfinished"));
        assert!(sandbox.run("1").unwrap().success());
    }
    Ok(())
}
