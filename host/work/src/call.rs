//! The host call that is being answered.

use std::{
    any::{Any, TypeId},
    cell::RefCell,
    fmt,
    future::poll_fn,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::values::{NoMemory, Reservation};

thread_local! {
    static CURRENT: RefCell<Option<Arc<Call>>> = const { RefCell::new(None) };
}

/// Reports whether the run must end for which the host does work, and what the run holds.
pub trait Interrupt: fmt::Debug + Send + Sync {
    /// Returns whether the run must end now. Called every few thousand steps.
    fn is_over(&self) -> bool;

    /// Returns the value of this type that the run holds, if there is one.
    fn held(&self, _kind: TypeId) -> Option<Arc<dyn Any + Send + Sync>> {
        None
    }
}

/// The host call that the host is answering: when its run must end, and the memory that is reserved for it.
///
/// It is not passed as an argument: [`Call::within`] and [`Call::along`] make it the current one of a thread or a
/// future.
#[derive(Debug)]
pub struct Call {
    interrupt: Arc<dyn Interrupt>,
    /// One reservation for all values, since the limit is that of the whole call.
    values: Mutex<Reservation>,
}

impl Call {
    /// Creates a call of a run that must end when [`Interrupt::is_over`] returns `true`.
    pub fn new(interrupt: impl Interrupt + 'static) -> Arc<Self> {
        Self::of(Arc::new(interrupt))
    }

    /// The same for an interrupt that all calls of a run share.
    pub fn of(interrupt: Arc<dyn Interrupt>) -> Arc<Self> {
        Arc::new(Self { interrupt, values: Mutex::default() })
    }

    /// Returns the current call of this thread. `None` outside of a call.
    #[must_use]
    pub fn current() -> Option<Arc<Self>> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Runs `work` on this thread with this call as the current one.
    pub fn within<T>(self: &Arc<Self>, work: impl FnOnce() -> T) -> T {
        let _entered = Entered::new(Arc::clone(self));
        work()
    }

    /// Makes a future part of the current call, on every thread on which it is polled.
    pub fn along<F: Future>(future: F) -> impl Future<Output = F::Output> {
        let call = Self::current();
        async move {
            let mut future = pin!(future);
            poll_fn(|context| match &call {
                Some(call) => call.within(|| future.as_mut().poll(context)),
                None => future.as_mut().poll(context),
            })
            .await
        }
    }

    /// Reserves memory for values until the call has ended.
    ///
    /// # Errors
    /// [`NoMemory`] if too little memory is free, or if the call would exceed its share.
    pub fn reserve(&self, bytes: u64) -> Result<(), NoMemory> {
        self.values().grow(bytes)
    }

    /// Releases some of that memory before the call has ended. Amounts beyond what is reserved are ignored.
    pub fn give_back(&self, bytes: u64) {
        let mut values = self.values();
        let rest = values.bytes().saturating_sub(bytes);
        values.shrink_to(rest);
    }

    /// Adds a reservation to the current call, which releases it at its end. Outside of a call it is released at once.
    pub fn keep(reservation: Reservation) {
        if let Some(call) = Self::current() {
            call.values().absorb(reservation);
        }
    }

    /// Returns how many bytes are reserved for the values of the call.
    #[must_use]
    pub fn reserved(&self) -> u64 {
        self.values().bytes()
    }

    /// Returns the value of a type that the run of the call holds, if there is one.
    #[must_use]
    pub fn held<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.interrupt.held(TypeId::of::<T>())?.downcast().ok()
    }

    /// Returns whether the run of the call must end now.
    pub(crate) fn is_over(&self) -> bool {
        self.interrupt.is_over()
    }

    fn values(&self) -> MutexGuard<'_, Reservation> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Restores the previously current call when it is dropped, also when the work panics.
struct Entered(Option<Arc<Call>>);

impl Entered {
    fn new(call: Arc<Call>) -> Self {
        Self(CURRENT.replace(Some(call)))
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let before = self.0.take();
        // While a thread ends, its thread-local values may already be destroyed.
        let _ = CURRENT.try_with(|current| current.replace(before));
    }
}
