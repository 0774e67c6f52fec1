//! Texts of `xlayout hlo`: reading never panics; each mistake and each answer has words.
#![no_main]

use libfuzzer_sys::fuzz_target;
use xlayout_cli::fuzzing::module;

fuzz_target!(|bytes: &[u8]| match module(bytes) {
    Ok(found) => {
        assert!(!found.report.is_empty() && found.json.starts_with('{'));
        assert!(found.mistakes.iter().all(|told| told.contains("error")));
    }
    Err(told) => assert!(told.contains("error"), "{told}"),
});
