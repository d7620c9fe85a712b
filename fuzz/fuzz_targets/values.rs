//! A text, which may be JSON: its values take no more memory than was measured before they were made.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| isolette_work::values::assert_measured(text));
