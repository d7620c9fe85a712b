//! The interface that most tests of capabilities call.

use std::sync::Arc;

use isolette::{CallContext, CallFailure, Capability};
use isolette_interface::read_text;

use super::byte_server::serve;

const WIT: &str = include_str!("forecast.wit");
const NAME: &str = "acme:weather/forecast";

/// Counts the existing stations.
#[derive(Clone, Default)]
pub(super) struct Live(Arc<()>);

impl Live {
    pub(super) fn count(&self) -> usize {
        // One of them belongs to this value.
        Arc::strong_count(&self.0) - 1
    }
}

struct Station {
    name: String,
    _live: Arc<()>,
}

pub(super) fn capability() -> Capability {
    counted().0
}

/// With the counter of stations.
pub(super) fn counted() -> (Capability, Live) {
    let live = Live::default();
    let stations = Arc::downgrade(&live.0);
    let new = move |name: &str| Arc::new(Station { name: name.into(), _live: stations.upgrade().unwrap_or_default() });
    let station = read_text(WIT, NAME).unwrap().definition("station").unwrap().0;
    let capability =
        serve(WIT, NAME, move |function, arguments, context| answer(&new, station, function, arguments, context));
    (capability, live)
}

fn answer(
    new: &impl Fn(&str) -> Arc<Station>,
    kind: usize,
    function: &str,
    arguments: &[u8],
    context: &CallContext,
) -> Result<Vec<u8>, CallFailure> {
    let resources = context.resources();
    let handle = |at| number_at(arguments, at);
    let give = |name: &str| Ok::<_, CallFailure>(resources.give(kind, new(name))?.to_le_bytes());
    Ok(match function {
        "get" => match text_at(arguments, 0)? {
            "Paris" => report(None),
            "often" => vec![1, 1],
            city => [&[1, 0], &*text(city)].concat(),
        },
        "fail" => [&[1], &*text("the mast fell"), &507_u16.to_le_bytes(), &1_u32.to_le_bytes(), &*text("x")].concat(),
        "complain" => [&[1], arguments].concat(),
        "refuse" => vec![1, 1],
        "give-up" => vec![1],
        "break-down" => return Err(CallFailure::Failed("the machine is on fire".into())),
        "[constructor]station" => give(text_at(arguments, 0)?)?.to_vec(),
        "[static]station.find" => match text_at(arguments, 0)? {
            "nowhere" => vec![0],
            name => [&[1], &give(name)?[..]].concat(),
        },
        "[method]station.name" => text(&resources.borrow::<Station>(kind, handle(0)?)?.name),
        "[method]station.report" => {
            let station = resources.borrow::<Station>(kind, handle(0)?)?;
            report(Some(&format!("{} on day {}", station.name, arguments.get(4).copied().unwrap_or_default())))
        }
        "join" => {
            let first = resources.take::<Station>(kind, handle(0)?)?;
            let second = resources.borrow::<Station>(kind, handle(4)?)?;
            [2_u32.to_le_bytes(), give(&first.name)?, give(&second.name)?].concat()
        }
        "merge" => {
            let count = handle(0)? as usize;
            let stations = (1..=count).map(|index| Ok(resources.take::<Station>(kind, handle(4 * index)?)?));
            let names = stations
                .map(|station: Result<_, CallFailure>| Ok(station?.name.clone()))
                .collect::<Result<Vec<_>, CallFailure>>()?;
            text(&names.join(" and "))
        }
        _ => arguments.to_vec(),
    })
}

fn report(note: Option<&str>) -> Vec<u8> {
    let note = note.map_or(vec![0], |note| [&[1], &*text(note)].concat());
    [&[0], &21.5_f64.to_le_bytes()[..], &0.1_f32.to_le_bytes(), &[1, 0b101], &note].concat()
}

fn text(text: &str) -> Vec<u8> {
    [&u32::try_from(text.len()).unwrap().to_le_bytes(), text.as_bytes()].concat()
}

fn text_at(bytes: &[u8], at: usize) -> Result<&str, CallFailure> {
    let length = number_at(bytes, at)? as usize;
    let text = bytes.get(at + 4..).and_then(|rest| rest.get(..length)).ok_or_else(malformed)?;
    std::str::from_utf8(text).map_err(|_| malformed())
}

fn number_at(bytes: &[u8], at: usize) -> Result<u32, CallFailure> {
    let number = bytes.get(at..).and_then(<[u8]>::first_chunk).ok_or_else(malformed)?;
    Ok(u32::from_le_bytes(*number))
}

/// The macro generates better errors; for this test any error is sufficient.
fn malformed() -> CallFailure {
    CallFailure::Failed("malformed arguments".into())
}
