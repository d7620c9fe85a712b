//! The context of a capability call, and resources of calls that fail.

use std::{
    sync::{
        Arc, Mutex, PoisonError, Weak,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use isolette::{
    CallContext, CancellationToken, Error, Isolation, Owned, RunOptions, Sandbox, SandboxBuilder, policy::Limits,
};
use isolette_tests::{Case, Skipped, engines, scenario};
use serde_json::json;

isolette::capability!({
    path: "conformance/capabilities/context.wit",
    interface: "test:context/calls",
    implementation: Server,
    resources: { thing: Thing },
    async: ["listen"],
});

const TIMEOUT: Duration = Duration::from_secs(30);

struct Server {
    things: Weak<()>,
    kept: Arc<Mutex<Option<CallContext>>>,
    token: CancellationToken,
    heard: Sender<()>,
    release: Mutex<Receiver<()>>,
}

/// The test's side of the server's channels.
struct Ends {
    things: Arc<()>,
    kept: Arc<Mutex<Option<CallContext>>>,
    token: CancellationToken,
    heard: Receiver<()>,
    release: Sender<()>,
}

/// It is counted.
struct Thing {
    _live: Arc<()>,
}

fn serving() -> (Server, Ends) {
    let ((heard, on_heard), (release, on_release)) = (channel(), channel());
    let (things, kept, token) = (Arc::default(), Arc::default(), CancellationToken::new());
    let ends = Ends { things, kept, token, heard: on_heard, release };
    let (things, kept, token) = (Arc::downgrade(&ends.things), Arc::clone(&ends.kept), ends.token.clone());
    (Server { things, kept, token, heard, release: Mutex::new(on_release) }, ends)
}

impl calls::ThingMethods for Thing {
    fn touch(&self, _: &CallContext) {}
}

impl calls::Calls for Server {
    fn new_thing(&self, _: &CallContext) -> Owned<Thing> {
        Owned::new(Thing { _live: self.things.upgrade().unwrap_or_default() })
    }

    fn several(&self, context: &CallContext, _: Option<Owned<Thing>>, count: u32) -> Vec<Owned<Thing>> {
        (0..count).map(|_| self.new_thing(context)).collect()
    }

    fn heavy(&self, context: &CallContext, length: u32) -> (Owned<Thing>, Vec<u8>) {
        (self.new_thing(context), vec![0; length as usize])
    }

    fn remember(&self, context: &CallContext) {
        let before = self.kept.lock().unwrap().replace(context.clone());
        if let Some(before) = before {
            before.note("too late");
        }
    }

    fn which(&self, context: &CallContext) -> String {
        assert!(!context.is_cancelled() && context.time_remaining() > Duration::ZERO);
        context.run().to_string()
    }

    async fn listen(&self, context: &CallContext) {
        // The function itself is dropped when the run ends.
        let (context, heard) = (context.clone(), self.heard.clone());
        tokio::spawn(async move {
            context.cancelled().await;
            heard.send(())
        });
        self.token.cancel();
        std::future::pending::<()>().await;
    }

    fn look(&self, context: &CallContext, cancel: bool) {
        if cancel {
            self.token.cancel();
        }
        let deadline = Instant::now() + TIMEOUT;
        while !context.is_cancelled() {
            assert!(Instant::now() < deadline, "its run never ends");
            thread::yield_now();
        }
        assert!(cancel || context.time_remaining() == Duration::ZERO);
        self.heard.send(()).unwrap();
    }

    fn block(&self, _: &CallContext) {
        let release = self.release.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = release.recv_timeout(TIMEOUT);
    }
}

/// A program with the interface as `calls`.
fn program(case: &Case, code: &str) -> String {
    case.pick("from test.context import calls\n", "var calls = require('test:context/calls');\n").to_owned() + code
}

fn few_resources(case: &Case) -> SandboxBuilder {
    let mut limits = Limits::default();
    (limits.resources, limits.payload) = (3, 1 << 20);
    case.builder().limits(limits)
}

fn with_capability(case: &Case) -> (Sandbox, Ends) {
    let (server, ends) = serving();
    (case.builder().capability(server).build().unwrap(), ends)
}

#[scenario]
fn a_capability_call_knows_its_run(case: &Case) {
    let (sandbox, _ends) = with_capability(case);
    let [first, second] = [(), ()].map(|()| sandbox.run(&program(case, "calls.which()")).unwrap());
    assert_ne!(first.run, second.run);
    for result in [first, second] {
        assert_eq!(result.value, Some(json!(result.run.unwrap().to_string())), "{:?}", result.error);
    }
}

#[scenario]
fn a_capability_call_is_recorded_by_its_policy_name(case: &Case) {
    let (server, _ends) = serving();
    let allowed = ["test:context/calls.thing.constructor", "test:context/calls.thing.touch"];
    let builder =
        allowed.iter().fold(case.builder().capability(server), |builder, rule| builder.allow_capability(rule));
    let code = case.pick("calls.Thing().touch()", "new calls.Thing().touch()");
    let result = builder.build().unwrap().run(&program(case, code)).unwrap();
    assert!(result.error.is_none(), "{:?}", result.error);
    let operations: Vec<_> = result.calls.iter().map(|call| &*call.operation).collect();
    assert_eq!(operations, ["thing.constructor", "thing.touch"]);
}

#[scenario]
fn a_retained_call_context_retains_no_resources(case: &Case) {
    let (sandbox, ends) = with_capability(case);
    let code = case.pick("thing = calls.Thing()\ncalls.remember()", "var thing = new calls.Thing(); calls.remember()");
    let result = sandbox.run(&program(case, code)).unwrap();
    assert!(result.error.is_none(), "{:?}", result.error);
    drop(sandbox);
    let kept = ends.kept.lock().unwrap().take().unwrap();
    assert_eq!(Arc::strong_count(&ends.things), 1);
    assert_eq!(kept.run(), result.run.unwrap());
    kept.note("a note after the run");
}

#[scenario]
fn a_session_that_holds_resources_is_not_saved(case: &Case) -> Result<(), Skipped> {
    if case.isolation == Isolation::Wasm {
        return Err(Skipped("`wasm` does not save states".into()));
    }
    let (sandbox, _ends) = with_capability(case);
    let mut session = sandbox.session().unwrap();
    let code = case.pick("thing = calls.Thing()", "var thing = new calls.Thing()");
    session.run(&program(case, code)).unwrap();
    assert_eq!(
        session.snapshot().unwrap_err().to_string(),
        "a snapshot of the session is not available: the session holds 1 `thing` of `test:context/calls`, which \
         exist in the host only\nhint: release them in the session first"
    );
    let rollback = session.run_with("1", RunOptions::new().rollback_on_error()).unwrap_err().to_string();
    assert!(rollback.contains("the session holds 1 `thing`"), "{rollback}");
    session.run(case.pick("thing.__exit__(None, None, None)", "thing[Symbol.dispose]()")).unwrap();
    session.fork(2).unwrap();
    Ok(())
}

#[scenario]
fn a_call_note_belongs_to_its_own_call(case: &Case) {
    let (server, ends) = serving();
    let kept = Arc::clone(&ends.kept);
    let intrude = move |value: serde_json::Value| {
        kept.lock().unwrap().as_ref().unwrap().note("too late");
        Ok::<_, String>(value)
    };
    let sandbox = case.builder().capability(server).tool_typed("intrude", "", intrude).build().unwrap();
    let code = "calls.remember()\ncalls.remember()\ncall_tool('intrude', {})";
    let result = sandbox.run(&program(case, code)).unwrap();
    assert!(result.error.is_none(), "{:?}", result.error);
    let notes: Vec<_> = result.calls.iter().map(|call| call.note.as_deref()).collect();
    assert_eq!(notes, [None, None, None]);
}

#[scenario]
fn resources_returned_by_a_failed_call_are_not_kept(case: &Case) {
    let (server, _ends) = serving();
    let sandbox = few_resources(case).capability(server).build().unwrap();
    // Two of three are held; resources that were returned before the error are dropped, so there is room for one.
    let code = case.pick(
        "held, kinds = [], []\nfor make in [lambda: calls.several(None, 2)] * 2 + [lambda: calls.heavy(2000000)] * 3 + \
         [calls.Thing] * 2:\n    try:\n        held.append(make())\n        kinds.append('ok')\n    except Exception as \
         error:\n        kinds.append(error.kind)\nkinds",
        "const held = []; const several = () => calls.several(undefined, 2), heavy = () => calls.heavy(2000000), one = () \
         => new calls.Thing(); result = [several, several, heavy, heavy, heavy, one, one].map((make) => { try { \
         held.push(make()); return 'ok' } catch (error) { return error.kind } })",
    );
    let result = sandbox.run(&program(case, code)).unwrap();
    let kinds = json!(["ok", "budget", "budget", "budget", "budget", "ok", "budget"]);
    assert_eq!(result.value, Some(kinds), "{:?}", result.error);
}

#[scenario]
fn owned_resources_are_gone_once_their_call_was_made(case: &Case) {
    let (server, _ends) = serving();
    let sandbox = few_resources(case).capability(server).allow_capability("test:context/calls.thing.*");
    let sandbox = sandbox.allow_capability("test:context/calls.several 1").build().unwrap();
    // The first call is made and returns too many; the second one is not made.
    let code = case.pick(
        "gone, kept, kinds = calls.Thing(), calls.Thing(), []\nfor thing in [gone, kept]:\n    try:\n        \
         calls.several(thing, 5)\n    except Exception as error:\n        kinds.append(error.kind)\nfor thing in [gone, \
         kept]:\n    try:\n        thing.touch()\n        kinds.append('held')\n    except ValueError:\n        \
         kinds.append('gone')\nkinds",
        "const gone = new calls.Thing(), kept = new calls.Thing(), kinds = []; for (const thing of [gone, kept]) try { \
         calls.several(thing, 5) } catch (error) { kinds.push(error.kind) } for (const thing of [gone, kept]) try { \
         thing.touch(); kinds.push('held') } catch (error) { kinds.push(error instanceof TypeError ? 'gone' : error.kind) } \
         result = kinds",
    );
    let result = sandbox.run(&program(case, code)).unwrap();
    assert_eq!(result.value, Some(json!(["budget", "budget", "gone", "held"])), "{:?}", result.error);
}

#[scenario]
fn a_capability_function_is_notified_when_its_run_ends(case: &Case) {
    let (sandbox, ends) = with_capability(case);
    let options = RunOptions::new().cancel(ends.token.clone());
    let error = sandbox.run_with(&program(case, "calls.listen()"), options).unwrap_err();
    assert!(matches!(error, Error::Cancelled { .. }), "{error}");
    ends.heard.recv_timeout(TIMEOUT).unwrap();
}

#[scenario]
fn a_blocking_capability_function_sees_the_end_of_its_run(case: &Case) {
    let (sandbox, ends) = with_capability(case);
    let code = program(case, case.pick("calls.look(True)", "calls.look(true)"));
    let error = sandbox.run_with(&code, RunOptions::new().cancel(ends.token.clone())).unwrap_err();
    ends.heard.recv_timeout(TIMEOUT).unwrap();
    assert!(matches!(error, Error::Cancelled { .. }), "{error}");

    let code = program(case, case.pick("calls.look(False)", "calls.look(false)"));
    let error = sandbox.run_with(&code, RunOptions::new().timeout(soon())).unwrap_err();
    ends.heard.recv_timeout(TIMEOUT).unwrap();
    assert!(matches!(error, Error::Timeout { .. }), "{error}");
}

#[scenario]
fn a_stuck_capability_function_does_not_block_the_run(case: &Case) {
    let (sandbox, ends) = with_capability(case);
    let options = RunOptions::new().timeout(soon());
    let error = sandbox.run_with(&program(case, "calls.block()"), options).unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error}");
    assert_eq!(error.partial().unwrap().calls[0].outcome.as_str(), "deadline");
    // It still blocks until it is released here.
    ends.release.send(()).unwrap();
    let result = sandbox.run(&program(case, "calls.which()")).unwrap();
    assert!(result.error.is_none(), "{:?}", result.error);
}

/// Long enough for a program to make its first call.
fn soon() -> Duration {
    Duration::from_millis(if engines::emulated() { 10_000 } else { 500 })
}
