//! A shop with eight users and eleven orders: five tools, and a server that provides them. To compute the totals of all users
//! takes 36 calls.

use anyhow::Context as _;
use isolette::Tool;
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt as _,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, JsonObject, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig,
    },
    service::RequestContext,
    transport::io::stdio,
};
use serde_json::{Value, json};

/// The totals of all users, largest first.
pub(crate) const TOTALS: [(&str, f64); 8] = [
    ("Diana", 104.40),
    ("George", 52.77),
    ("Charlie", 50.09),
    ("Alice", 48.36),
    ("Fiona", 36.70),
    ("Evan", 21.77),
    ("Hana", 10.35),
    ("Bob", 9.71),
];

/// Name, tier, region, and orders with their quantities and prices.
type User = (&'static str, &'static str, &'static str, &'static [(u32, f64)]);

const USERS: [User; 8] = [
    ("Alice", "gold", "US", &[(1, 55.97)]),
    ("Bob", "bronze", "EU", &[(1, 8.45)]),
    ("Charlie", "silver", "US", &[(2, 4.5), (1, 42.53)]),
    ("Diana", "gold", "EU", &[(2, 4.5), (3, 32.95)]),
    ("Evan", "bronze", "JP", &[(1, 20.83)]),
    ("Fiona", "silver", "EU", &[(2, 16.85)]),
    ("George", "gold", "JP", &[(2, 4.5), (3, 16.99)]),
    ("Hana", "bronze", "US", &[(1, 10.09)]),
];

/// A name, a description, and the parameters with their types.
type Described = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const TOOLS: [Described; 5] = [
    ("list_users", "All users with tier and region", &[]),
    ("get_orders_for_user", "The orders of one user", &[("user_id", "integer")]),
    ("get_discount_rate", "The discount of a tier, as a part of 1", &[("tier", "string")]),
    ("get_tax_rate", "The tax of a region, as a part of 1", &[("region", "string")]),
    (
        "compute_line_total",
        "What a line of an order costs, rounded to cents",
        &[("quantity", "integer"), ("price", "number"), ("discount", "number"), ("tax", "number")],
    ),
];

fn schema(parameters: &[(&str, &str)]) -> Value {
    let properties: serde_json::Map<_, _> =
        parameters.iter().map(|(name, kind)| ((*name).to_owned(), json!({ "type": kind }))).collect();
    let required: Vec<_> = parameters.iter().map(|(name, _)| name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn call(name: &str, arguments: &Value) -> Result<Value, String> {
    let number = |name: &str| arguments[name].as_f64().ok_or_else(|| format!("`{name}` is not a number"));
    let rate = |name: &str, rates: [(&str, f64); 3]| {
        let rate = rates.into_iter().find(|(known, _)| arguments[name] == *known);
        rate.map(|(_, rate)| json!(rate)).ok_or_else(|| format!("there is no rate for {}", arguments[name]))
    };
    match name {
        "list_users" => Ok(USERS
            .iter()
            .enumerate()
            .map(|(id, (name, tier, region, _))| json!({ "id": id, "name": name, "tier": tier, "region": region }))
            .collect()),
        "get_orders_for_user" => {
            let id = arguments["user_id"].as_u64().and_then(|id| usize::try_from(id).ok());
            let (.., orders) = id.and_then(|id| USERS.get(id)).ok_or("there is no such user")?;
            Ok(orders.iter().map(|(quantity, price)| json!({ "quantity": quantity, "price": price })).collect())
        }
        "get_discount_rate" => rate("tier", [("gold", 0.2), ("silver", 0.1), ("bronze", 0.05)]),
        "get_tax_rate" => rate("region", [("EU", 0.21), ("US", 0.08), ("JP", 0.1)]),
        "compute_line_total" => {
            let exact = number("quantity")? * number("price")? * (1.0 - number("discount")?) * (1.0 + number("tax")?);
            Ok(json!((exact * 100.0).round() / 100.0))
        }
        _ => Err(format!("there is no tool `{name}`")),
    }
}

/// The tools as functions of this process.
pub(crate) fn tools() -> anyhow::Result<Vec<Tool>> {
    TOOLS
        .iter()
        .map(|&(name, description, parameters)| {
            let called = move |arguments: Value| call(name, &arguments);
            Ok(Tool::from_schema(&format!("shop.{name}"), description, schema(parameters), called)?)
        })
        .collect()
}

#[derive(Clone)]
struct Shop;

impl ServerHandler for Shop {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = TOOLS.iter().map(|&(name, description, parameters)| {
            let schema = schema(parameters).as_object().cloned().unwrap_or_default();
            rmcp::model::Tool::new(name, description, schema)
        });
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments: JsonObject = request.arguments.unwrap_or_default();
        Ok(match call(&request.name, &Value::Object(arguments)) {
            Ok(value) => CallToolResult::success(vec![ContentBlock::text(value.to_string())]),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error)]),
        }
        .into())
    }
}

/// Serves the tools to a client on standard input and output, until the client disconnects.
pub(crate) fn serve() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let service = Shop.serve(stdio()).await.context("no client connected")?;
        service.waiting().await?;
        Ok(())
    })
}
