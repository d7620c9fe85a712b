//! The tools of these programs: teams, orders, tickets, weather and a few services, each with the virtual time that it takes.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use isolette::{Budget, Tool};
use serde_json::{Value, json};

use super::clock::Clock;

/// Milliseconds, of which `None` never pass, and the result.
type Answer = (Option<u64>, Result<Value, String>);

/// What the calls of a program change.
struct Office {
    /// How often a key was fetched.
    fetched: Mutex<HashMap<String, u32>>,
    budget: Budget,
}

/// The name of a tool, its description, and what it answers.
type Described = (&'static str, &'static str, fn(&Office, &Value) -> Answer);

const TOOLS: [Described; 16] = [
    ("team.members", "Members of a `team`", |_, of| members(text(of, "team"))),
    ("team.limit", "What a member of a `level` may spend in a quarter", |_, of| limit(text(of, "level"))),
    ("expenses.list", "Expenses of a `member` in a `quarter`", |_, of| expenses(text(of, "member"))),
    ("inventory.get", "Stock of a `sku`", |_, of| inventory(text(of, "sku"))),
    ("prices.get", "Price of a `sku` in cents", |_, of| price(text(of, "sku"))),
    ("orders.list", "A `page` of orders", |_, of| orders(number(of, "page"))),
    ("orders.get", "An order by its `id`", |_, of| order(number(of, "id"))),
    ("orders.place", "Orders a `quantity` of a `sku`", |_, of| {
        (Some(80), Ok(json!({ "sku": of["sku"], "quantity": of["quantity"], "placed": true })))
    }),
    ("tickets.search", "Tickets of a `status`", |_, of| tickets(text(of, "status"))),
    ("tickets.get", "A ticket by its `id`", |_, of| ticket(number(of, "id"))),
    ("tickets.update", "Sets the `status` of a ticket", |_, of| match number(of, "id") {
        13 => (Some(15), Err("ticket 13 is locked".into())),
        id => (Some(55), Ok(json!({ "id": id, "status": of["status"] }))),
    }),
    ("weather.forecast", "The temperature in a `city` tomorrow", |_, of| forecast(text(of, "city"))),
    ("sources.ask", "Asks a `source` for a `query`", |_, of| search(text(of, "source"), text(of, "query"))),
    ("service.fetch", "A value by its `key`; fails now and then", fetch),
    ("team.delegate", "Gives a `task` to a colleague, who has the same budget", |office, of| {
        while office.budget.take_tool_call().is_ok() {}
        (Some(100), Ok(json!({ "task": of["task"], "done": true })))
    }),
    ("log.write", "Writes a `line`", |_, of| (Some(5), Ok(json!(text(of, "line").len())))),
];

/// The tools, with a new state.
pub(super) fn tools(clock: &Arc<Clock>, budget: &Budget) -> Vec<Tool> {
    let office = Arc::new(Office { fetched: Mutex::default(), budget: budget.clone() });
    let tool = |name, description, answer: fn(&Office, &Value) -> Answer| {
        let (clock, office) = (Arc::clone(clock), Arc::clone(&office));
        let answer = move |arguments: Value| {
            let clock = Arc::clone(&clock);
            let (time, result) = answer(&office, &arguments);
            async move {
                clock.pass(time).await;
                result
            }
        };
        Tool::typed_async(name, description, answer).unwrap()
    };
    let mut tools: Vec<_> =
        TOOLS.into_iter().map(|(name, description, answer)| tool(name, description, answer)).collect();
    let send = tool("mail.send", "Sends a mail `to` a member, with a `subject`", |_, of| {
        (Some(10), Ok(json!({ "sent": of["to"] })))
    });
    tools.push(send.with_approval());
    tools
}

fn text<'a>(arguments: &'a Value, name: &str) -> &'a str {
    arguments[name].as_str().unwrap_or_default()
}

fn number(arguments: &Value, name: &str) -> u64 {
    arguments[name].as_u64().unwrap_or_default()
}

fn members(team: &str) -> Answer {
    let result = match team {
        "west" => json!([{ "name": "ann", "level": "senior" }, { "name": "bob", "level": "junior" }]),
        "east" => json!([
            { "name": "cat", "level": "senior" },
            { "name": "dan", "level": "lead" },
            { "name": "eve", "level": "junior" },
        ]),
        _ => return (Some(10), Err(format!("there is no team {team}"))),
    };
    (Some(40), Ok(result))
}

