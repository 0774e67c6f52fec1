//! Triton's text of a linear layout, as `xlayout algebra` reads it: nothing panics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use xlayout_cli::fuzzing::linear_layout;

fuzz_target!(|text: &str| {
    linear_layout(text);
    linear_layout(&format!("#ttg.linear<{text}"));
});
