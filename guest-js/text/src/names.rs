//! JavaScript names for WIT names: `high-c` is `highC` or `HighC`.

/// The name of a function, parameter or field.
pub fn camel(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    for (index, word) in name.split('-').enumerate() {
        if index == 0 {
            camel.push_str(&word.to_ascii_lowercase());
        } else {
            push_capitalised(&mut camel, word);
        }
    }
    camel
}

/// The name of a resource.
pub fn pascal(name: &str) -> String {
    let mut pascal = String::with_capacity(name.len());
    for word in name.split('-') {
        push_capitalised(&mut pascal, word);
    }
    pascal
}

fn push_capitalised(name: &mut String, word: &str) {
    let mut letters = word.chars();
    name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
    name.push_str(&letters.as_str().to_ascii_lowercase());
}

/// The name of a function, which must not be one with a meaning in the language: an object with a function `then` is awaited.
pub fn function(name: &str) -> String {
    let name = camel(name);
    if matches!(&*name, "then" | "constructor" | "prototype") { name + "_" } else { name }
}

/// Whether every object has a method with this name.
pub fn is_usual(name: &str) -> bool {
    matches!(
        name,
        "constructor"
            | "hasOwnProperty"
            | "isPrototypeOf"
            | "propertyIsEnumerable"
            | "toLocaleString"
            | "toString"
            | "valueOf"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined() {
        assert_eq!(camel("high-c"), "highC");
        assert_eq!(camel("URL"), "url");
        assert_eq!(camel("http2-x-URL"), "http2XUrl");
        assert_eq!(pascal("weather-station"), "WeatherStation");
        assert_eq!(pascal("HTTP-client"), "HttpClient");
    }

    #[test]
    fn nothing_can_be_waited_for() {
        assert_eq!(function("then"), "then_");
        assert_eq!(function("constructor"), "constructor_");
        assert_eq!(function("to-string"), "toString");
    }
}
