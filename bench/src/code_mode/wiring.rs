//! A model that calls the shop's tools itself, and one that writes a program: who says what to whom.
//!
//! Both are scripted, and make the same calls in the same order. What they read and write is kept as a model's context
//! would have it.

use std::{
    env,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use isolette_agent::rendering::estimate_tokens;
use rmcp::{
    RoleClient, ServiceExt as _, model::CallToolRequestParams, service::RunningService, transport::TokioChildProcess,
};
use serde_json::{Value, json};
use tokio::process::Command;

use super::shop::TOTALS;

/// What the model is asked in either wiring.
const QUESTION: &str = "What does every user have to pay for all orders, after discount and with tax? Most first.";

/// What the model writes in place of 36 calls.
const PROGRAM: &str = include_str!("totals.py");

/// What one turn of a model adds to its context: the calls that it writes, and what comes back.
#[derive(Debug, Default)]
struct Turn {
    written: String,
    read: String,
}

/// Everything between a question and the answer.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    /// Names, descriptions and parameters of all tools.
    definitions: String,
    turns: Vec<Turn>,
    /// From the first call to the last result, without the time that a model takes to think.
    pub(crate) time: Duration,
}

impl Conversation {
    pub(crate) fn turns(&self) -> usize {
        self.turns.len()
    }

    /// Bytes of the definitions, of what the model writes, and of what it reads.
    pub(crate) fn bytes(&self) -> [usize; 3] {
        let sum = |of: fn(&Turn) -> &String| self.turns.iter().map(|turn| of(turn).len()).sum();
        [self.definitions.len(), sum(|turn| &turn.written), sum(|turn| &turn.read)]
    }

    /// Tokens in the context when the model gives its answer.
    pub(crate) fn context(&self) -> usize {
        self.contexts().last().unwrap_or_default()
    }

    /// Tokens that the model is sent over all turns, since each turn sends the whole context again.
    pub(crate) fn sent(&self) -> usize {
        self.contexts().sum()
    }

    /// The context before each turn, and before the answer.
    fn contexts(&self) -> impl Iterator<Item = usize> {
        let mut context = format!("{}{QUESTION}", self.definitions);
        let mut contexts = vec![estimate_tokens(&context)];
        for turn in &self.turns {
            context.push_str(&turn.written);
            context.push_str(&turn.read);
            contexts.push(estimate_tokens(&context));
        }
        contexts.into_iter()
    }
}

/// A server, and the connection to it.
pub(crate) struct Connected {
    client: RunningService<RoleClient, ()>,
    definitions: String,
}

impl Connected {
    /// To the shop itself.
    pub(crate) async fn shop() -> anyhow::Result<Self> {
        let mut command = Command::new(env::current_exe()?);
        command.arg("--shop");
        Self::start(command).await
    }

    /// To an `isolette mcp` that has the shop as a source of tools.
    pub(crate) async fn isolette() -> anyhow::Result<Self> {
        let own = env::current_exe()?;
        let isolette = own.with_file_name("isolette");
        ensure!(isolette.exists(), "{} is not there\nhint: run `cargo xtask bench --code-mode`", isolette.display());
        let mut command = Command::new(isolette);
        command.args(["mcp", "--mcp-server", &format!("shop='{}' --shop", own.display())]);
        Self::start(command).await
    }

    async fn start(command: Command) -> anyhow::Result<Self> {
        let client = ().serve(TokioChildProcess::new(command)?).await.context("the server does not speak")?;
        let tools = client.list_all_tools().await?;
        let definition = |tool: &rmcp::model::Tool| {
            json!({ "name": tool.name, "description": tool.description, "parameters": tool.input_schema }).to_string()
        };
        let definitions = tools.iter().map(definition).collect::<Vec<_>>().join("\n");
        Ok(Self { client, definitions })
    }

    pub(crate) async fn close(self) -> anyhow::Result<()> {
        self.client.cancel().await?;
        Ok(())
    }

