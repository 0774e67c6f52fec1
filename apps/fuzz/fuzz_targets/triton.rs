//! Maps of Triton's and CuTe's, as `xlayout explain` and `xlayout algebra` read them: nothing panics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use xlayout_cli::fuzzing::map;

fuzz_target!(|text: &str| {
    map(text);
    for begin in [
        "#ttg.linear<{",
        "#ttg.",
        "!ttg.memdesc<64x64xf16, #ttg.",
        "Sw<",
        "composition(",
    ] {
        map(&format!("{begin}{text}"));
    }
});
