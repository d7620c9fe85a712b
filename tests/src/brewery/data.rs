//! The contents of the directory.

use serde_json::{Value, json};

use super::Variant;

const CITIES: [&str; 5] = ["San Diego", "La Jolla", "Carlsbad", "Oceanside", "Encinitas"];
const TYPES: [&str; 5] = ["micro", "regional", "large", "planning", "closed"];

/// Two pages of two hundred.
const SAN_DIEGO: usize = 250;

/// The breweries of San Diego and the towns around it, as many of each type in each town.
pub(super) fn san_diego(variant: Variant) -> Vec<Value> {
    let mut breweries: Vec<_> = (0..SAN_DIEGO).map(|index| brewery(index, variant)).collect();
    if variant == Variant::Duplicates {
        // Spread over both pages, so that a program that reads only one page misses some.
        let twice: Vec<_> = breweries.iter().step_by(SAN_DIEGO / 10).cloned().collect();
        breweries.extend(twice);
    }
    breweries
}

fn brewery(index: usize, variant: Variant) -> Value {
    let city = CITIES[index % CITIES.len()];
    let mut brewery = json!({
        "id": format!("sd-{index:04}"),
        "name": format!("Brewery {index:03}"),
        "city": city,
        "brewery_type": TYPES[index % TYPES.len()],
    });
    if variant == Variant::MissingCities {
        match city {
            "San Diego" => brewery["city"] = Value::Null,
            "Carlsbad" => drop(brewery.as_object_mut().and_then(|fields| fields.remove("city"))),
            _ => {}
        }
    }
    brewery
}

/// Everything with the moon in its name.
pub(super) fn moon() -> Vec<Value> {
    [
        ("Blue Moon Brewing", "Denver", "large"),
        ("Moon River Ales", "Portland", "micro"),
        ("Full Moon Taphouse", "Austin", "regional"),
        ("Harvest Moon Pub", "Boulder", "micro"),
        ("Crescent Moon Brewery", "San Francisco", "large"),
        ("Moonlight Brewing Co", "Oakland", "regional"),
    ]
    .iter()
    .enumerate()
    .map(|(index, (name, city, kind))| {
        json!({"id": format!("moon-{index}"), "name": name, "city": city, "brewery_type": kind})
    })
    .collect()
}

/// A fixed choice, so that tests are reproducible.
pub(super) fn random() -> Value {
    json!({"id": "random-1", "name": "Any Port Brewing", "city": "Astoria", "brewery_type": "micro"})
}
