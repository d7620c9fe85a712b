//! Runs programs, from their place in the queue to their stored end.

mod adopt;
mod end;
mod execute;
mod outcome;
mod paused_context;
mod publish;
mod resume;
mod unfinished;

pub(crate) use self::{
    adopt::{of_others, place},
    execute::{Execution, Target},
    publish::publish,
    resume::{answer, cancel},
    unfinished::take_over,
};