fn limit(level: &str) -> Answer {
    match level {
        "junior" => (Some(20), Ok(json!(1000))),
        "senior" => (Some(20), Ok(json!(2000))),
        _ => (Some(25), Ok(json!(3500))),
    }
}

fn expenses(member: &str) -> Answer {
    let amounts: &[u64] = match member {
        "ann" => &[1200, 900],
        "bob" => &[400],
        "cat" => &[700, 800, 499],
        "dan" => &[3600],
        _ => &[],
    };
    let result = amounts.iter().map(|amount| json!({ "amount": amount, "approved": *amount != 499 })).collect();
    (Some(30 + 10 * amounts.len() as u64), Ok(result))
}

fn inventory(sku: &str) -> Answer {
    let (time, on_hand, reserved) = match sku {
        "A-1" => (50, 12, 2),
        "B-2" => (70, 3, 3),
        "C-3" => (90, 0, 0),
        "D-4" => (60, 40, 15),
        _ => return (Some(10), Err(format!("unknown SKU {sku}"))),
    };
    (Some(time), Ok(json!({ "sku": sku, "on_hand": on_hand, "reserved": reserved })))
}

fn price(sku: &str) -> Answer {
    let cents = match sku {
        "A-1" => 950,
        "B-2" => 2000,
        "C-3" => 425,
        _ => 100,
    };
    (Some(30), Ok(json!({ "sku": sku, "cents": cents })))
}

fn orders(page: u64) -> Answer {
    const PAGES: u64 = 4;
    let orders: Vec<_> = (page * 2 - 1..=page * 2).map(|id| json!({ "id": id, "cents": id * 100 })).collect();
    let next = (page < PAGES).then_some(page + 1);
    (Some(25), Ok(json!({ "orders": orders, "pages": PAGES, "next": next })))
}

fn order(id: u64) -> Answer {
    if id > 8 {
        return (Some(15), Err(format!("there is no order {id}")));
    }
    let sku = ["A-1", "B-2", "C-3", "D-4"][usize::try_from(id % 4).unwrap()];
    (Some(35), Ok(json!({ "id": id, "lines": [{ "sku": sku, "quantity": id }] })))
}

fn tickets(status: &str) -> Answer {
    let ids: &[u64] = match status {
        "open" => &[11, 12, 13],
        "waiting" => &[21, 22],
        _ => &[],
    };
    (
        Some(45),
        Ok(ids.iter().map(|id| json!({ "id": id, "priority": if id % 2 == 1 { "high" } else { "low" } })).collect()),
    )
}

fn ticket(id: u64) -> Answer {
    (
        Some(10 * id),
        Ok(json!({ "id": id, "title": format!("Ticket {id}"), "owner": if id % 2 == 1 { "ann" } else { "bob" } })),
    )
}

fn forecast(city: &str) -> Answer {
    let (time, degrees) = match city {
        "Oslo" => (100, 7),
        "Lima" => (150, 19),
        "Cairo" => (80, 31),
        "Pune" => (120, 28),
        "Vostok" => return (None, Ok(Value::Null)),
        _ => return (Some(10), Err(format!("no station in {city}"))),
    };
    (Some(time), Ok(json!({ "city": city, "degrees": degrees })))
}

fn search(source: &str, query: &str) -> Answer {
    let time = match source {
        "mirror" => 40,
        "primary" => 90,
        "archive" => 200,
        "silent" => return (None, Ok(Value::Null)),
        _ => return (Some(5), Err(format!("{source} is unreachable"))),
    };
    (Some(time), Ok(json!({ "source": source, "hits": query.len() })))
}

/// Keys that begin with `flaky` fail twice, and those that begin with `broken` fail always.
fn fetch(office: &Office, arguments: &Value) -> Answer {
    let key = text(arguments, "key");
    let mut fetched = office.fetched.lock().unwrap();
    let attempts = fetched.entry(key.to_owned()).or_default();
    *attempts += 1;
    if key.starts_with("broken") || key.starts_with("flaky") && *attempts <= 2 {
        return (Some(20), Err(format!("503 for {key}")));
    }
    (Some(30), Ok(json!({ "key": key, "attempts": *attempts })))
}
