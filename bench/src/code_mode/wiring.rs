//! The conversations of a model that calls the tools of the shop, and of a model that writes a program.
//!
//! Both are scripted, and make the same calls in the same order. The texts that they read and write are recorded like the
//! context of a model.

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

/// The question to the model in each wiring.
const QUESTION: &str = "What does every user have to pay for all orders, after discount and with tax? Most first.";

/// The program that the model writes in place of 36 calls.
const PROGRAM: &str = include_str!("totals.py");

/// The texts that one turn adds to the context: the calls and their results.
#[derive(Debug, Default)]
struct Turn {
    written: String,
    read: String,
}

/// All turns from the question to the answer.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    /// Names, descriptions and parameters of all tools.
    definitions: String,
    turns: Vec<Turn>,
    /// The time from the first call to the last result, without the time of the model.
    pub(crate) time: Duration,
}

impl Conversation {
    pub(crate) fn turns(&self) -> usize {
        self.turns.len()
    }

    /// Bytes of the definitions, of the calls, and of the results.
    pub(crate) fn bytes(&self) -> [usize; 3] {
        let sum = |of: fn(&Turn) -> &String| self.turns.iter().map(|turn| of(turn).len()).sum();
        [self.definitions.len(), sum(|turn| &turn.written), sum(|turn| &turn.read)]
    }

    /// Tokens in the context of the answer.
    pub(crate) fn context(&self) -> usize {
        self.contexts().last().unwrap_or_default()
    }

    /// Input tokens of all turns together; each turn sends the whole context again.
    pub(crate) fn sent(&self) -> usize {
        self.contexts().sum()
    }

    /// Tokens in the context before each turn, and before the answer.
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

/// A connection to a server.
pub(crate) struct Connected {
    client: RunningService<RoleClient, ()>,
    definitions: String,
}

impl Connected {
    /// Connects to the shop itself.
    pub(crate) async fn shop() -> anyhow::Result<Self> {
        let mut command = Command::new(env::current_exe()?);
        command.arg("--shop");
        Self::start(command).await
    }

    /// Connects to `isolette mcp` with the shop as a source of tools.
    pub(crate) async fn isolette() -> anyhow::Result<Self> {
        let own = env::current_exe()?;
        let isolette = own.with_file_name("isolette");
        ensure!(isolette.exists(), "{} does not exist\nhint: run `cargo xtask bench --code-mode`", isolette.display());
        let mut command = Command::new(isolette);
        command.args(["mcp", "--mcp-server", &format!("shop='{}' --shop", own.display())]);
        Self::start(command).await
    }

    async fn start(command: Command) -> anyhow::Result<Self> {
        let client = ().serve(TokioChildProcess::new(command)?).await.context("the server does not respond")?;
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

    /// Makes one call and returns the text of its result.
    async fn call(&self, call: &Call) -> anyhow::Result<String> {
        let mut params = CallToolRequestParams::new(call.name);
        params.arguments = call.arguments.as_object().cloned();
        let result = self.client.call_tool(params).await?;
        let text = result.content.first().and_then(|block| block.as_text()).map(|text| text.text.clone());
        let text = text.context("the result has no text")?;
        ensure!(result.is_error != Some(true), "{} failed: {text}", call.name);
        Ok(text)
    }

    /// Makes concurrent calls in one turn and returns their results.
    async fn turn(&self, calls: Vec<Call>, conversation: &mut Conversation) -> anyhow::Result<Vec<Value>> {
        let results = futures::future::try_join_all(calls.iter().map(|call| self.call(call))).await?;
        let written = calls.iter().map(|call| json!({ "name": call.name, "arguments": call.arguments }).to_string());
        conversation.turns.push(Turn { written: written.collect(), read: results.concat() });
        results.iter().map(|result| Ok(serde_json::from_str(result)?)).collect()
    }

    /// Runs the conversation with one call in each turn, or with all independent calls in one turn.
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
            let [orders, discount, tax] = known else { anyhow::bail!("a result is missing") };
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
            ensure!((sum - expected).abs() < 0.005, "the total of {name} is {sum}, expected {expected}");
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

    /// Runs the conversation of a model that writes a program.
    pub(crate) async fn write_a_program(&self) -> anyhow::Result<Conversation> {
        let mut conversation = Conversation { definitions: self.definitions.clone(), ..Conversation::default() };
        let started = Instant::now();
        let calls = vec![Call::new("execute_code", json!({ "code": PROGRAM }))];
        let results = self.turn(calls, &mut conversation).await?;
        conversation.time = started.elapsed();
        ensure!(results == [json!(TOTALS)], "the program returned {results:?}");
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
