//! Interfaces that an embedder implements with the macro: rules, limits, approval, futures, failures, versions.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use isolette::{
    Answer, CallContext, CallReply, Capability, CapabilityHandler, Error, Isolation, Language, LimitName, Owned,
    RunOptions, SandboxBuilder, Step,
    policy::{Approval, Decision, Limits},
};
use isolette_interface::{InterfaceName, Kind};
use isolette_tests::{Case, Skipped, engines, scenario};
use serde_json::json;

use super::forecast;

isolette::capability!({
    path: "conformance/capabilities/clock.wit",
    interface: "test:clock/waiting",
    implementation: Clock,
    resources: { alarm: Alarm },
    async: ["later", "forever"],
});

/// How many waits are pending.
#[derive(Default)]
struct Clock {
    waiting: Arc<AtomicUsize>,
}

struct Alarm;

impl waiting::AlarmMethods for Alarm {}

struct Waiting(Arc<AtomicUsize>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl waiting::Waiting for Clock {
    fn new_alarm(&self, _: &CallContext) -> Owned<Alarm> {
        Owned::new(Alarm)
    }

    async fn later(&self, _: &CallContext, n: u32) -> u32 {
        tokio::task::yield_now().await;
        n
    }

    async fn forever(&self, _: &CallContext) {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let _waiting = Waiting(Arc::clone(&self.waiting));
        std::future::pending::<()>().await;
    }

    fn explode(&self, _: &CallContext) {
        panic!("as requested");
    }

    fn busy(&self, _: &CallContext, milliseconds: u32) {
        let end = Instant::now() + Duration::from_millis(milliseconds.into());
        while Instant::now() < end {
            std::hint::spin_loop();
        }
    }

    fn remind(&self, context: &CallContext, who: String, times: u8) -> String {
        context.note(&format!("{times} times"));
        who.repeat(times.into())
    }
}

fn with_clock(case: &Case) -> SandboxBuilder {
    case.builder().capability(Clock::default())
}

/// A program with the interface as `clock`.
fn program(case: &Case, code: &str) -> String {
    let import = case.pick("from test.clock import waiting as clock\n", "var clock = require('test:clock/waiting');\n");
    import.to_owned() + code
}

#[scenario]
fn asynchronous_capability_functions_are_awaited(case: &Case) {
    let result = with_clock(case).build().unwrap().run(&program(case, "clock.later(7)")).unwrap();
    assert_eq!(result.value, Some(json!(7)), "{:?}", result.error);
}

#[scenario]
fn a_pending_capability_future_is_dropped_with_its_run(case: &Case) {
    let clock = Clock::default();
    let waiting = Arc::clone(&clock.waiting);
    let sandbox = case.builder().capability(clock).build().unwrap();
    let timeout = if engines::emulated() { 20 } else { 3 };
    let options = RunOptions::new().timeout(Duration::from_secs(timeout));
    let error = sandbox.run_with(&program(case, "clock.forever()"), options).unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error}");
    assert_eq!(error.partial().unwrap().calls[0].outcome.as_str(), "deadline");
    // The task is cancelled when its run has ended, and ends the next time that it is polled.
    let deadline = Instant::now() + Duration::from_secs(30);
    while waiting.load(Ordering::SeqCst) > 0 {
        assert!(Instant::now() < deadline, "it still waits");
        std::thread::yield_now();
    }
}

#[scenario]
fn a_panic_in_a_capability_function_is_an_error(case: &Case) {
    let code = case.pick(
        "try:\n    clock.explode()\nexcept Exception as error:\n    result = error.kind",
        "try { clock.explode() } catch (error) { result = error.kind }",
    );
    let result = with_clock(case).build().unwrap().run(&program(case, code)).unwrap();
    assert_eq!(result.value, Some(json!("failed")), "{:?}", result.error);
}

#[scenario]
fn time_in_capability_functions_is_not_cpu_time_of_the_guest(case: &Case) {
    let mut limits = Limits::default();
    (limits.cpu_time, limits.timeout) = (Duration::from_secs(2), Duration::from_secs(60));
    let result = with_clock(case).limits(limits).build().unwrap().run(&program(case, "clock.busy(3000)")).unwrap();
    assert!(result.error.is_none(), "{:?}", result.error);
}

