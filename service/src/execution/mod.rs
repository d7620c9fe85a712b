//! Runs programs, from their place in the queue to their stored end.

mod adopt;
mod end;
mod execute;
mod in_context;
mod outcome;
mod publish;
mod resume;
mod taken;
mod unfinished;

pub(crate) use self::{
    adopt::{of_others, place},
    execute::{Execution, Target},
    publish::publish,
    resume::{answer, cancel},
    unfinished::take_over,
};
