//! The functions of XLA that are here are found by their names: the tables of `xlayout-xla` lead to
//! this crate.

use std::path::Path;

fn sources(folder: &Path, all: &mut String) {
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, all),
            false => *all += &std::fs::read_to_string(&path).unwrap(),
        }
    }
}

/// The names on the left of the rows whose right side names this crate.
fn names() -> Vec<&'static str> {
    let table = include_str!("../../../../xla/src/xla_functions/shapes.md");
    let rows = table
        .lines()
        .filter_map(|row| row.strip_prefix("| ")?.split_once(" | "));
    let own = rows.filter(|(_, right)| right.contains("`xlayout_proto::"));
    let quoted = own.flat_map(|(left, _)| left.split('`').skip(1).step_by(2));
    // `Shape::FromProto`, `HumanString(ProgramShape)`
    let names = quoted.filter_map(|name| name.split('(').next()?.rsplit("::").next());
    names.collect()
}

#[test]
fn every_name_is_found() {
    let mut text = String::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut text,
    );
    let is_found = |name: &&str| {
        let alias = format!("\"{name}\"");
        let declared =
            ["fn", "struct", "enum", "trait", "type"].map(|kind| format!("pub {kind} {name}"));
        let field = format!("pub {name}:");
        text.contains(&alias)
            || text.contains(&field)
            || declared.iter().any(|word| text.contains(word))
    };
    let names = names();
    assert!(names.len() > 20, "{names:?}");
    let missing: Vec<_> = names.iter().filter(|name| !is_found(name)).collect();
    assert!(missing.is_empty(), "not found by search: {missing:?}");
}
