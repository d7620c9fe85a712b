//! Runs programs, from their place in the queue to their stored end.

mod execute;
mod publish;
mod resume;
mod unfinished;

pub(crate) use self::{
    execute::{Execution, Target},
    publish::{of_others, place, publish},
    resume::{answer, cancel},
    unfinished::take_over,
};
