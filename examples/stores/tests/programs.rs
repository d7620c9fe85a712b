//! Tests of programs that use the stores.

use std::{error::Error, path::Path};

use isolette::{CancellationToken, Language, RunOptions, Sandbox};
use rusqlite::Connection;
use serde_json::json;
use stores::{KeyValue, Query};

type Done = Result<(), Box<dyn Error>>;

fn sandbox(folder: &Path, language: Language) -> Result<Sandbox, Box<dyn Error>> {
    let path = folder.join("sales.sqlite");
    if !path.exists() {
        let database = Connection::open(&path)?;
        database.execute_batch("create table sales (city text, amount real, note blob)")?;
        for (city, amount) in [("Paris", 1.5), ("Rome", 2.5), ("Oslo", 4.0)] {
            database.execute("insert into sales values (?, ?, null)", (city, amount))?;
        }
    }
    let builder = Sandbox::builder().language(language).capability(KeyValue::open(folder.join("notes.redb"))?);
    Ok(builder.capability(Query::open(path)?).build()?)
}

#[test]
fn values_persist_across_programs_and_languages() -> Done {
    let folder = tempfile::tempdir()?;
    let python = sandbox(folder.path(), Language::Python)?.run(
        r#"
from acme.stores import key_value

key_value.set("a/1", b"\x00\xff")
key_value.set("a/2", b"two")
key_value.set("b", b"")
try:
    key_value.set("k" * 2000, b"")
except key_value.Failure.KeyTooLong as error:
    limit = error.value
[key_value.get("a/1") == b"\x00\xff", key_value.get("c"), key_value.list("a/", 10), key_value.delete("b"), limit]
"#,
    )?;
    assert_eq!(python.value, Some(json!([true, null, ["a/1", "a/2"], true, 1024])), "{:?}", python.error);
    let javascript = sandbox(folder.path(), Language::JavaScript)?.run(
        r#"
import { get, list } from "acme:stores/key-value";
[new TextDecoder().decode(get("a/2")), list("", 10)]
"#,
    )?;
    assert_eq!(javascript.value, Some(json!(["two", ["a/1", "a/2"]])), "{:?}", javascript.error);
    Ok(())
}

#[test]
fn rows_are_returned_in_batches() -> Done {
    let folder = tempfile::tempdir()?;
    let result = sandbox(folder.path(), Language::Python)?.run(
        r#"
from acme.stores import query

amount = query.Value.Real(2.0)
with query.ask("select city, amount from sales where amount > ? order by amount", [amount]) as rows:
    first, rest, end = rows.next(1), rows.next(10), rows.next(10)
    columns = rows.columns()
counting = "with recursive n(x) as (select 1 union all select x + 1 from n) select x from n"
with query.ask(counting, []) as rows:
    some = [row[0].value for row in rows.next(1000)]
[columns, [value.value for value in first[0]], len(rest), end, sum(some)]
"#,
    )?;
    let expected = json!([["city", "amount"], ["Rome", 2.5], 1, [], 500_500]);
    assert_eq!(result.value, Some(expected), "{:?}", result.error);
    Ok(())
}

#[test]
fn queries_are_limited_in_memory() -> Done {
    let folder = tempfile::tempdir()?;
    let result = sandbox(folder.path(), Language::Python)?.run(
        r#"
from acme.stores import query

numbers = "with recursive n(x) as (select 1 union all select x + 1 from n) select {} from n"
all = 2**32 - 1


def refused(statement):
    try:
        query.ask(statement, []).next(1)
    except query.Failure.Running as error:
        return error.value


many = query.ask(numbers.format("x"), [])
large = query.ask(numbers.format("zeroblob(100000)"), [])
lengths = [len(many.next(all)), len(large.next(all)), len(large.next(all))]
[lengths, refused("select zeroblob(2000000)"), refused("select zeroblob(900000), zeroblob(900000)").splitlines()[0]]
"#,
    )?;
    let expected = json!([[10_000, 11, 11], "string or blob too big", "a row is larger than 1048576 bytes"]);
    assert_eq!(result.value, Some(expected), "{:?}", result.error);
    Ok(())
}

#[test]
fn unread_queries_end_with_their_programs() -> Done {
    let folder = tempfile::tempdir()?;
    let sandbox = sandbox(folder.path(), Language::Python)?;
    let program = "
from acme.stores import query
rows = query.ask('with recursive n(x) as (select 1 union all select x + 1 from n) select x from n', [])
rows.next(1)
print('asked', flush=True)
while True:
    pass";
    // More than the limit on open queries.
    for round in 0..20 {
        let token = CancellationToken::new();
        let asked = token.clone();
        let options = RunOptions::new().cancel(token).on_output(move |_, _| asked.cancel());
        let ended = sandbox.run_with(program, options);
        assert!(matches!(ended, Err(isolette::Error::Cancelled { .. })), "{round}: {ended:?}");
    }
    let result = sandbox.run("from acme.stores import query\nquery.ask('select 1', []).next(1)[0][0].value")?;
    assert_eq!(result.value, Some(json!(1)), "{:?}", result.error);
    Ok(())
}

#[test]
fn only_reading_is_allowed() -> Done {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("other.sqlite"), "")?;
    let sandbox = sandbox(folder.path(), Language::JavaScript)?;
    let other = folder.path().join("other.sqlite");
    for statement in [
        "delete from sales".to_owned(),
        "create table x (y)".into(),
        format!("attach '{}' as other", other.display()),
        "pragma journal_mode = wal".into(),
        format!("vacuum into '{}'", folder.path().join("copy.sqlite").display()),
        "select load_extension('x')".into(),
        "select".into(),
    ] {
        let program = format!(
            "import {{ ask }} from \"acme:stores/query\";\ntry {{ ask({statement:?}, []).next(1); result = 'done' }} catch \
             (error) {{ result = error.payload.tag }}"
        );
        let result = sandbox.run(&program)?;
        let refused = [Some(json!("statement")), Some(json!("running"))];
        assert!(refused.contains(&result.value), "{statement}: {:?} {:?}", result.value, result.error);
    }
    assert!(!folder.path().join("copy.sqlite").exists());
    Ok(())
}

#[test]
fn an_endless_query_ends_with_the_program() -> Done {
    let folder = tempfile::tempdir()?;
    let sandbox = sandbox(folder.path(), Language::Python)?;
    let program = "
from acme.stores import query
counting = 'with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n'
query.ask(counting, []).next(1)";
    let options = RunOptions::new().timeout(std::time::Duration::from_millis(500));
    let error = sandbox.run_with(program, options).expect_err("the query does not end");
    assert!(matches!(error, isolette::Error::Timeout { .. }), "{error}");
    Ok(())
}
