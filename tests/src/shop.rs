//! A shop with eight users and eleven orders, as tools: data that a program requests in many calls.

use std::{collections::BTreeMap, time::Duration};

use isolette::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What each user has to pay, in descending order.
pub const TOTALS: [(&str, f64); 8] = [
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
type Customer = (&'static str, &'static str, &'static str, &'static [(u32, f64)]);

const USERS: [Customer; 8] = [
    ("Alice", "gold", "US", &[(1, 55.97)]),
    ("Bob", "bronze", "EU", &[(1, 8.45)]),
    ("Charlie", "silver", "US", &[(2, 4.5), (1, 42.53)]),
    ("Diana", "gold", "EU", &[(2, 4.5), (3, 32.95)]),
    ("Evan", "bronze", "JP", &[(1, 20.83)]),
    ("Fiona", "silver", "EU", &[(2, 16.85)]),
    ("George", "gold", "JP", &[(2, 4.5), (3, 16.99)]),
    ("Hana", "bronze", "US", &[(1, 10.09)]),
];

#[derive(Serialize, JsonSchema)]
struct User {
    id: usize,
    name: &'static str,
    tier: &'static str,
    region: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct Order {
    quantity: u32,
    /// The price of one piece.
    price: f64,
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
struct Whose {
    user_id: usize,
}

#[derive(Deserialize, JsonSchema)]
struct OfTier {
    tier: String,
}

#[derive(Deserialize, JsonSchema)]
struct OfRegion {
    region: String,
}

#[derive(Deserialize, JsonSchema)]
struct Line {
    quantity: u32,
    price: f64,
    /// As a fraction.
    discount: f64,
    /// As a fraction.
    tax: f64,
}

/// The five tools of the shop.
#[must_use]
pub fn tools() -> Vec<Tool> {
    let user = |(id, (name, tier, region, _)): (usize, Customer)| User { id, name, tier, region };
    let users = move |_: Nothing| Ok::<_, String>(USERS.into_iter().enumerate().map(user).collect::<Vec<_>>());
    let orders = |Whose { user_id }: Whose| match USERS.get(user_id) {
        Some((_, _, _, orders)) => Ok(orders.iter().map(|&(quantity, price)| Order { quantity, price }).collect()),
        None => Err::<Vec<_>, _>(format!("no user {user_id}")),
    };
    let rate = |rates: [(&'static str, f64); 3]| {
        let rates = BTreeMap::from(rates);
        move |name: &str| rates.get(name).copied().ok_or_else(|| format!("no rate for {name}"))
    };
    let discounts = rate([("gold", 0.2), ("silver", 0.1), ("bronze", 0.05)]);
    let taxes = rate([("EU", 0.21), ("US", 0.08), ("JP", 0.1)]);
    let total = |line: Line| {
        let exact = f64::from(line.quantity) * line.price * (1.0 - line.discount) * (1.0 + line.tax);
        Ok::<_, String>((exact * 100.0).round() / 100.0)
    };
    let tools = [
        Tool::typed("shop.list_users", "All users with tier and region", users),
        Tool::typed("shop.get_orders_for_user", "The orders of one user", orders),
        Tool::typed("shop.get_discount_rate", "The discount of a tier", move |of: OfTier| discounts(&of.tier)),
        Tool::typed("shop.get_tax_rate", "The tax of a region", move |of: OfRegion| taxes(&of.region)),
        Tool::typed("shop.compute_line_total", "What a line of an order costs, rounded to cents", total),
    ];
    tools.map(|tool| tool.expect("the tools are sound")).into()
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
}

#[derive(Deserialize, JsonSchema)]
struct Computation {
    operation: Operation,
    a: f64,
    b: f64,
}

#[derive(Deserialize, JsonSchema)]
struct Table {
    table: String,
}

/// Two simple tools: one that computes, and one that waits.
#[must_use]
pub fn calculator() -> Vec<Tool> {
    let compute = |Computation { operation, a, b }: Computation| match operation {
        Operation::Add => Ok(a + b),
        Operation::Subtract => Ok(a - b),
        Operation::Multiply => Ok(a * b),
        Operation::Divide if b == 0.0 => Err("division by zero"),
        Operation::Divide => Ok(a / b),
    };
    let fetch = async |Table { table }: Table| {
        tokio::time::sleep(Duration::from_millis(1)).await;
        let person = |id: u32, name: &str, role: &str| serde_json::json!({"id": id, "name": name, "role": role});
        Ok::<_, String>(match table.as_str() {
            "users" => vec![person(1, "Alice", "admin"), person(2, "Bob", "user"), person(3, "Charlie", "admin")],
            "products" => vec![
                serde_json::json!({"id": 101, "name": "Widget", "price": 9.99}),
                serde_json::json!({"id": 102, "name": "Gadget", "price": 19.99}),
            ],
            _ => vec![],
        })
    };
    let tools = [
        Tool::typed("compute", "Computes with two numbers", compute),
        Tool::typed_async("fetch_data", "Fetches all rows of a table", fetch),
    ];
    tools.map(|tool| tool.expect("the tools are sound")).into()
}
