//! `execute_code` in an agent: the instructions for the model, the approval of calls, and the result for the model.
//!
//! The example contains no model; `WRITTEN_BY_THE_MODEL` is the program that a model would write.

use std::error::Error;

use isolette::{Budget, Language, RunOptions, Sandbox, Tool, policy::Approval, policy::Decision};
use isolette_agent::{CodeActProvider, rendering::Rendering};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Serialize, JsonSchema)]
struct Invoice {
    number: u32,
    customer: &'static str,
    /// In cents.
    amount: u32,
    paid: bool,
}

#[derive(Deserialize, JsonSchema)]
struct Reminder {
    /// The number of the invoice.
    invoice: u32,
    text: String,
}

const WRITTEN_BY_THE_MODEL: &str = r#"
const open = tools.billing.list_invoices().filter((invoice) => !invoice.paid);
const reminded = [];
for (const { number, customer, amount } of open) {
  try {
    tools.billing.remind({ invoice: number, text: `Dear ${customer}, ${amount / 100} EUR are still open.` });
    reminded.push(customer);
  } catch (error) {
    console.log(`${customer}: ${error.message}`);
  }
}
return { open: open.length, reminded };
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let provider = CodeActProvider::new(|| {
        let rules = ["allow billing.list_*", "ask *"].map(str::parse);
        Sandbox::builder()
            .language(Language::JavaScript)
            .approval(Approval::Rules(rules.into_iter().filter_map(Result::ok).collect()))
    });
    provider.add_tools([
        Tool::typed("billing.list_invoices", "All invoices", |_: Nothing| {
            let invoice = |number, customer, amount, paid| Invoice { number, customer, amount, paid };
            Ok::<_, String>(vec![
                invoice(1, "Ada", 12_000, true),
                invoice(2, "Grace", 4_550, false),
                invoice(3, "Linus", 99_900, false),
            ])
        })?,
        Tool::typed("billing.remind", "Reminds a customer of an invoice", |reminder: Reminder| {
            println!("[sent for invoice {}] {}", reminder.invoice, reminder.text);
            Ok::<_, String>(())
        })?,
    ]);

    println!("--- for the system prompt\n{}\n", provider.build_instructions(false)?);
    println!("--- for the description of execute_code\n{}\n", provider.execute_code_description()?);

    // An agent would ask a person here. This approver allows small reminders.
    let budget = Budget::new().tool_calls(20);
    let options =
        RunOptions::new().budget(budget).approver(async |request| match request.arguments["invoice"].as_u64() {
            Some(3) => Decision::deny("Linus is called by phone"),
            _ => Decision::Allow,
        });
    let result = provider.sandbox()?.run_with(WRITTEN_BY_THE_MODEL, options);

    // The rendering cuts long texts and redacts secrets.
    let rendered = Rendering::new().render(result.as_ref(), |_, _| None);
    println!("--- for the model, some {} tokens\n{}\n", rendered.tokens, rendered.text);
    println!("--- for the log");
    let result = result?;
    for call in &result.calls {
        println!(
            "{} {} {}",
            call.target,
            call.outcome.as_str(),
            call.approval.map_or("not asked about", |approval| approval.as_str())
        );
    }
    for state in &result.budgets {
        println!("{}", serde_json::to_string(state)?);
    }
    Ok(())
}
