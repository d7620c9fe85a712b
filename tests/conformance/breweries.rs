//! Programs as a model writes them: they page through an API, count and sort, and return data.

use isolette::{ExecutionResult, policy::network::Network};
use isolette_tests::{
    Case,
    brewery::{Brewery, Variant},
    scenario,
};
use serde_json::{Value, json};

#[scenario(programs = ["breweries/answer"])]
fn breweries_are_counted_with_three_requests(case: &Case) {
    let api = Brewery::start(Variant::Plain);
    let result = run(case, &api, &case.program());
    assert_eq!(result.value, Some(answer()));
    assert!(result.value_exact);
    assert_eq!(result.usage.http_requests, 3);
    assert_eq!(
        api.requests(),
        [
            "GET /v1/breweries?by_city=San_Diego&page=1&per_page=200",
            "GET /v1/breweries?by_city=San_Diego&page=2&per_page=200",
            "GET /v1/breweries/search?query=moon&page=1&per_page=200",
        ]
    );
    let recorded: Vec<_> =
        result.calls.iter().map(|call| (call.capability.as_str(), &*call.operation, call.outcome.as_str())).collect();
    assert_eq!(recorded, [("http", "GET", "ok"); 3]);
}

#[scenario(programs = ["breweries/answer"])]
fn duplicate_breweries_count_once(case: &Case) {
    let api = Brewery::start(Variant::Duplicates);
    assert_eq!(run(case, &api, &case.program()).value, Some(answer()));
    assert_eq!(api.requests().len(), 3);
}

#[scenario(programs = ["breweries/answer"])]
fn a_brewery_without_a_city_counts_as_unknown(case: &Case) {
    let api = Brewery::start(Variant::MissingCities);
    let value = run(case, &api, &case.program()).value.unwrap();
    assert_eq!(
        value["san_diego_top_cities"],
        json!([
            {"city": "Unknown", "count": 100},
            {"city": "Encinitas", "count": 50},
            {"city": "La Jolla", "count": 50},
        ])
    );
    assert_eq!(value["san_diego_total"], 250);
}

#[scenario(programs = ["breweries/answer"])]
fn a_wrong_base_path_is_an_error_of_the_program(case: &Case) {
    let api = Brewery::start(Variant::NotFound);
    let result = run(case, &api, &case.program());
    let first = format!("{}/breweries?by_city=San_Diego&page=1&per_page=200", api.base_url());
    let second = format!("{}/breweries/search?query=moon&page=1&per_page=200", api.base_url());
    assert_eq!(
        result.value,
        Some(nothing(&[
            &format!("San Diego could not be listed: status 404 from {first}"),
            &format!("The moon could not be listed: status 404 from {second}"),
        ]))
    );
    assert_eq!(api.requests().len(), 2);
}

#[scenario(programs = ["breweries/answer"])]
fn results_before_a_failed_page_are_kept(case: &Case) {
    let api = Brewery::start(Variant::BrokenSecondPage);
    let value = run(case, &api, &case.program()).value.unwrap();
    assert_eq!(value["san_diego_total"], 200);
    assert_eq!(value["moon_top_5"], answer()["moon_top_5"]);
    let errors = value["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].as_str().unwrap().starts_with("San Diego could not be listed: status 500 from http://"));
    assert_eq!(api.requests().len(), 3);
}

#[scenario(programs = ["breweries/answer"])]
fn a_denied_host_is_an_error_of_the_program(case: &Case) {
    let api = Brewery::start(Variant::Plain);
    let elsewhere = Brewery::start(Variant::Plain);
    let sandbox = case
        .builder()
        .allow_domain(&elsewhere.base_url(), &["GET"])
        .variable("BASE_URL", api.base_url())
        .build()
        .unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    assert!(result.success(), "{result:?}");
    let value = result.value.unwrap();
    let errors: Vec<_> = value["errors"].as_array().unwrap().iter().map(|error| error.as_str().unwrap()).collect();
    assert_eq!(value, nothing(&errors));
    assert_eq!(errors.len(), 2);
    for error in errors {
        assert!(error.contains("is not allowed: no rule matches"), "{error}");
        assert!(error.contains(&format!("GET {}/breweries", api.base_url())), "{error}");
        assert!(error.contains(&format!("GET {}", elsewhere.base_url())), "the rules are named: {error}");
    }
    assert!(result.calls.iter().all(|call| call.outcome.as_str() == "denied"), "{:?}", result.calls);
    assert_eq!(api.requests(), [""; 0]);
    assert_eq!(elsewhere.requests(), [""; 0]);
}

#[scenario(programs = ["breweries/answer"])]
fn a_disabled_network_is_an_error_of_the_program(case: &Case) {
    let api = Brewery::start(Variant::Plain);
    let sandbox = case.builder().network(Network::None).variable("BASE_URL", api.base_url()).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    let value = result.value.unwrap();
    for error in value["errors"].as_array().unwrap() {
        assert!(error.as_str().unwrap().contains("is not allowed: the network is off"), "{error}");
    }
    assert_eq!(api.requests(), [""; 0]);
}

#[scenario(programs = ["breweries/answer", "breweries/library", "breweries/cautious", "breweries/trusting"])]
fn every_programming_style_gives_the_same_brewery_answer(case: &Case) {
    for (name, program) in case.programs() {
        let api = Brewery::start(Variant::Plain);
        let result = run(case, &api, &program);
        assert_eq!(result.value, Some(answer()), "{name}");
        assert_eq!(api.requests().len(), 3, "{name}: {:?}", api.requests());
    }
}

#[scenario(programs = ["breweries/random_body"])]
fn a_json_body_is_a_value(case: &Case) {
    for (variant, expected) in [(Variant::Plain, json!([random()])), (Variant::BareRandom, random())] {
        let api = Brewery::start(variant);
        assert_eq!(run(case, &api, &case.program()).value, Some(expected));
        assert_eq!(api.requests(), ["GET /v1/breweries/random"]);
    }
}

#[scenario(programs = ["breweries/random_text"])]
fn a_json_body_is_text_on_request(case: &Case) {
    for (variant, expected) in [(Variant::Plain, json!([random()])), (Variant::BareRandom, random())] {
        let api = Brewery::start(variant);
        let value = run(case, &api, &case.program()).value.unwrap();
        assert_eq!(serde_json::from_str::<Value>(value.as_str().unwrap()).unwrap(), expected);
    }
}

fn run(case: &Case, api: &Brewery, program: &str) -> ExecutionResult {
    let sandbox = case.builder().base_url(&api.base_url()).build().unwrap();
    let result = sandbox.run(program).unwrap();
    assert!(result.success(), "{result:?}");
    result
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

fn nothing(errors: &[&str]) -> Value {
    json!({
        "san_diego_total": 0,
        "san_diego_type_summary": [],
        "san_diego_top_cities": [],
        "moon_top_5": [],
        "errors": errors,
    })
}

fn random() -> Value {
    json!({"id": "random-1", "name": "Any Port Brewing", "city": "Astoria", "brewery_type": "micro"})
}
