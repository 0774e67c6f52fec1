//! Modules and out-of-memory reports of `xlayout hlo`: reading them, and asking for copies, memory,
//! a page and differences never panics; each mistake and each answer has words. An input is asked
//! one question, which its bytes choose: under the tools of a fuzz target, a question takes
//! milliseconds. A page and differences take as long as fifty others, so one input in fifty is
//! asked for them.
#![no_main]

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use xlayout_hlo::command::Request;
use xlayout_hlo::copies::{Groups, examine};

static REQUESTS: LazyLock<Vec<(&str, Request)>> = LazyLock::new(|| {
    let requests = [
        ("text", "- --all-mistakes"),
        ("json", "- --json --all-mistakes"),
        ("text", "copies - --top all"),
        ("json", "copies - --json --bandwidth 819GB/s"),
        ("text", "copies - --by scope"),
        ("text", "memory - --top all"),
        ("json", "memory - --json"),
    ];
    let parsed = |words: &str| Request::new(&words.split(' ').collect::<Vec<_>>());
    requests.map(|(kind, words)| (kind, parsed(words))).into()
});

static PAGE: LazyLock<Request> = LazyLock::new(|| Request::new(&["-", "--html", "-"]));

static DIFFS: LazyLock<[Request; 2]> = LazyLock::new(|| {
    [
        Request::new(&["diff", "-", "-"]),
        Request::new(&["diff", "-", "-", "--json"]),
    ]
});

/// Asks, and checks the answer and the errors.
fn ask(kind: &str, request: &Request, inputs: &[&[u8]]) {
    let answer = request.answer(inputs);
    let text = &answer.text;
    assert!(answer.told.iter().all(|told| told.contains("error")));
    let failure = answer.failure.unwrap_or_default();
    assert!(failure.is_empty() || failure.contains("error"), "{failure}");
    match kind {
        _ if text.is_empty() => {}
        "json" => assert!(text.starts_with('{') && text.ends_with("}\n"), "{text}"),
        "page" => assert!(text.ends_with("</html>\n")),
        _ => assert!(text.ends_with('\n')),
    }
}

/// Of the last module, and all before it; or of one module with itself.
fn page_and_differences(bytes: &[u8]) {
    ask("page", &PAGE, &[bytes]);
    let name = b"\nHloModule";
    let cut = bytes.windows(name.len()).rposition(|window| window == name);
    let (a, b) = cut.map_or((bytes, bytes), |at| bytes.split_at(at + 1));
    for (kind, request) in ["text", "json"].iter().zip(&*DIFFS) {
        ask(kind, request, &[a, b]);
    }
}

/// The groups of copies have the bytes of the copies.
fn groups_make_the_whole(bytes: &[u8]) {
    let mut groups = HashMap::new();
    let sums = xlayout_hlo::read_all(bytes, Path::new("file"), |path, module, tally| {
        let mut of_module = Groups::default();
        of_module.add(&module, tally, |module, at| {
            module.opcode_text(at).to_owned()
        });
        for group in of_module.sorted() {
            let all = groups.entry(group.name.clone()).or_insert(0_u128);
            *all = all.saturating_add(group.all().1);
        }
        examine(path, &module, tally, 0).sums.all().1
    });
    if let Ok(sums) = sums {
        let sum = |all: &mut dyn Iterator<Item = u128>| all.fold(0, u128::saturating_add);
        assert_eq!(sum(&mut groups.into_values()), sum(&mut sums.into_iter()));
    }
}

fuzz_target!(|bytes: &[u8]| {
    let hash = bytes.iter().fold(0_u32, |hash, byte| {
        hash.wrapping_mul(31).wrapping_add(u32::from(*byte))
    });
    if hash % 50 == 0 {
        page_and_differences(bytes);
    }
    match REQUESTS.get(hash as usize / 50 % (REQUESTS.len() + 1)) {
        Some((kind, request)) => ask(kind, request, &[bytes]),
        None => groups_make_the_whole(bytes),
    }
});
