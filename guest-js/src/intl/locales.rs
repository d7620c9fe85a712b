//! Language tags: their canonical form and likely subtags.

use icu_locale::{Locale, LocaleCanonicalizer, LocaleExpander};
use rquickjs::{Ctx, Function, Object, Result};

use crate::text::Text;

pub(super) fn define<'js>(ctx: &Ctx<'js>, native: &Object<'js>) -> Result<()> {
    native.set("canonicalize", Function::new(ctx.clone(), canonicalize)?)?;
    native.set("maximize", Function::new(ctx.clone(), maximize)?)?;
    native.set("minimize", Function::new(ctx.clone(), minimize)?)
}

/// `None` if the text is not a tag.
fn canonicalize(tag: Text<'_>) -> Option<String> {
    let mut locale = Locale::try_from_str(&tag).ok()?;
    LocaleCanonicalizer::new_extended().canonicalize(&mut locale);
    Some(locale.to_string())
}

/// With the likely script and region.
fn maximize(tag: Text<'_>) -> Option<String> {
    let mut locale = Locale::try_from_str(&tag).ok()?;
    LocaleExpander::new_extended().maximize(&mut locale.id);
    Some(locale.to_string())
}

/// Without likely subtags.
fn minimize(tag: Text<'_>) -> Option<String> {
    let mut locale = Locale::try_from_str(&tag).ok()?;
    LocaleExpander::new_extended().minimize(&mut locale.id);
    Some(locale.to_string())
}
