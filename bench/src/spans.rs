//! Collects the durations of tracing spans of a run.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tracing::{Metadata, Subscriber, span};
use tracing_subscriber::{Layer, layer::Context, registry::LookupSpan};

/// The durations of spans, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spans(Arc<Mutex<HashMap<&'static str, Vec<Duration>>>>);

struct Entered(Instant);

/// The measured spans. Other spans are disabled, like in a program without a subscriber.
const PARTS: [&str; 10] =
    ["digest", "map", "instantiate", "load", "snapshot", "warm_up", "save", "start", "restore", "prefault"];

impl Spans {
    /// Removes all durations.
    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Removes and returns the durations of a span.
    pub(crate) fn take(&self, name: &str) -> Vec<Duration> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(name).unwrap_or_default()
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Spans {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        PARTS.contains(&metadata.name())
    }

    fn on_enter(&self, id: &span::Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            span.extensions_mut().replace(Entered(Instant::now()));
        }
    }

    fn on_exit(&self, id: &span::Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let Some(Entered(since)) = span.extensions_mut().remove::<Entered>() else { return };
        let mut spans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spans.entry(span.name()).or_default().push(since.elapsed());
    }
}
