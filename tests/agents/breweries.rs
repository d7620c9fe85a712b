//! An agent searches the tools of an API, reads their schemas, and runs one program that calls them.

use isolette_tests::{
    ClientCase, Served, Skipped,
    agents::Script,
    brewery::{Brewery, Variant},
    client_test, guests,
};
use serde_json::{Value, json};

/// A server in code mode over the API, whose document is part of the example.
fn code_mode(case: &ClientCase, api: &Brewery, folder: &tempfile::TempDir) -> Served {
    let document = guests::folder().join("../../examples/mcp/breweries.yaml");
    let config = format!(
        "[server]\nprofile = 'codemode'\n[[openapi]]\nsource = '{}'\nbase_url = '{}'\ndirect_http = true\n",
        document.display(),
        api.base_url()
    );
    let file = folder.path().join("isolette.toml");
    std::fs::write(&file, config).expect("a file");
    case.serve(&["--config", file.to_str().expect("UTF-8")])
}

fn program(name: &str) -> String {
    guests::read(name, isolette::Language::Python)
}

fn execute(script: Script, name: &str) -> Script {
    script.call("execute", json!({ "code": program(name) }))
}

#[client_test]
fn search_schema_syntax_and_execute_find_the_breweries(case: &ClientCase) -> Result<(), Skipped> {
    let (api, folder) = (Brewery::start(Variant::Plain), tempfile::tempdir().expect("a folder"));
    let served = code_mode(case, &api, &folder);
    let script = served
        .script
        .call("search", json!({ "query": "list breweries by city" }))
        .call("get_schema", json!({ "tool_names": ["breweries.list_breweries", "breweries.search_breweries"] }))
        .call("get_execute_syntax", json!({}));
    let replies = execute(script, "breweries/answer").play()?;
    let [found, schemas, syntax, executed] = replies.results.as_slice() else { panic!("{replies:?}") };
    assert_eq!(found["structuredContent"]["tools"][0]["name"], "breweries.list_breweries");
    let parameters = schemas["structuredContent"]["tools"][0]["parameters"].as_str().unwrap();
    assert!(parameters.contains("- by_city (string, optional)"), "{parameters}");
    assert!(syntax["structuredContent"]["syntax"].as_str().unwrap().contains("BASE_URL"), "{syntax}");
    assert_eq!(executed["structuredContent"]["value"], answer(), "{executed}");
    assert_eq!(executed["structuredContent"]["usage"]["http_requests"], 3);
    assert_eq!(api.requests().len(), 3, "{:?}", api.requests());
    // The text is the value and nothing else.
    let text = executed["content"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), answer());
    Ok(())
}

#[client_test]
fn every_programming_style_gives_the_same_brewery_answer(case: &ClientCase) -> Result<(), Skipped> {
    let (api, folder) = (Brewery::start(Variant::Plain), tempfile::tempdir().expect("a folder"));
    let served = code_mode(case, &api, &folder);
    let mut script = served.script;
    for name in ["breweries/answer", "breweries/library", "breweries/cautious", "breweries/trusting"] {
        script = execute(script, name);
    }
    for result in script.play()?.results {
        assert_eq!(result["structuredContent"]["value"], answer(), "{result}");
    }
    Ok(())
}

/// The program of a model that has read `get_schema` and needs no network.
const WITH_TOOLS: &str = "
from collections import Counter

found, page = {}, 1
while batch := tools.breweries.list_breweries(by_city='san_diego', page=page, per_page=200):
    found.update((item['id'], item) for item in batch)
    if len(batch) < 200:
        break
    page += 1

def most(field):
    counts = Counter(item[field] for item in found.values())
    return [{field: name, 'count': count} for name, count in sorted(counts.items(), key=lambda it: (-it[1], it[0]))]

moon = tools.breweries.search_breweries(query='moon', per_page=50)
moon = sorted({(item['name'], item['city']) for item in moon})
result = {
    'san_diego_total': len(found),
    'san_diego_type_summary': most('brewery_type'),
    'san_diego_top_cities': most('city')[:3],
    'moon_top_5': [{'name': name, 'city': city} for name, city in moon[:5]],
}
";

