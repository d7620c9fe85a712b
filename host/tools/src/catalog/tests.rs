//! Tests of searching with queries such as a model writes.

use serde_json::json;

use super::*;

fn tool(name: &str, description: &str, parameters: &[(&str, &str)], tags: &[&str]) -> Tool {
    let properties: serde_json::Map<_, _> = parameters
        .iter()
        .map(|(name, description)| ((*name).to_owned(), json!({"type": "string", "description": description})))
        .collect();
    let schema = json!({"type": "object", "properties": properties});
    let tool = Tool::from_schema(name, description, schema, |_| Err::<serde_json::Value, _>("never called")).unwrap();
    tags.iter().fold(tool, |tool, tag| tool.with_tag(*tag))
}

fn catalog() -> Catalog {
    Catalog::new(vec![
        tool("brewery.list_breweries", "Lists the breweries of a city", &[("by_city", "Where")], &["Breweries"]),
        tool("brewery.search_breweries", "Searches by name", &[("query", "Words of the name")], &["breweries"]),
        tool("brewery.random_brewery", "One brewery, at random", &[], &["breweries"]),
        tool(
            "github.create_issue",
            "Opens a new issue",
            &[("title", ""), ("labels", "Labels of the issue")],
            &["issues"],
        ),
        tool("github.close_issue", "Closes an issue for good", &[("number", "Which issue")], &["issues"]),
        tool("weather", "The weather in a city", &[("city", "Where")], &[]),
    ])
}

fn names(query: &str) -> Vec<String> {
    catalog().search(&SearchQuery::new(query)).tools.into_iter().map(|tool| tool.name).collect()
}

#[test]
fn the_name_counts_most() {
    assert_eq!(names("random brewery")[0], "brewery.random_brewery");
    assert_eq!(names("weather"), ["weather"]);
    assert_eq!(names("weather in the city"), ["weather", "brewery.list_breweries"]);
    assert_eq!(names("GITHUB.close_issue")[0], "github.close_issue");
}

#[test]
fn the_table_of_worths_holds() {
    let catalog = Catalog::new(vec![
        tool("a", "", &[], &["word"]),
        tool("b", "", &[("x", "word")], &[]),
        tool("c", "", &[("word", "")], &[]),
        tool("d", "word", &[], &[]),
        tool("e.word", "", &[], &[]),
        tool("word", "", &[], &[]),
    ]);
    let found = catalog.search(&SearchQuery::new("word"));
    let names: Vec<_> = found.tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["word", "e.word", "d", "c", "b", "a"]);
}

#[test]
fn tools_that_are_as_good_keep_their_order() {
    assert_eq!(names("issue"), ["github.create_issue", "github.close_issue"]);
}

#[test]
fn forms_of_words_and_slips_find() {
    assert_eq!(names("creating issues")[0], "github.create_issue");
    assert_eq!(names("wether"), ["weather"]);
    assert_eq!(names("brewreies").len(), 3);
    assert_eq!(names("iss"), ["github.create_issue", "github.close_issue"]);
    assert_eq!(names("zebra"), [""; 0]);
}

#[test]
fn a_word_that_is_spelled_well_brings_nothing_else() {
    let catalog = Catalog::new(vec![tool("poster", "", &[], &[]), tool("posted", "", &[], &[])]);
    let found = catalog.search(&SearchQuery::new("poster"));
    assert_eq!(found.total, 1, "{found:?}");
}

#[test]
fn tags_and_limits_hold() {
    let catalog = catalog();
    let tagged = catalog.search(&SearchQuery::new("").tag("BREWERIES"));
    assert_eq!((tagged.tools.len(), tagged.total, tagged.annotation()), (3, 3, None));
    let limited = catalog.search(&SearchQuery::new("brewery").limit(1).detail(Detail::Name));
    assert_eq!(limited.annotation().as_deref(), Some("1 of 3 tools"));
    assert_eq!(limited.tools[0], ToolDetails { name: "brewery.list_breweries".into(), ..ToolDetails::default() });
    assert_eq!(catalog.search(&SearchQuery::new("brewery").limit(0)).tools, []);
    assert_eq!(catalog.search(&SearchQuery::new("  ")).total, 6);
}

#[test]
fn schemas_are_given_by_name_and_missing_names_are_reported() {
    let schemas = catalog().schemas(&["weather", "WEATHER", "github.create_isue", "nonsense"], Detail::Detailed);
    insta::assert_json_snapshot!(schemas, @r#"
    {
      "tools": [
        {
          "name": "weather",
          "description": "The weather in a city",
          "parameters": "- city (string, optional): Where."
        }
      ],
      "missing": [
        {
          "name": "github.create_isue",
          "nearest": [
            "github.create_issue",
            "github.close_issue"
          ]
        },
        {
          "name": "nonsense",
          "nearest": []
        }
      ]
    }
    "#);
}
