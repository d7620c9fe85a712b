//! Traces in the format of Chrome and Perfetto: Trace Event Format, "JSON Object Format".

use serde_json::{Value, json};

use crate::{Document, Run};

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
            "args": {
                "number": call.number, "outcome": call.outcome, "rule": call.rule, "arguments": call.arguments,
                "bytes_out": call.bytes_out, "bytes_in": call.bytes_in,
            },
        }));
    }
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
    use crate::Call;

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
    fn calls_in_flight_together_are_in_threads_of_their_own() {
        let call = |number| Call { number, duration_ms: 2.0, operation: "GET".into(), ..Call::default() };
        let mut run = Run { run: "0a".into(), calls: vec![call(1), call(2)], ..Run::default() };
        run.complete();
        let trace = perfetto(&Document { runs: vec![run], ..Document::default() });
        let threads: Vec<_> =
            trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == "X").collect();
        assert_eq!(threads.iter().map(|event| event["tid"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
