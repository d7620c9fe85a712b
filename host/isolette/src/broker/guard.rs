//! The steps of a call of a capability. Every call takes the same steps, in this order: its beginning is recorded, it
//! is counted, resolved and checked, charged to the shared budgets, approved, performed, its output is handed over, and
//! its end is recorded.

use isolette_abi::{Payload, capabilities::CapabilityError, files::FileError, http::HttpError, tools::ToolError};
use isolette_policy::Limits;
use isolette_types::CallOutcome;

use super::{Broker, Record, Stop};

/// A call of one capability, as the implementation of each step. The default of a step does nothing.
pub(super) trait GuardedCall {
    /// What `check` resolves, for use in `perform`.
    type Checked;
    /// The output that the program gets.
    type Output: Output;
    /// The error that the program gets instead.
    type Error: CallError;

    /// Records the beginning, with the digest of the arguments, and with the arguments if they are recorded.
    fn begin(&self, record: &mut Record, limits: &Limits);

    /// Counts the call against the limit of the run.
    fn count(&self, _: &Broker) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Resolves what is called, checks the arguments, and applies the rules of the policy.
    fn check(&self, broker: &Broker) -> Result<Result<Self::Checked, Self::Error>, Stop>;

    /// Charges the shared budgets.
    fn charge(&self, _: &Broker) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Applies the checks and asks the approver. The inner error is the reason of a refusal.
    fn agree(&self, checked: &Self::Checked, broker: &Broker) -> Result<Result<(), String>, Stop>;

    /// The error for a refused call.
    fn refused(&self, reason: String, _: &mut Record) -> Self::Error {
        Self::Error::denied(reason)
    }

    /// Performs the call.
    fn perform(&self, checked: Self::Checked, broker: &Broker) -> Result<Result<Self::Output, Self::Error>, Stop>;

    /// The error for an output that is longer than the `room` bytes that remain for payloads.
    fn no_room(&self, room: u64) -> Self::Error;

    /// Length of the result in bytes, for the record.
    fn bytes_in(&self, output: &Self::Output) -> u64 {
        output.bytes().len() as u64
    }
}

/// The output of a call.
pub(super) trait Output {
    /// The bytes that the program gets.
    fn bytes(&self) -> &[u8];

    /// The same, if they can be too long for a message: then they are taken out and kept for the guest to fetch. `None` for
    /// an output that always fits.
    fn long(&mut self) -> Option<&mut Vec<u8>>;
}

impl Output for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }

    fn long(&mut self) -> Option<&mut Vec<u8>> {
        Some(self)
    }
}

/// An output whose bytes are in the message or kept for the guest.
pub(super) struct HandedOver<T> {
    pub(super) output: T,
    /// Handle and length.
    kept: Option<(u32, u64)>,
}

impl<T: Output> HandedOver<T> {
    /// The bytes as the message carries them.
    pub(super) fn payload(&self) -> Payload<'_> {
        match self.kept {
            Some((handle, length)) => Payload::Stored { handle, length },
            None => Payload::Inline(self.output.bytes()),
        }
    }
}

/// An error that a program gets from a call.
pub(super) trait CallError {
    /// The outcome of the call, for the record.
    fn outcome(&self) -> CallOutcome;

    /// The error for a call that is refused for this reason.
    fn denied(reason: String) -> Self;
}

impl Broker {
    /// Takes all steps of a call.
    pub(super) fn guard<C: GuardedCall>(&mut self, call: &C) -> Result<Result<HandedOver<C::Output>, C::Error>, Stop> {
        call.begin(&mut self.record(), self.limits());
        let result = match self.admit(call)? {
            Ok(checked) => call.perform(checked, self)?,
            Err(error) => Err(error),
        };
        let result = result.and_then(|mut output| {
            let bytes_in = call.bytes_in(&output);
            match output.long().map_or(Ok(None), |bytes| self.hand_over(bytes)) {
                Ok(kept) => Ok((HandedOver { output, kept }, bytes_in)),
                Err(room) => Err(call.no_room(room)),
            }
        });
        let (outcome, bytes_in) = match &result {
            Ok((_, bytes_in)) => (CallOutcome::Ok, *bytes_in),
            Err(error) => (error.outcome(), 0),
        };
        self.record().end_call(outcome, bytes_in);
        Ok(result.map(|(handed_over, _)| handed_over))
    }

    /// The steps before the call is performed.
    fn admit<C: GuardedCall>(&self, call: &C) -> Result<Result<C::Checked, C::Error>, Stop> {
        if let Err(error) = call.count(self) {
            return Ok(Err(error));
        }
        let checked = match call.check(self)? {
            Ok(checked) => checked,
            Err(error) => return Ok(Err(error)),
        };
        if let Err(error) = call.charge(self) {
            return Ok(Err(error));
        }
        match call.agree(&checked, self)? {
            Ok(()) => Ok(Ok(checked)),
            Err(reason) => Ok(Err(call.refused(reason, &mut self.record()))),
        }
    }

    /// Keeps bytes that are too long for a message. `Err` is the number of bytes that there is room for.
    fn hand_over(&mut self, bytes: &mut Vec<u8>) -> Result<Option<(u32, u64)>, u64> {
        let length = bytes.len() as u64;
        self.transfers.keep_long(bytes).inspect_err(|room| self.no_room(length, *room))
    }
}

impl CallError for ToolError {
    fn outcome(&self) -> CallOutcome {
        match self {
            Self::UnknownTool(_) => CallOutcome::UnknownTool,
            Self::InvalidArguments(_) => CallOutcome::InvalidArguments,
            Self::Failed(_) => CallOutcome::Failed,
            Self::Denied(_) => CallOutcome::Denied,
            Self::Budget(_) => CallOutcome::Budget,
        }
    }

    fn denied(reason: String) -> Self {
        Self::Denied(reason)
    }
}

impl CallError for CapabilityError {
    fn outcome(&self) -> CallOutcome {
        match self {
            Self::Missing(_) => CallOutcome::Missing,
            Self::Invalid(_) => CallOutcome::Invalid,
            Self::Failed(_) => CallOutcome::Failed,
            Self::Denied(_) => CallOutcome::Denied,
            Self::Budget(_) | Self::Exhausted(_) => CallOutcome::Budget,
        }
    }

    fn denied(reason: String) -> Self {
        Self::Denied(reason)
    }
}

impl CallError for HttpError {
    fn outcome(&self) -> CallOutcome {
        match self {
            Self::Denied(_) => CallOutcome::Denied,
            Self::Dns(_) => CallOutcome::Dns,
            Self::Connect(_) => CallOutcome::Connect,
            Self::Tls(_) => CallOutcome::Tls,
            Self::Timeout(_) => CallOutcome::Timeout,
            Self::TooLarge(_) => CallOutcome::TooLarge,
            Self::Protocol(_) => CallOutcome::Protocol,
            Self::Budget(_) => CallOutcome::Budget,
        }
    }

    fn denied(reason: String) -> Self {
        Self::Denied(reason)
    }
}

impl CallError for FileError {
    fn outcome(&self) -> CallOutcome {
        match self {
            Self::Access | Self::ReadOnly => CallOutcome::Denied,
            Self::NotFound => CallOutcome::Missing,
            Self::NoSpace | Self::FileTooLarge | Self::TooManyFiles => CallOutcome::Budget,
            _ => CallOutcome::Failed,
        }
    }

    /// Programs only get an error number, so the reason is dropped.
    fn denied(_: String) -> Self {
        Self::Access
    }
}
