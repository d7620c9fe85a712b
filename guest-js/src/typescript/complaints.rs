//! Errors of the parser and their positions.

use std::{cell::RefCell, rc::Rc};

use swc_common::{
    BytePos,
    errors::{DiagnosticBuilder, Emitter, Handler},
};

#[derive(Clone, Default)]
pub(super) struct Complaints(Rc<RefCell<Vec<Complaint>>>);

pub(super) type Complaint = (String, Option<BytePos>);

impl Complaints {
    pub(super) fn handler(&self) -> Handler {
        Handler::with_emitter(false, false, Box::new(self.clone()))
    }

    pub(super) fn first(&self) -> Option<Complaint> {
        self.0.borrow().first().cloned()
    }
}

impl Emitter for Complaints {
    fn emit(&mut self, diagnostic: &mut DiagnosticBuilder<'_>) {
        let position = diagnostic.span.primary_span().map(|span| span.lo);
        self.0.borrow_mut().push((diagnostic.message(), position));
    }
}