#[client_test]
fn typed_tools_give_the_same_brewery_answer(case: &ClientCase) -> Result<(), Skipped> {
    let (api, folder) = (Brewery::start(Variant::Plain), tempfile::tempdir().expect("a folder"));
    let served = code_mode(case, &api, &folder);
    let replies = served
        .script
        .call("search", json!({ "query": "breweries" }))
        .call("get_schema", json!({ "tool_names": ["breweries.list_breweries", "breweries.search_breweries"] }))
        .call("execute_code", json!({ "code": WITH_TOOLS }))
        .play()?;
    let executed = &replies.results[2]["structuredContent"];
    assert_eq!(executed["value"], answer(), "{executed}");
    let usage = &executed["usage"];
    assert_eq!((&usage["tool_calls"], &usage["http_requests"]), (&json!(3), &json!(0)));
    assert_eq!(api.requests().len(), 3, "{:?}", api.requests());
    Ok(())
}

#[client_test]
fn output_before_a_failed_request_is_kept(case: &ClientCase) -> Result<(), Skipped> {
    let (api, folder) = (Brewery::start(Variant::BrokenSecondPage), tempfile::tempdir().expect("a folder"));
    let served = code_mode(case, &api, &folder);
    let replies = execute(served.script, "breweries/answer").play()?;
    let value = &replies.results[0]["structuredContent"]["value"];
    assert_eq!((&value["san_diego_total"], &value["errors"].as_array().unwrap().len()), (&json!(200), &1));
    Ok(())
}

#[client_test]
fn a_random_brewery_is_found_and_fetched(case: &ClientCase) -> Result<(), Skipped> {
    let (api, folder) = (Brewery::start(Variant::Plain), tempfile::tempdir().expect("a folder"));
    let served = code_mode(case, &api, &folder);
    let script = served.script.call("search", json!({ "query": "random brewery", "detail": "name" }));
    let script = execute(execute(script, "breweries/random_body"), "breweries/random_text");
    let replies = script.call("execute", json!({ "code": "call_tool('breweries.random_brewery')" })).play()?;
    assert_eq!(replies.results[0]["structuredContent"]["tools"][0], json!({ "name": "breweries.random_brewery" }));
    let random = json!([{"id": "random-1", "name": "Any Port Brewing", "city": "Astoria", "brewery_type": "micro"}]);
    assert_eq!(replies.results[1]["structuredContent"]["value"], random);
    let text = replies.results[2]["structuredContent"]["value"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), random);
    assert_eq!(replies.results[3]["structuredContent"]["value"], random);
    Ok(())
}

#[client_test]
fn an_unknown_tool_name_is_answered_with_the_nearest_ones(case: &ClientCase) -> Result<(), Skipped> {
    let (api, folder) = (Brewery::start(Variant::Plain), tempfile::tempdir().expect("a folder"));
    let served = code_mode(case, &api, &folder);
    let replies = served
        .script
        .call("get_schema", json!({ "name": "breweries.list_brewery" }))
        .call("get_schema", json!({}))
        .call("search", json!({ "query": "quantum chromodynamics" }))
        .play()?;
    let text = |index: usize| replies.results[index]["content"][0]["text"].as_str().unwrap();
    assert!(text(0).contains("Did you mean breweries.list_breweries"), "{}", text(0));
    assert!(text(1).contains("name 1 to 100 tools"), "{}", text(1));
    assert!(text(2).contains("No tool matches"), "{}", text(2));
    Ok(())
}

fn answer() -> Value {
    let counts = |field: &str, names: &[&str]| -> Vec<_> {
        names.iter().map(|name| json!({field: name, "count": 50})).collect()
    };
    json!({
        "san_diego_total": 250,
        "san_diego_type_summary": counts("brewery_type", &["closed", "large", "micro", "planning", "regional"]),
        "san_diego_top_cities": counts("city", &["Carlsbad", "Encinitas", "La Jolla"]),
        "moon_top_5": [
            {"name": "Blue Moon Brewing", "city": "Denver"},
            {"name": "Crescent Moon Brewery", "city": "San Francisco"},
            {"name": "Full Moon Taphouse", "city": "Austin"},
            {"name": "Harvest Moon Pub", "city": "Boulder"},
            {"name": "Moon River Ales", "city": "Portland"},
        ],
    })
}
