//! Formats warnings of the library like messages of the tool.

use std::fmt::{self, Write as _};

use tracing::{Event, Subscriber, field::Field};
use tracing_subscriber::{
    field::Visit,
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    registry::LookupSpan,
};

use crate::terminal::shown;

/// The beginning of the targets of the crate `isolette` and of the crates behind it.
const LIBRARY: &str = "isolette";

/// The format of a warning.
pub(crate) struct Warning;

impl<S: Subscriber + for<'a> LookupSpan<'a>, F: for<'a> FormatFields<'a> + 'static> FormatEvent<S, F> for Warning {
    fn format_event(&self, _: &FmtContext<'_, S, F>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let target = event.metadata().target();
        if !target.starts_with(LIBRARY) || target.starts_with("isolette_mcp") {
            return Ok(());
        }
        let mut text = Text::default();
        event.record(&mut text);
        let text = format!("{}{}", text.message, text.rest);
        writeln!(writer, "warning: {}", shown(&std::io::stderr(), &text))
    }
}

/// The message and the other fields of an event.
#[derive(Default)]
struct Text {
    message: String,
    rest: String,
}

impl Visit for Text {
    fn record_str(&mut self, _: &Field, value: &str) {
        self.rest.push_str(": ");
        self.rest.push_str(value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a `String` does not fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            _ => write!(self.rest, ": {value:?}"),
        };
    }
}
