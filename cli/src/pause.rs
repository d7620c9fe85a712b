//! `run --pause-on`, `run --pause-for-approval` and `resume`: programs that wait in a file until their calls are answered.

use std::{collections::BTreeMap, path::Path};

use isolette::{
    Answer, Asks, Error, PausedCall, Redaction, RunOptions, SandboxBuilder, SavedRun, Step, Tool,
    policy::{Decision, PolicyFile},
    values::read_json,
};
use serde_json::{Value, json};

use crate::{
    arguments::Resume,
    audit::Recorder,
    exit::{self, Code},
    interrupt::interrupt,
    printer::Printer,
    report, sandbox_options,
    sandbox_options::SandboxOptions,
    service::{self, Answers},
};

/// A tool whose calls pause the program.
pub(crate) fn tool(name: &str) -> Result<Tool, Error> {
    Tool::deferred(name, "Pauses the program until the caller answers", json!({ "type": "object" }))
}

/// Makes calls that need approval pause the program.
pub(crate) fn for_approval(builder: SandboxBuilder) -> SandboxBuilder {
    builder.approver(async |_| Decision::Defer)
}

/// Prints the end of a program, or saves it and prints the calls that wait. Returns the exit code.
pub(crate) fn finish(step: Result<Step, Error>, printer: &Printer, file: &Path) -> Code {
    match step {
        Ok(Step::Paused(mut paused)) => {
            printer.end_output();
            match paused.save(file) {
                Ok(()) => say_paused(paused.calls(), printer.json, file),
                Err(error) => printer.finish(&Err(error)),
            }
        }
        Ok(Step::Done(result)) => printer.finish(&Ok(result)),
        Ok(_) => exit::USAGE,
        Err(error) => printer.finish(&Err(error)),
    }
}

fn say_paused(calls: &[PausedCall], json: bool, file: &Path) -> Code {
    show(calls, json);
    if !json {
        let file = file.display();
        let answer = match calls.first().map(|call| call.asks) {
            Some(Asks::Approval) => "--approve, or --deny TEXT",
            _ => "--answer JSON",
        };
        say!("the program is paused\nhint: answer the first call: isolette resume {file} {answer}");
    }
    exit::PAUSED
}

/// Prints calls: as one JSON object, or one on each line.
fn show(calls: &[PausedCall], json: bool) {
    if json {
        report::print(&json!({ "paused": calls }));
        return;
    }
    for call in calls {
        let PausedCall { id, target, arguments, reason, .. } = call;
        match call.asks {
            Asks::Approval => {
                let operation = &call.operation;
                report::line(&format!("call {id} needs approval ({reason}): {operation} {target} {arguments}"));
            }
            _ => report::line(&format!("call {id}: {target} {arguments}")),
        }
    }
}

/// `isolette resume`.
pub(crate) fn resume(options: Resume) -> Code {
    let json = options.json;
    let done = match Target::of(&options) {
        Target::File => execute(options),
        target => on_server(&target, &options),
    };
    done.unwrap_or_else(|error| report::not_started(&error, json))
}

/// The target of `resume`.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    File,
    Run(String),
    Sandbox(String),
}

impl Target {
    fn of(options: &Resume) -> Self {
        let name = options.saved.to_str().unwrap_or_default();
        match name {
            _ if options.saved.exists() => Self::File,
            name if name.starts_with("run-") => Self::Run(name.into()),
            name if !answers_something(options) && !options.show => Self::Sandbox(name.into()),
            _ => Self::File,
        }
    }
}

fn answers_something(options: &Resume) -> bool {
    let Resume { answer, error, answers, deny, approve, .. } = options;
    *approve || [answer, error, answers, deny].into_iter().any(Option::is_some)
}

fn on_server(target: &Target, options: &Resume) -> Result<Code, Error> {
    let has_flags_of_files = options.sandbox != SandboxOptions::default()
        || options.pause_for_approval
        || !options.pause_on.is_empty()
        || options.audit.audit.is_some();
    if has_flags_of_files {
        return Err(Error::invalid(
            "what is on the server has the policy and the audit that it was created with",
            "leave the flags of the policy out, or name the file of a paused program",
        ));
    }
    Ok(match target {
        Target::Run(run) if options.show => service::show_calls(run, &options.server, options.json),
        Target::Run(run) => service::answer(run, given(options)?, &options.server, options.json),
        Target::Sandbox(name) => service::resume(name, &options.server, options.json),
        Target::File => exit::USAGE,
    })
}

fn execute(options: Resume) -> Result<Code, Error> {
    let saved = SavedRun::load(&options.saved)?;
    let calls = saved.calls();
    if options.show {
        show(&calls, options.json);
        return Ok(Code::SUCCESS);
    }
    let answers = answers(&options, &calls)?;
    let policy = options.sandbox.over(PolicyFile::default())?;
    let mut builder = sandbox_options::builder(&policy, saved.language());
    if policy.isolation.is_none() {
        builder = builder.isolation(saved.isolation().into());
    }
    if options.pause_for_approval {
        builder = for_approval(builder);
    }
    let deferred = calls.iter().filter(|call| call.is_deferred).map(|call| &*call.target);
    let mut names: Vec<&str> = deferred.chain(options.pause_on.iter().map(|name| &**name)).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        builder = builder.tool(tool(name)?);
    }
    let sandbox = Recorder::open(&options.audit, Redaction::default())?.put_on_record(builder).build()?;
    let printer = Printer::new(options.json, sandbox.explain().isolation);
    let run = printer.follow(RunOptions::new().cancel(interrupt()));
    let step = sandbox.paused_from(&saved, run)?.resume_with(answers);
    Ok(finish(step, &printer, &options.saved))
}

/// The answers, by the numbers of the calls.
fn answers(options: &Resume, calls: &[PausedCall]) -> Result<Vec<(u64, Answer)>, Error> {
    Ok(match given(options)? {
        Answers::First(answer) => vec![(calls.first().map_or(0, |call| call.id), answer)],
        Answers::Each(answers) => answers.into_iter().collect(),
    })
}

/// The answers of the flags.
fn given(options: &Resume) -> Result<Answers, Error> {
    if options.approve {
        return Ok(Answers::First(Answer::Approve));
    }
    if let Some(message) = &options.deny {
        return Ok(Answers::First(Answer::Deny(message.clone())));
    }
    if let Some(message) = &options.error {
        return Ok(Answers::First(Answer::Error(message.clone())));
    }
    if let Some(text) = &options.answer {
        let value: Value = read_json(text.as_bytes()).map_err(|error| match error.of("answer") {
            (why, Some(hint)) => Error::invalid(why, hint),
            (why, None) => Error::invalid(
                format!("the answer is not JSON: {why}"),
                format!("write a text in quotes: --answer '{}'", json!(text)),
            ),
        })?;
        return Ok(Answers::First(Answer::Value(value)));
    }
    let Some(text) = &options.answers else {
        return Err(Error::invalid(
            "there is no answer to the call",
            "answer it with --answer JSON, --error TEXT, --approve or --deny TEXT; --show prints it",
        ));
    };
    let answers: BTreeMap<u64, Answer> = read_json(text.as_bytes()).map_err(|error| match error.of("answers") {
        (why, Some(hint)) => Error::invalid(why, hint),
        (why, None) => Error::invalid(
            format!("the answers are malformed: {why}"),
            r#"write them as {"1": {"value": 5}, "2": {"error": "no such order"}, "3": "approve", "4": {"deny": "too much"}}"#,
        ),
    })?;
    Ok(Answers::Each(answers))
}
