//! Objects in the memory that every sandbox starts with.

use isolette_tests::{Case, scenario};
use serde_json::json;

#[scenario(programs = ["memory/immortal"], only = Python, because = "the images of JavaScript hold few objects")]
fn objects_of_the_image_are_immortal(case: &Case) {
    let result = case.sandbox().run(&case.program()).unwrap();
    let expected = json!({
        "shared": [true, true, true, true, true, true],
        "own": [false, false, false, false],
        "gone": ["mine", "cycle"],
        "changed": "changed",
        "as it was": "[1, {\"a\": null}]",
    });
    assert_eq!(result.value, Some(expected), "{:?}", result.error);
}
