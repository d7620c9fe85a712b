//! The interface that most of these tests call.

use std::sync::{Arc, Mutex};

use isolette::{CallContext, CallFailure, Capability};

use super::served::serve;

const WIT: &str = include_str!("forecast.wit");

/// Counts the stations that there are.
#[derive(Clone, Default)]
pub(super) struct Live(Arc<()>);

impl Live {
    pub(super) fn count(&self) -> usize {
        // One is this one's, one the capability's.
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

/// With what knows how many stations there are.
pub(super) fn counted() -> (Capability, Live) {
    let live = Live::default();
    let stations = Arc::downgrade(&live.0);
    let new = move |name: &str| Arc::new(Station { name: name.into(), _live: stations.upgrade().unwrap_or_default() });
    let notes = Mutex::new(0);
    let capability = serve(WIT, "acme:weather/forecast", move |function, arguments, context| {
        *notes.lock().unwrap() += 1;
        answer(&new, function, arguments, context)
    });
    (capability, live)
}

fn answer(
    new: &impl Fn(&str) -> Arc<Station>,
    function: &str,
    arguments: &[u8],
    context: &CallContext,
) -> Result<Vec<u8>, CallFailure> {
    const STATION: usize = 7;
    let resources = context.resources();
    let handle = |at: usize| u32::from_le_bytes(arguments[at..at + 4].try_into().unwrap());
    let give = |name: &str| Ok::<_, CallFailure>(resources.give(STATION, new(name))?.to_le_bytes());
    Ok(match function {
        "get" => match text_at(arguments, 0) {
            "Paris" => report(None),
            "often" => vec![1, 1],
            city => [&[1, 0], &*text(city)].concat(),
        },
        "fail" => [&[1], &*text("the mast fell"), &507_u16.to_le_bytes(), &1_u32.to_le_bytes(), &*text("x")].concat(),
        "complain" => [&[1], arguments].concat(),
        "refuse" => vec![1, 1],
        "give-up" => vec![1],
        "break-down" => return Err(CallFailure::Failed("the machine is on fire".into())),
        "[constructor]station" => give(text_at(arguments, 0))?.to_vec(),
        "[static]station.find" => match text_at(arguments, 0) {
            "nowhere" => vec![0],
            name => [&[1], &give(name)?[..]].concat(),
        },
        "[method]station.name" => text(&resources.borrow::<Station>(STATION, handle(0))?.name),
        "[method]station.report" => {
            let station = resources.borrow::<Station>(STATION, handle(0))?;
            report(Some(&format!("{} on day {}", station.name, arguments[4])))
        }
        "join" => {
            let first = resources.take::<Station>(STATION, handle(0))?;
            let second = resources.borrow::<Station>(STATION, handle(4))?;
            [2_u32.to_le_bytes(), give(&first.name)?, give(&second.name)?].concat()
        }
        "merge" => {
            let count = handle(0) as usize;
            let stations = (1..=count).map(|index| resources.take::<Station>(STATION, handle(4 * index)));
            let names = stations.map(|station| Ok(station?.name.clone())).collect::<Result<Vec<_>, CallFailure>>()?;
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

fn text_at(bytes: &[u8], at: usize) -> &str {
    let length = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    std::str::from_utf8(&bytes[at + 4..at + 4 + length]).unwrap()
}