#[scenario]
fn a_policy_rule_limits_capability_calls(case: &Case) {
    let sandbox = with_clock(case).allow_capability("test:clock/waiting.later 2").build().unwrap();
    let code = case.pick(
        "kinds = []\nfor call in [lambda: clock.later(1)] * 3 + [clock.explode]:\n    try:\n        call()\n        \
         kinds.append('ok')\n    except Exception as error:\n        kinds.append(error.kind)\nkinds",
        "result = [() => clock.later(1), () => clock.later(1), () => clock.later(1), clock.explode].map((call) => { try { \
         call(); return 'ok' } catch (error) { return error.kind } })",
    );
    let result = sandbox.run(&program(case, code)).unwrap();
    assert_eq!(result.value, Some(json!(["ok", "ok", "budget", "denied"])), "{:?}", result.error);
    assert_eq!(result.calls[0].rule.as_deref(), Some("test:clock/waiting.later 2"));
}

#[scenario]
fn capability_calls_and_resources_have_limits(case: &Case) {
    let mut limits = Limits::default();
    (limits.capability_calls, limits.resources) = (5, 2);
    let sandbox = with_clock(case).limits(limits).build().unwrap();
    let code = case.pick(
        "held, kinds = [], []\nfor make in [clock.Alarm] * 3 + [lambda: clock.later(1)] * 3:\n    try:\n        \
         held.append(make())\n        kinds.append('ok')\n    except Exception as error:\n        \
         kinds.append(error.kind)\nkinds",
        "const held = []; const alarm = () => new clock.Alarm(), later = () => clock.later(1); result = [alarm, alarm, \
         alarm, later, later, later].map((make) => { try { held.push(make()); return 'ok' } catch (error) { return \
         error.kind } })",
    );
    let result = sandbox.run(&program(case, code)).unwrap();
    assert_eq!(result.value, Some(json!(["ok", "ok", "budget", "ok", "ok", "budget"])), "{:?}", result.error);
    let reached: Vec<_> = result.limits_reached.iter().map(|limit_hit| limit_hit.name).collect();
    assert_eq!(reached, [LimitName::Resources, LimitName::CapabilityCalls]);
}

#[scenario]
fn the_approver_sees_capability_arguments(case: &Case) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&asked);
    let sandbox = with_clock(case)
        .approval(Approval::Rules(vec![
            "allow test:clock/waiting.later".parse().unwrap(),
            "ask test:*".parse().unwrap(),
        ]))
        .approver(move |request| {
            heard.lock().unwrap().push((request.target.clone(), request.arguments.clone()));
            async { Decision::deny("not today") }
        })
        .build()
        .unwrap();
    let code = case.pick(
        "clock.later(1)\ntry:\n    clock.remind('me', 2)\nexcept Exception as error:\n    result = error.kind",
        "clock.later(1); try { clock.remind('me', 2) } catch (error) { result = error.kind }",
    );
    let result = sandbox.run(&program(case, code)).unwrap();
    assert_eq!(result.value, Some(json!("denied")), "{:?}", result.error);
    let asked = asked.lock().unwrap();
    assert_eq!(*asked, [("test:clock/waiting.remind".to_owned(), json!({"who": "me", "times": 2}))]);
}

#[scenario]
fn a_call_of_a_function_waits_for_approval(case: &Case) -> Result<(), Skipped> {
    if case.isolation == Isolation::Wasm {
        return Err(Skipped("programs are not paused in this isolation".into()));
    }
    let sandbox = with_clock(case)
        .allow_capability("test:clock/waiting.remind 1")
        .approval(Approval::PerCall)
        .approver(async |_| Decision::Defer)
        .build()
        .unwrap();
    let start = || match sandbox.start(&program(case, "clock.remind('me', 2)")).unwrap() {
        Step::Paused(paused) => paused,
        other => panic!("not paused: {other:?}"),
    };
    let mut run = start();
    assert_eq!(
        (&*run.calls()[0].target, &run.calls()[0].arguments),
        ("test:clock/waiting.remind", &json!({"who": "me", "times": 2}))
    );
    let Step::Done(result) = run.resume(Answer::Approve).unwrap() else { panic!("it waits") };
    assert_eq!((result.value, result.usage.capability_calls), (Some(json!("meme")), 1), "{:?}", result.error);
    let mut run = start();
    let Step::Done(result) = run.resume(Answer::Deny("no".into())).unwrap() else { panic!("it waits") };
    assert!(result.error.unwrap().message.contains("test:clock/waiting.remind was not approved: no"));
    Ok(())
}

