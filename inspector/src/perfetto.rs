//! Traces in the format of Chrome and Perfetto: Trace Event Format, "JSON Object Format".

use serde_json::{Value, json};

use crate::{Call, Document, Run};

/// The runs of a document as a trace: a process for each run, a thread for each lane of calls that are in flight together.
#[must_use]
pub fn perfetto(document: &Document) -> Value {
    let mut events = Vec::new();
    for (process, run) in (1_u64..).zip(&document.runs) {
        add(&mut events, process, run);
    }
    json!({ "displayTimeUnit": "ms", "traceEvents": events })
}

fn add(events: &mut Vec<Value>, process: u64, run: &Run) {
    let begin = run.began.as_deref().and_then(microseconds).unwrap_or(0.0);
    let short: String = run.run.chars().take(12).collect();
    let name = format!("{} {short}", run.program.as_deref().unwrap_or("run"));
    events.push(json!({ "ph": "M", "name": "process_name", "pid": process, "args": { "name": name } }));
    let lanes = run.calls.iter().map(|call| call.lane + 1).max().unwrap_or(0);
    for lane in 0..=lanes {
        let name = if lane == 0 { "run".to_owned() } else { format!("calls {lane}") };
        let event = json!({
            "ph": "M", "name": "thread_name", "pid": process, "tid": lane, "args": { "name": name },
        });
        events.push(event);
    }
    let last = run.calls.iter().map(|call| call.started_ms + call.duration_ms).fold(0.0, f64::max);
    let wall = run.usage.get("wall_ms").and_then(Value::as_f64).unwrap_or(last);
    events.push(json!({
        "ph": "X", "name": run.ending.as_deref().unwrap_or("not ended"), "cat": "run", "pid": process, "tid": 0, "ts": begin,
        "dur": wall * 1e3,
        "args": { "run": run.run, "session": run.session, "language": run.language, "engine": run.engine, "usage": run.usage },
    }));
    for pause in &run.pauses {
        let at = microseconds(&pause.time).unwrap_or(begin);
        events.push(json!({ "ph": "i", "s": "p", "name": pause.kind, "pid": process, "tid": 0, "ts": at }));
    }
    for call in &run.calls {
        events.push(json!({
            "ph": "X", "name": format!("{} {}", call.operation, call.target), "cat": call.capability, "pid": process,
            "tid": call.lane + 1, "ts": begin + call.started_ms * 1e3, "dur": call.duration_ms * 1e3,
            "args": arguments(call),
        }));
    }
}

/// The arguments of a call in the trace. Fields that its source does not have are left out.
fn arguments(call: &Call) -> Value {
    let mut all = json!({
        "number": call.number, "target": call.target, "outcome": call.outcome, "rule": call.rule, "approval": call.approval,
        "arguments": call.arguments, "arguments_sha256": call.arguments_sha256, "mismatch": call.mismatch, "note": call.note,
        "bytes_out": call.bytes_out, "bytes_in": call.bytes_in, "line": call.line,
    });
    if let Value::Object(all) = &mut all {
        all.retain(|_, value| !value.is_null());
        if !call.hops.is_empty() {
            all.insert("hops".into(), json!(call.hops));
        }
    }
    all
}

/// The microseconds since 1970 of a time as RFC 3339 in UTC.
fn microseconds(text: &str) -> Option<f64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let mut date = date.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let mut time = time.split(':');
    let (hour, minute) = (time.next()?.parse::<f64>().ok()?, time.next()?.parse::<f64>().ok()?);
    let second = time.next()?.parse::<f64>().ok()?;
    // Days of the proleptic Gregorian calendar, of years that begin in March.
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let days =
        365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5 + day;
    let seconds = (days - 719_469) as f64 * 86_400.0 + hour * 3600.0 + minute * 60.0 + second;
    Some(seconds * 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pause;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0.0),
            ("2000-02-29T12:00:00Z", 951_825_600.0),
            ("2026-11-26T21:35:55.845324Z", 1_795_728_955.845_324),
        ] {
            assert_eq!(
                microseconds(text).map(|time| (time / 1e6 * 1e3).round()),
                Some((seconds * 1e3_f64).round()),
                "{text}"
            );
        }
        assert_eq!(microseconds("yesterday"), None);
    }

    #[test]
    fn a_trace_has_a_process_for_each_run_and_a_thread_for_each_lane() {
        let call = |number: u64, outcome: &str| Call {
            number,
            started_ms: 1.5,
            duration_ms: 2.0,
            capability: "http".into(),
            operation: "GET".into(),
            target: "https://example.com/".into(),
            outcome: outcome.into(),
            ..Call::default()
        };
        let pause = Pause { kind: "paused".into(), time: "1970-01-01T00:00:01.5Z".into(), calls: 2 };
        let mut run = Run {
            run: "0a".into(),
            began: Some("1970-01-01T00:00:01Z".into()),
            ending: Some("ok".into()),
            calls: vec![call(1, "ok"), Call { rule: Some("GET *".into()), ..call(2, "denied") }],
            pauses: vec![pause],
            ..Run::default()
        };
        run.complete();
        let trace = perfetto(&Document { runs: vec![run], ..Document::default() });
        let of_call = |number: u64, rest: Value| {
            let mut all = json!({ "number": number, "target": "https://example.com/", "bytes_out": 0, "bytes_in": 0 });
            all.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
            json!({
                "ph": "X", "name": "GET https://example.com/", "cat": "http", "pid": 1, "tid": number, "ts": 1_001_500.0,
                "dur": 2000.0, "args": all,
            })
        };
        let thread = |tid: u64, name: &str| {
            let args = json!({ "name": name });
            json!({ "ph": "M", "name": "thread_name", "pid": 1, "tid": tid, "args": args })
        };
        let expected = json!([
            { "ph": "M", "name": "process_name", "pid": 1, "args": { "name": "run 0a" } },
            thread(0, "run"), thread(1, "calls 1"), thread(2, "calls 2"),
            {
                "ph": "X", "name": "ok", "cat": "run", "pid": 1, "tid": 0, "ts": 1_000_000.0, "dur": 3500.0,
                "args": { "run": "0a", "session": null, "language": null, "engine": null, "usage": {} },
            },
            { "ph": "i", "s": "p", "name": "paused", "pid": 1, "tid": 0, "ts": 1_500_000.0 },
            of_call(1, json!({ "outcome": "ok" })),
            of_call(2, json!({ "outcome": "denied", "rule": "GET *" })),
        ]);
        assert_eq!(trace["traceEvents"], expected);
    }
}
