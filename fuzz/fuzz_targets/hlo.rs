//! Modules and out-of-memory reports of `xlayout hlo`: reading them, and asking for copies, memory, a page and differences never panics; each mistake and each
//! answer has words.
#![no_main]

use libfuzzer_sys::fuzz_target;
use xlayout_cli::fuzzing::module;

fuzz_target!(|bytes: &[u8]| match module(bytes) {
    Ok(found) => {
        assert!(!found.report.is_empty() && found.json.starts_with('{'));
        // A file of instructions alone has no module to ask about.
        if !found.page.is_empty() {
            assert!(found.page.ends_with("</html>\n"));
            for [_, json] in [&found.copies, &found.memory] {
                assert!(json.starts_with('{') && json.ends_with("}\n"));
            }
        }
        assert!(found.mistakes.iter().all(|told| told.contains("error")));
    }
    Err(told) => assert!(told.contains("error"), "{told}"),
});