#[scenario]
fn capability_calls_are_recorded_with_their_types(case: &Case) {
    let result = with_clock(case).build().unwrap().run(&program(case, "clock.remind('a', 2)")).unwrap();
    assert_eq!(result.value, Some(json!("aa")), "{:?}", result.error);
    let call = &result.calls[0];
    assert_eq!(
        (call.capability.as_str(), &*call.operation, &*call.target),
        ("capabilities", "remind", "test:clock/waiting@1.3.0")
    );
    assert_eq!(call.signature.as_deref(), Some("remind: func(who: string, times: u8) -> string"));
    assert_eq!(call.note.as_deref(), Some("2 times"));
    assert_eq!(result.usage.capability_calls, 1);
}

/// Replies in place of the wrapped handler.
struct Canned(Arc<dyn CapabilityHandler>, usize);

impl CapabilityHandler for Canned {
    fn call(self: Arc<Self>, function: usize, arguments: &[u8], context: &CallContext) -> CallReply {
        if function == self.1 {
            return CallReply::Ready(Ok(9_u32.to_le_bytes().to_vec()));
        }
        Arc::clone(&self.0).call(function, arguments, context)
    }
}

#[scenario]
fn a_capability_can_be_wrapped(case: &Case) {
    let capability = Capability::from(Clock::default());
    let (later, _) = capability.interface().function("later").unwrap();
    let sandbox = case.builder().capability(capability.wrapped(|inner| Canned(inner, later))).build().unwrap();
    let result = sandbox.run(&program(case, "[clock.later(1), clock.remind('a', 1)]")).unwrap();
    assert_eq!(result.value, Some(json!([9, "a"])), "{:?}", result.error);
}

#[scenario]
fn a_compatible_later_interface_version_is_served(case: &Case) {
    // In Python the version is not written.
    let asks = |version: &str| match case.language {
        Language::Python => program(case, "clock.later(1)"),
        _ => format!("require('test:clock/waiting@{version}').later(1)"),
    };
    let sandbox = with_clock(case).build().unwrap();
    assert_eq!(sandbox.run(&asks("1.0.0")).unwrap().value, Some(json!(1)));
    if case.language != Language::Python {
        for version in ["1.4.0", "2.0.0"] {
            assert!(sandbox.run(&asks(version)).unwrap().error.is_some(), "{version}");
        }
    }
    let name: InterfaceName = "test:clock/waiting@1.3.0".parse().unwrap();
    assert_eq!(sandbox.capabilities().next().unwrap().name(), &name);
}

/// Declarations for models match what the interpreter reports of its functions.
#[scenario(only = Python, because = "JavaScript's functions do not know their types")]
fn declarations_match_the_modules_of_the_guest(case: &Case) {
    let capability = forecast::capability();
    let interface = capability.interface().clone();
    let declaration = capability.declaration(case.language);
    let sandbox = case.builder().capability(capability).build().unwrap();
    let code = "import dataclasses, inspect\nfrom acme.weather import forecast\nlines = []\n\
        for name in forecast.__all__:\n    member = getattr(forecast, name)\n    if inspect.isfunction(member):\n        \
        lines.append(f'def {name}{inspect.signature(member)}: ...')\n    elif dataclasses.is_dataclass(member):\n        \
        lines += [f'    {field.name}: {field.type}' for field in dataclasses.fields(member)]\nlines";
    let reported = sandbox.run(code).unwrap();
    let lines = reported.value.unwrap_or_else(|| panic!("{:?}", reported.error));
    let lines: Vec<&str> = lines.as_array().unwrap().iter().filter_map(|line| line.as_str()).collect();
    let functions = interface.functions.iter().filter(|function| function.name.resource_and_name().is_none()).count();
    let records = interface.types.iter().filter(|one| matches!(one.kind, Kind::Record { .. })).count();
    assert!(lines.len() > functions + records);
    let missing: Vec<_> = lines.into_iter().filter(|line| !declaration.contains(line)).collect();
    assert!(missing.is_empty(), "{missing:#?}\n{declaration}");
}
