//! A fixed number of cases of each kind, and the tables of what they cover.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use xlayout_model::Operation;

use crate::coverage;
use crate::kinds::KINDS;
use crate::run::{case, smallest};

fn run(name: &str, cases: u64) {
    let kind = *KINDS
        .iter()
        .find(|kind| kind.0 == name)
        .expect("it is a kind");
    // CI runs a multiple of them once.
    let times = std::env::var("MODEL_TIMES").map_or(1, |times| times.parse().expect("a number"));
    for seed in 0..cases * times {
        if let Err(failure) = case(kind, seed, 400) {
            let text = failure.to_string();
            panic!(
                "{text}\nthe smallest one that was found:\n{}",
                smallest(failure)
            );
        }
    }
}

macro_rules! tests {
    ($($kind:ident $cases:literal)*) => {
        $(#[test]
        fn $kind() {
            run(stringify!($kind), $cases);
        })*

        /// Each kind has a test.
        #[test]
        fn every_kind_is_run() {
            let kinds = KINDS.map(|kind| kind.0);
            assert_eq!(kinds.as_slice(), [$(stringify!($kind)),*]);
        }
    };
}

tests! { layouts 60 parts 300 bytes 60 strides 100 blocks 80 packed 120 typed 300 copies 300 casts 100 }

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files of Rust under a folder, but unit tests.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            if name != "tests" && name != "target" {
                sources(&path, files);
            }
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            files.push(path);
        }
    }
}

/// The names of types in the arguments of a macro: `&mut [T]`, `alloc::vec::Vec<T>`. One letter is
/// a parameter, and what is quoted is no type.
fn named(arguments: &str) -> Vec<String> {
    let mut names = Vec::new();
    let arguments: String = arguments.split('"').step_by(2).collect();
    for (reference, slice) in [("&mut ", "&mut [T]"), ("&", "&[T]")] {
        if arguments.contains(&format!("{reference}[")) {
            names.push(slice.to_owned());
        }
    }
    let words = arguments.split(|c: char| !c.is_alphanumeric() && c != '_');
    names.extend(
        words
            .filter(|word| word.len() > 1 && word.starts_with(char::is_uppercase))
            .map(str::to_owned),
    );
    names
}

/// The types that implement a trait, by the source of every crate: also those that macros implement
/// it for.
fn implementing(of: &str) -> BTreeSet<String> {
    let mut files = Vec::new();
    for crate_folder in std::fs::read_dir(root()).expect("the folder can be read") {
        let folder = crate_folder
            .expect("the folder can be read")
            .path()
            .join("src");
        if folder.is_dir() {
            sources(&folder, &mut files);
        }
    }
    let mut types = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("the file can be read");
        let lines = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or(line));
        let text = lines
            .flat_map(str::split_whitespace)
            .collect::<Vec<_>>()
            .join(" ");
        for (at, found) in text.match_indices(&format!(" {of} for ")) {
            let name = &text[at + found.len()..];
            let end = name.find(['<', '{', ' ']).unwrap_or(name.len());
            let written = &name[..end];
            if !written.starts_with('$') {
                // With its reference, without its path and its parameters.
                let reference = if written.starts_with('&') { "&" } else { "" };
                let last = written
                    .trim_start_matches('&')
                    .rsplit("::")
                    .next()
                    .unwrap_or(written);
                types.insert(format!("{reference}{last}"));
                continue;
            }
            // The macro around it, and what it is called with.
            let before = &text[..at];
            let definition = before.rfind("macro_rules! ").expect("`$` is in a macro");
            let rest = &before[definition + "macro_rules! ".len()..];
            let macro_name = rest.split([' ', '{']).next().unwrap_or_default();
            for (call, found) in text.match_indices(&format!(" {macro_name}!")) {
                let arguments = &text[call + found.len()..];
                let end = arguments.find([';', '}']).unwrap_or(arguments.len());
                types.extend(named(&arguments[..end]));
            }
        }
    }
    types
}

