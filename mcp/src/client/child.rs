//! Runs an MCP server as a child process; its messages are measured before they are parsed.

use std::{
    io,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use isolette::values::Reservation;
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use rmcp::{
    RoleClient,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::{Transport, async_rw::AsyncRwTransport},
};
use tokio::{
    process::{ChildStderr, ChildStdin, ChildStdout},
    time::timeout,
};

use super::pace::{Pace, Paced};
use crate::{
    measured::{self, Unread},
    transport::{
        lines::{Judge, Lines},
        one_line::OneLine,
    },
};

/// Maximum length of one message in bytes.
const MESSAGE: usize = 16 << 20;

/// Time that the process has to end after its input is closed, and again after `SIGTERM`.
const ENDING: Duration = Duration::from_secs(3);

/// The number of `SIGTERM` on all supported systems.
const TERMINATE: i32 = 15;

pub(super) struct Child {
    child: Option<Box<dyn ChildWrapper>>,
    messages: AsyncRwTransport<RoleClient, Lines<Paced<ChildStdout>, Answers>, OneLine<ChildStdin>>,
    pace: Pace,
}

/// Memory reserved for each message until the client waits for the next one.
#[derive(Debug, Default)]
pub(super) struct Answers(Vec<Reservation>);

impl Judge for Answers {
    fn passed(&mut self, room: Reservation) {
        self.0.push(room);
    }

    fn read(&mut self) {
        self.0.clear();
    }

    fn refused(&mut self, line: &[u8], why: &Unread) -> Vec<u8> {
        let Some(mut answer) = measured::in_place_of(line, why) else { return Vec::new() };
        answer.push(b'\n');
        answer
    }
}

impl Child {
    /// Starts the process. The caller must read its standard error.
    pub(super) fn start(mut command: CommandWrap) -> io::Result<(Self, Option<ChildStderr>)> {
        command.command_mut().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let taken = || io::Error::other("its input and output are taken");
        let input = child.inner_mut().stdin().take().ok_or_else(taken)?;
        let output = child.inner_mut().stdout().take().ok_or_else(taken)?;
        let error = child.inner_mut().stderr().take();
        let pace = Pace::new();
        let output = Lines::new(Paced::new(output, pace.clone()), MESSAGE, Answers::default());
        let messages = AsyncRwTransport::new_client(output, OneLine::new(input)).with_max_line_length(MESSAGE);
        Ok((Self { child: Some(child), messages, pace }, error))
    }

    /// Closes the input of the process, and kills the process if it does not end.
    async fn end(&mut self) -> io::Result<()> {
        let Some(mut child) = self.child.take() else { return Ok(()) };
        self.messages.close().await?;
        if ends(&mut child).await?.is_some() {
            return Ok(());
        }
        if child.signal(TERMINATE).is_ok() && ends(&mut child).await?.is_some() {
            return Ok(());
        }
        Box::into_pin(child.kill()).await
    }
}

async fn ends(child: &mut Box<dyn ChildWrapper>) -> io::Result<Option<ExitStatus>> {
    timeout(ENDING, child.wait()).await.map_or(Ok(None), |ended| ended.map(Some))
}

impl Drop for Child {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        // The process must be awaited, or it would remain as a zombie.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                if let Err(error) = Box::into_pin(child.kill()).await {
                    tracing::warn!(%error, "a child process could not be ended");
                }
            });
        }
    }
}

impl Transport<RoleClient> for Child {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        if matches!(message, TxJsonRpcMessage::<RoleClient>::Request(_)) {
            self.pace.asked();
        }
        self.messages.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        self.messages.receive().await
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.end().await
    }
}