    /// One call, as the text that comes back.
    async fn call(&self, call: &Call) -> anyhow::Result<String> {
        let mut params = CallToolRequestParams::new(call.name);
        params.arguments = call.arguments.as_object().cloned();
        let result = self.client.call_tool(params).await?;
        let text = result.content.first().and_then(|block| block.as_text()).map(|text| text.text.clone());
        let text = text.context("the result has no text")?;
        ensure!(result.is_error != Some(true), "{} failed: {text}", call.name);
        Ok(text)
    }

    /// Calls in one turn, all at once, and their results.
    async fn turn(&self, calls: Vec<Call>, conversation: &mut Conversation) -> anyhow::Result<Vec<Value>> {
        let results = futures::future::try_join_all(calls.iter().map(|call| self.call(call))).await?;
        let written = calls.iter().map(|call| json!({ "name": call.name, "arguments": call.arguments }).to_string());
        conversation.turns.push(Turn { written: written.collect(), read: results.concat() });
        results.iter().map(|result| Ok(serde_json::from_str(result)?)).collect()
    }

    /// What each model does: ask, with one call a turn, or with all calls in one turn that do not wait for each other.
    pub(crate) async fn ask_directly(&self, at_once: bool) -> anyhow::Result<Conversation> {
        let mut conversation = Conversation { definitions: self.definitions.clone(), ..Conversation::default() };
        let started = Instant::now();
        let users = self.turns(vec![Call::new("list_users", json!({}))], at_once, &mut conversation).await?;
        let users = users.into_iter().next().and_then(|users| users.as_array().cloned()).context("no users")?;
        let about = |user: &Value| {
            [
                Call::new("get_orders_for_user", json!({ "user_id": user["id"] })),
                Call::new("get_discount_rate", json!({ "tier": user["tier"] })),
                Call::new("get_tax_rate", json!({ "region": user["region"] })),
            ]
        };
        let known = self.turns(users.iter().flat_map(about).collect(), at_once, &mut conversation).await?;
        let mut lines = Vec::new();
        let mut owners = Vec::new();
        for (user, known) in users.iter().zip(known.chunks(3)) {
            let [orders, discount, tax] = known else { anyhow::bail!("an answer is missing") };
            for order in orders.as_array().context("no orders")? {
                let line = json!({
                    "quantity": order["quantity"], "price": order["price"], "discount": discount, "tax": tax,
                });
                lines.push(Call::new("compute_line_total", line));
                owners.push(user["name"].as_str().unwrap_or_default());
            }
        }
        let totals = self.turns(lines, at_once, &mut conversation).await?;
        conversation.time = started.elapsed();
        for (name, expected) in TOTALS {
            let own = owners.iter().zip(&totals).filter(|(owner, _)| **owner == name);
            let sum: f64 = own.filter_map(|(_, total)| total.as_f64()).sum();
            ensure!((sum - expected).abs() < 0.005, "{name} has to pay {sum}, not {expected}");
        }
        Ok(conversation)
    }

    async fn turns(
        &self,
        calls: Vec<Call>,
        at_once: bool,
        conversation: &mut Conversation,
    ) -> anyhow::Result<Vec<Value>> {
        if at_once {
            return self.turn(calls, conversation).await;
        }
        let mut results = Vec::new();
        for call in calls {
            results.extend(self.turn(vec![call], conversation).await?);
        }
        Ok(results)
    }

    /// What a model does that writes a program.
    pub(crate) async fn write_a_program(&self) -> anyhow::Result<Conversation> {
        let mut conversation = Conversation { definitions: self.definitions.clone(), ..Conversation::default() };
        let started = Instant::now();
        let calls = vec![Call::new("execute_code", json!({ "code": PROGRAM }))];
        let results = self.turn(calls, &mut conversation).await?;
        conversation.time = started.elapsed();
        ensure!(results == [json!(TOTALS)], "the program says {results:?}");
        Ok(conversation)
    }
}

struct Call {
    name: &'static str,
    arguments: Value,
}

impl Call {
    fn new(name: &'static str, arguments: Value) -> Self {
        Self { name, arguments }
    }
}
