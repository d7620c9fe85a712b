//! Runs programs, from their place in the queue to their stored end.

mod execute;
mod resume;
mod unfinished;

pub(crate) use self::{
    execute::{Execution, Target},
    resume::{answer, cancel},
    unfinished::take_over,
};
