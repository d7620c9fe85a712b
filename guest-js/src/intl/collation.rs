//! Collation of texts.

use std::{cell::RefCell, cmp::Ordering, collections::BTreeMap};

use icu_collator::{
    Collator, CollatorBorrowed, CollatorPreferences,
    options::{AlternateHandling, CaseLevel, CollatorOptions, Strength},
    preferences::{CollationCaseFirst, CollationNumericOrdering},
};
use icu_locale::Locale;
use rquickjs::{Ctx, Function, Object, Result};

use crate::text::Text;

/// The maximum number of cached collators; further ones are created for each use.
const MOST: usize = 64;

thread_local! {
    static COLLATORS: RefCell<BTreeMap<String, CollatorBorrowed<'static>>> = const { RefCell::new(BTreeMap::new()) };
}

pub(super) fn define<'js>(ctx: &Ctx<'js>, native: &Object<'js>) -> Result<()> {
    native.set("compare", Function::new(ctx.clone(), compare)?)
}

/// Returns -1, 0 or 1. `what` contains the locale, the sensitivity, whether numbers count, the case that is first, and whether
/// punctuation is ignored, separated by blanks.
fn compare(what: Text<'_>, one: Text<'_>, other: Text<'_>) -> i32 {
    let order = COLLATORS.with_borrow_mut(|collators| {
        if let Some(collator) = collators.get(&*what) {
            return Some(collator.compare(&one, &other));
        }
        let collator = make(&what)?;
        let order = collator.compare(&one, &other);
        if collators.len() >= MOST {
            collators.clear();
        }
        collators.insert((*what).to_owned(), collator);
        Some(order)
    });
    match order.unwrap_or_else(|| one.cmp(&other)) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}

fn make(what: &str) -> Option<CollatorBorrowed<'static>> {
    let mut words = what.split(' ');
    let locale = Locale::try_from_str(words.next()?).ok()?;
    let mut preferences = CollatorPreferences::from(&locale);
    let mut options = CollatorOptions::default();
    let (strength, case_level) = match words.next()? {
        "base" => (Strength::Primary, CaseLevel::Off),
        "accent" => (Strength::Secondary, CaseLevel::Off),
        "case" => (Strength::Primary, CaseLevel::On),
        _ => (Strength::Tertiary, CaseLevel::Off),
    };
    options.strength = Some(strength);
    options.case_level = Some(case_level);
    let numeric = words.next()? == "true";
    preferences.numeric_ordering =
        Some(if numeric { CollationNumericOrdering::True } else { CollationNumericOrdering::False });
    preferences.case_first = Some(match words.next()? {
        "upper" => CollationCaseFirst::Upper,
        "lower" => CollationCaseFirst::Lower,
        _ => CollationCaseFirst::False,
    });
    options.alternate_handling = Some(match words.next()? {
        "true" => AlternateHandling::Shifted,
        _ => AlternateHandling::NonIgnorable,
    });
    Collator::try_new(preferences, options).ok()
}
