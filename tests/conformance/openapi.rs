//! Operations of an OpenAPI document as tools.

use insta::assert_snapshot;
use isolette::{OpenApi, ToolSet};
use isolette_tests::{
    Case,
    brewery::{Brewery, Variant},
    host_test, scenario,
};
use serde_json::json;

fn tools(api: &Brewery) -> ToolSet {
    OpenApi::load(&api.openapi_url()).and_then(|document| document.tools()).expect("the tools of the service")
}

#[scenario(programs = ["openapi/breweries"])]
fn openapi_operations_are_called_as_tools(case: &Case) {
    let api = Brewery::start(Variant::Plain);
    let sandbox = case.builder().tools(tools(&api)).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    let moon =
        ["Blue Moon Brewing", "Crescent Moon Brewery", "Full Moon Taphouse", "Harvest Moon Pub", "Moon River Ales"];
    let random = json!([{"id": "random-1", "name": "Any Port Brewing", "city": "Astoria", "brewery_type": "micro"}]);
    assert_eq!(result.value, Some(json!({"total": 250, "moon": moon, "random": random})), "{result:?}");
    assert_eq!((result.usage.tool_calls, result.usage.http_requests), (4, 0));
    assert_eq!(
        api.requests(),
        [
            "GET /openapi.yaml",
            "GET /v1/breweries?by_city=San_Diego&page=1&per_page=200",
            "GET /v1/breweries?by_city=San_Diego&page=2&per_page=200",
            "GET /v1/breweries/search?query=moon&per_page=5",
            "GET /v1/breweries/random",
        ]
    );
    let recorded: Vec<_> =
        result.calls.iter().map(|call| (call.capability.as_str(), &*call.target, call.outcome.as_str())).collect();
    assert_eq!(recorded[3], ("tools", "breweries.random_brewery", "ok"));
}

#[scenario(programs = ["openapi/failures"])]
fn openapi_failures_name_the_argument_or_the_status(case: &Case) {
    let api = Brewery::start(Variant::BrokenSecondPage);
    let sandbox = case.builder().tools(tools(&api)).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    let value = result.value.unwrap();
    for (attempt, kind, parts) in [
        ("missing", "invalid-arguments", ["breweries.search_breweries", "argument `query` is required and missing"]),
        ("too_many", "invalid-arguments", ["argument `per_page`", "201 is greater than the maximum of 200"]),
        ("misspelt", "invalid-arguments", ["there is no argument `city`", "there are by_city, page, per_page"]),
        ("broken", "failed", ["HTTP 500 Internal Server Error", "{\"message\":\"the second page is lost\"}"]),
    ] {
        assert_eq!(value[attempt][0], kind, "{value}");
        let text = value[attempt][1].as_str().unwrap();
        assert!(parts.iter().all(|part| text.contains(part)), "{attempt}: {text}");
    }
    // Invalid arguments are not sent.
    assert_eq!(api.requests(), ["GET /openapi.yaml", "GET /v1/breweries?page=2"]);
}

#[scenario(programs = ["breweries/answer"])]
fn the_base_url_comes_from_the_openapi_document(case: &Case) {
    let api = Brewery::start(Variant::Plain);
    let set = tools(&api);
    assert_eq!(set.base_urls, [api.base_url()]);
    let builder = set.base_urls.iter().fold(case.builder(), |builder, url| builder.base_url(url));
    let result = builder.tools(set).build().unwrap().run(&case.program()).unwrap();
    assert_eq!(result.value.unwrap()["san_diego_total"], 250);
}

#[host_test]
fn openapi_tools_are_described_for_a_model() {
    let api = Brewery::start(Variant::Plain);
    let set = tools(&api);
    assert!(set.skipped.is_empty(), "{:?}", set.skipped);
    let described: Vec<_> = set
        .tools
        .iter()
        .map(|tool| {
            json!({
                "name": tool.name(),
                "description": tool.description(),
                "tags": tool.tags(),
                "hints": tool.hints(),
                "input_schema": tool.input_schema(),
                "output_schema": tool.output_schema(),
            })
        })
        .collect();
    assert_snapshot!("openapi-tools", serde_json::to_string_pretty(&described).unwrap());
}
