//! Times as the database keeps them: milliseconds since 1970, in UTC.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A moment, in milliseconds since 1970.
pub(crate) type Moment = i64;

pub(crate) fn now() -> Moment {
    moment(SystemTime::now())
}

/// The moment after a time. Times that cannot be represented are the last one.
pub(crate) fn after(time: Duration) -> Moment {
    now().saturating_add(Moment::try_from(time.as_millis()).unwrap_or(Moment::MAX))
}

pub(crate) fn moment(time: SystemTime) -> Moment {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment::try_from(since.as_millis()).unwrap_or(Moment::MAX)
}

/// The text of a moment as RFC 3339 in UTC, with milliseconds.
pub(crate) fn text(moment: Moment) -> String {
    // The last moment that the format can represent is at the end of the year 9999.
    let millis = u64::try_from(moment).unwrap_or(0).min(253_402_300_799_999);
    humantime::format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(millis)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_moment_has_a_text() {
        assert_eq!(text(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(text(1_764_000_000_123), "2025-11-24T16:00:00.123Z");
        assert_eq!(text(Moment::MAX), "9999-12-31T23:59:59.999Z");
        assert_eq!(text(-1), "1970-01-01T00:00:00.000Z");
        assert_eq!(after(Duration::MAX), Moment::MAX);
    }
}
