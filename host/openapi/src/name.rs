//! Makes the names of operations and parameters in programs.

use heck::ToSnakeCase as _;

use isolette_tools::{naming::is_keyword, naming::is_python_keyword, naming::letters, naming::spelled};

/// Converts a text to a name in snake case that is an identifier in both languages and a keyword in neither. `fallback`
/// is the name of a text without any letter or digit.
pub(super) fn snake(text: &str, fallback: &str) -> String {
    spelled(letters(text).to_snake_case(), is_keyword).unwrap_or_else(|| fallback.to_owned())
}

/// The name of an argument: the document's spelling, if it can be the name of a Python keyword argument.
pub(super) fn argument(text: &str) -> String {
    spelled(letters(text), is_python_keyword).unwrap_or_else(|| "value".to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use isolette_tools::{naming::LONGEST, naming::is_identifier};

    #[test]
    fn names_are_what_a_person_would_make_of_them() {
        for (text, name) in [
            ("listBreweries", "list_breweries"),
            ("repos/list-for-org", "repos_list_for_org"),
            ("getAPIKeys", "get_api_keys"),
            ("Pets.Get_By-Id", "pets_get_by_id"),
            ("get /users/{id}/posts", "get_users_id_posts"),
            ("delete", "delete_"),
            ("Import", "import_"),
            ("3dRender", "_3d_render"),
            ("Überblick", "berblick"),
            ("列表", "operation"),
            ("", "operation"),
        ] {
            assert_eq!(snake(text, "operation"), name, "{text}");
        }
        for (text, name) in [
            ("perPage", "perPage"),
            ("filter[name]", "filter_name"),
            ("X-Request-ID", "X_Request_ID"),
            ("from", "from_"),
            ("$top", "top"),
            ("2fa", "_2fa"),
            ("type", "type"),
        ] {
            assert_eq!(argument(text), name);
        }
    }

    #[test]
    fn long_names_stay_apart() {
        let [one, other] = ["One", "Other"].map(|end| snake(&format!("{}{end}", "LongName".repeat(10)), "x"));
        assert!(one != other && one.len() <= LONGEST && one.starts_with("long_name_long_name"), "{one}");
    }

    proptest! {
        #[test]
        fn every_text_gives_an_identifier(text in ".*") {
            for name in [snake(&text, "operation"), argument(&text)] {
                prop_assert!(name.len() <= LONGEST && is_identifier(&name) && !is_python_keyword(&name), "{name}");
            }
        }
    }
}
