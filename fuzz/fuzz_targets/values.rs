//! A text that may be JSON: its values take no more memory than estimated before decoding.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| isolette_work::values::assert_measured(text));
