//! The sentences of the table, one of each kind.

use super::*;

/// A sentence of each kind, below a line with what it says: its cause and memory, and the bytes of
/// used, limit, excess and largest piece.
pub(super) const SENTENCES: &str = include_str!("../../../../cli/tests/data/oom/sentences.txt");

/// The sentences, each with what it says.
pub(super) fn sentences() -> impl Iterator<Item = (&'static str, Said)> {
    SENTENCES.split("\n\n").map(|block| {
        let (says, text) = block.split_once('\n').unwrap();
        let (memory, figures) = says.split_once(": ").unwrap();
        let (cause, space) = memory.split_once(", ").unwrap();
        let figures: Vec<_> = figures.split(' ').map(parse).collect();
        let figures = figures.try_into().unwrap();
        (
            text.trim_end(),
            (cause.to_owned(), space.to_owned(), figures),
        )
    })
}

/// What a sentence says: cause, memory and figures.
pub(super) type Said = (String, String, [Option<u64>; 4]);

pub(super) fn said(report: &Report) -> Said {
    let bytes = [
        report.used_bytes,
        report.limit_bytes,
        report.excess_bytes,
        report.largest_free_bytes,
    ];
    let cause = serde_json::to_value(report.cause).unwrap();
    let cause = cause.as_str().unwrap().to_owned();
    (cause, report.memory_space.clone(), bytes)
}

#[test]
fn each_sentence_is_read() {
    for (text, expected) in sentences() {
        let report = one(text);
        assert_eq!(said(&report), expected, "{text}");
        assert_eq!(report.times, 1);
    }
    let texts = squeezed::squeezed(SENTENCES);
    for begins in &*forms::BEGINNINGS {
        let words = String::from_utf8_lossy(begins.needle());
        assert!(texts.contains(&*words), "no sentence begins with {words}");
    }
}

/// What a process may take counts, not what the device has.
#[test]
fn a_limit_of_a_process() {
    let texts: Vec<_> = sentences().map(|(text, _)| text).collect();
    let limited = texts
        .iter()
        .find(|text| text.contains(" allowed; "))
        .unwrap();
    let free = limited.replace("GiB. 1.05", "GiB of which 244.65 GiB is free. 1.05");
    assert_eq!(one(&free).limit_bytes, one(limited).limit_bytes);
}

#[test]
fn arrays_of_sentences_are_read() {
    let texts: Vec<_> = sentences().map(|(text, _)| text).collect();
    let with = |words: &str| *texts.iter().find(|text| text.contains(words)).unwrap();
    let array = |words: &str| {
        let array = one(with(words)).allocations.remove(0);
        (array.label, array.bytes, array.kind)
    };
    let kernel = (
        "%f.1".to_owned(),
        Some(192 * M),
        RESULT_OF_KERNEL.to_owned(),
    );
    assert_eq!(array("on stack for"), kernel);
    let label = "scoped memory for k.2".to_owned();
    assert_eq!(
        array("would exceed memory"),
        (label, Some(128 * M), String::new())
    );
    let report = one("Ran out of memory in memory space vmem while allocating on stack for %f...");
    assert_eq!(report.allocations[0].label, "%f...");
    let arrays = one(with("but got buffer")).allocations;
    let kinds: Vec<_> = arrays
        .iter()
        .map(|array| (&*array.kind, array.bytes))
        .collect();
    assert_eq!(
        kinds,
        [("expected", Some(163_840)), ("given", Some(102_400))]
    );
}