/// The names of the types that the cases have met.
fn tested(seen: &BTreeSet<(String, &'static str)>) -> BTreeSet<String> {
    seen.iter().map(|(name, _)| name.clone()).collect()
}

/// A table: which type has met which operation.
fn table(
    first: &str,
    rows: &BTreeSet<String>,
    seen: &BTreeSet<(String, &'static str)>,
    columns: &[&'static str],
) -> String {
    let mut text = format!(
        "| {first} | {} |\n|---|{}\n",
        columns.join(" | "),
        "---|".repeat(columns.len())
    );
    for row in rows {
        let cell = |column: &&'static str| {
            if seen.contains(&(row.clone(), *column)) {
                "x"
            } else {
                ""
            }
        };
        let cells: Vec<_> = columns.iter().map(cell).collect();
        text += &format!("| `{row}` | {} |\n", cells.join(" | "));
    }
    text
}

/// The operations in the tables of `tests/README.md`: `index`, what lends, and these.
const OTHERS: [&str; 8] = [
    "broadcast",
    "slice",
    "reshape",
    "transpose",
    "copy",
    "copied from",
    "copied to",
    "in place",
];

fn of_layouts() -> Vec<&'static str> {
    let mut columns = vec!["index"];
    columns.extend(Operation::ALL.iter().map(|operation| operation.column()));
    columns.dedup();
    columns.extend(OTHERS);
    columns.push("packed");
    columns
}

const OF_MEMORY: [&str; 5] = ["read", "written", "copied from", "copied to", "packed"];

/// Each type of the source that is a layout, or the memory of an array, is in a random test, and
/// `tests/README.md` says with which operations.
#[test]
fn every_type_is_in_a_random_test() {
    for kind in KINDS {
        // There are many types.
        run(kind.0, if kind.0 == "typed" { 1200 } else { 250 });
    }
    let [layouts, memory] = coverage::all();
    for (of, seen) in [("ArrayLayout", &layouts), ("Storage", &memory)] {
        let types = implementing(of);
        assert!(types.len() > 4, "too few types implement `{of}`: {types:?}");
        let missing: Vec<_> = types.difference(&tested(seen)).cloned().collect();
        assert!(
            missing.is_empty(),
            "no random test meets {missing:?}, which implement `{of}`; add cases with arrays of these types to \
             `tests/model/cases/kinds.rs` (run time) or `tests/model/cases/typed.rs` (types)"
        );
    }
    let of_layouts = of_layouts();
    for operation in &of_layouts {
        let mut seen = layouts.iter();
        assert!(
            seen.any(|(_, seen)| seen == operation),
            "no case meets `{operation}`"
        );
    }
    for (seen, operations) in [(&layouts, &of_layouts[..]), (&memory, &OF_MEMORY[..])] {
        let unknown: Vec<_> = seen
            .iter()
            .filter(|(_, operation)| !operations.contains(operation))
            .collect();
        assert!(
            unknown.is_empty(),
            "operations without a column: {unknown:?}"
        );
    }
    let tables = format!(
        "{}\n{}",
        table("layout", &tested(&layouts), &layouts, &of_layouts),
        table("memory", &tested(&memory), &memory, &OF_MEMORY),
    );
    let path = root().join("tests/README.md");
    let page = std::fs::read_to_string(&path)
        .expect("the page can be read")
        .replace("\r\n", "\n");
    let begin = "<!-- tables: begin -->\n";
    let end = "<!-- tables: end -->\n";
    let (before, rest) = page.split_once(begin).expect("the page has the tables");
    let (found, after) = rest.split_once(end).expect("the page has the tables");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, format!("{before}{begin}{tables}{end}{after}"))
            .expect("the page can be written");
        return;
    }
    assert!(
        found == tables,
        "the tables of `tests/README.md` are not what the tests cover; read the difference, and run \
         `UPDATE_EXPECT=1 cargo test -p xlayout-model` if it is right\n{tables}"
    );
}

/// The public methods of arrays that lend something to write, by the source: what they give has a
/// type of exclusive parts, or is an exclusive reference.
fn methods_that_lend() -> BTreeSet<String> {
    let mut files = Vec::new();
    sources(&root().join("core/src"), &mut files);
    let mut methods = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("the file can be read");
        let lines = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or(line));
        let text = lines
            .flat_map(str::split_whitespace)
            .collect::<Vec<_>>()
            .join(" ");
        for modifiers in ["pub fn ", "pub const fn ", "pub unsafe fn "] {
            for (at, found) in text.match_indices(modifiers) {
                let rest = &text[at + found.len()..];
                let signature = &rest[..rest.find(['{', ';']).unwrap_or(rest.len())];
                let Some((arguments, result)) = signature.rsplit_once("->") else {
                    continue;
                };
                let borrows = arguments.contains("&mut self") || arguments.contains("&'a mut self");
                if borrows && (result.contains("Mut<") || result.contains("&mut ")) {
                    let end = arguments.find(['<', '(']).unwrap_or(arguments.len());
                    methods.insert(arguments[..end].to_owned());
                }
            }
        }
    }
    methods
}

/// A method that lends something to write is in the list that the laws walk
/// (`tests/model/src/operations.rs`).
#[test]
fn every_method_that_lends_is_in_the_list() {
    let listed = Operation::ALL
        .iter()
        .flat_map(|operation| operation.methods());
    let listed: BTreeSet<String> = listed.map(|&method| method.to_owned()).collect();
    let found = methods_that_lend();
    let missing: Vec<_> = found.difference(&listed).collect();
    assert!(
        missing.is_empty(),
        "the laws of what is lent to write do not know {missing:?}; add each to a row of `tests/model/src/operations.rs`, \
         or a row for it, and then what the compiler finds missing in `tests/core/lending.rs` and `tests/model/cases/parts.rs`"
    );
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(
        gone.is_empty(),
        "there is no method {gone:?} that lends something to write"
    );
}
