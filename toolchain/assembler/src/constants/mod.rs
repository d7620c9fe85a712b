//! Replaces variables that never change by their values.
//!
//! componentize-py links CPython from libraries whose code does not know where they are loaded: an address is a global variable
//! of another module, which the linker has set. In a component all of that is known, and nothing can change such a variable but
//! code of the component itself. Machine code then has the addresses in its instructions, instead of reading them from two
//! places in memory.

mod module;
mod values;

use anyhow::{Context as _, Result};
use wasm_encoder::{Component, ComponentSectionId, RawSection};

use self::values::Values;
use crate::sections::sections;

/// Returns the component with constants in place of variables that never change. Components within it stay as they are.
pub(crate) fn folded(component: &[u8]) -> Result<Vec<u8>> {
    let values = Values::of(component).context("cannot follow the variables of the component's modules")?;
    let mut output = Component::new();
    let mut modules = 0..;
    for (id, data) in sections(component)? {
        let number = (id == u8::from(ComponentSectionId::CoreModule)).then(|| modules.next()).flatten();
        let folded = match number.map(|number| values.of_module(number)) {
            Some(known) if !known.is_empty() => Some(module::folded(data, &known)?),
            _ => None,
        };
        output.section(&RawSection { id, data: folded.as_deref().unwrap_or(data) });
    }
    Ok(output.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A component in which one module provides the variables of another one.
    fn component(provider: &str, user: &str) -> Vec<u8> {
        wat::parse_str(format!(
            r#"(component
                (core module $provider {provider})
                (core module $user
                    (import "env" "base" (global $base i32)) (import "env" "changing" (global $changing (mut i32)))
                    (func (export "run") (result i32) {user}))
                (core instance $provided (instantiate $provider))
                (alias core export $provided "base" (core global $base))
                (alias core export $provided "changing" (core global $changing))
                (core instance $env (export "base" (global $base)) (export "changing" (global $changing)))
                (core instance (instantiate $user (with "env" (instance $env)))))"#
        ))
        .unwrap()
    }

    const PROVIDER: &str =
        r#"(global (export "base") i32 (i32.const 64)) (global (export "changing") (mut i32) (i32.const 7))"#;

    #[test]
    fn variables_of_other_modules_become_constants() {
        let before = component(PROVIDER, "global.get $base  global.get $changing  i32.add");
        let after = component(PROVIDER, "i32.const 64  i32.const 7  i32.add");
        assert_eq!(folded(&before).unwrap(), after);
    }

    #[test]
    fn a_variable_that_is_set_anywhere_stays() {
        let before =
            component(PROVIDER, "i32.const 1  global.set $changing  global.get $base  global.get $changing  i32.add");
        let after =
            component(PROVIDER, "i32.const 1  global.set $changing  i32.const 64  global.get $changing  i32.add");
        assert_eq!(folded(&before).unwrap(), after);
        let setting = format!("{PROVIDER} (func i32.const 1 global.set 1)");
        let before = component(&setting, "global.get $base  global.get $changing  i32.add");
        let after = component(&setting, "i32.const 64  global.get $changing  i32.add");
        assert_eq!(folded(&before).unwrap(), after);
    }

    #[test]
    fn a_variable_that_is_set_to_what_it_is_becomes_a_constant() {
        let setting = |sum: &str| {
            format!(r#"{PROVIDER} (global $offset i32 (i32.const -57)) (func $set {sum} global.set 1) (start $set)"#)
        };
        let same = setting("global.get 0  global.get $offset  i32.add");
        let before = component(&same, "global.get $changing");
        let after = component(&setting("i32.const 64  i32.const -57  i32.add"), "i32.const 7");
        assert_eq!(folded(&before).unwrap(), after);
        let another = setting("global.get 0  global.get 0  i32.add");
        let before = component(&another, "global.get $changing");
        let after = component(&setting("i32.const 64  i32.const 64  i32.add"), "global.get $changing");
        assert_eq!(folded(&before).unwrap(), after);
    }

    #[test]
    fn a_module_with_two_instances_stays() {
        let text = format!(
            r#"(component
                (core module $provider {PROVIDER})
                (core module $user (import "env" "base" (global $base i32)) (func (result i32) global.get $base))
                (core instance $env (instantiate $provider))
                (core instance (instantiate $user (with "env" (instance $env))))
                (core instance (instantiate $user (with "env" (instance $env)))))"#
        );
        let before = wat::parse_str(text).unwrap();
        assert_eq!(folded(&before).unwrap(), before);
    }

    #[test]
    fn values_that_are_not_constant_expressions_stay() {
        let provider = r#"(global $other i32 (i32.const 64)) (global (export "base") i32 (i32.add (global.get $other) (i32.const 1)))
            (global (export "changing") (mut i32) (i32.const 7))"#;
        let before = component(provider, "global.get $base");
        assert_eq!(folded(&before).unwrap(), before);
    }
}
