//! Places for guests: how many guests of a pool are live at a time, and who waits for the next one.

mod admission;
mod queue;

pub(crate) use self::admission::{Admission, GuestPlace, LastUse};
pub use self::queue::{Place, Queue, QueueLimits, Reason, Refused};
