//! `xla_data.proto`, which is there to be read, says what the structs say.

use std::collections::BTreeMap;

/// Message and field, to its number and type.
type Fields = BTreeMap<(String, String), (u32, String)>;

/// The messages of a .proto, as far as ours needs it: one field a line. Enums mean `int32`.
fn of_proto(text: &str) -> Fields {
    let mut fields = Fields::new();
    let mut within = Vec::new();
    let mut enums = Vec::new();
    let lines = || {
        text.lines()
            .map(|line| line.split("//").next().unwrap_or("").trim())
    };
    for line in lines() {
        if let Some(name) = line.strip_prefix("enum ") {
            enums.push(name.trim_end_matches(" {").to_owned());
        }
    }
    for line in lines() {
        let words: Vec<_> = line.trim_end_matches(';').split_whitespace().collect();
        match words[..] {
            ["message" | "enum", name, "{"] => within.push((words[0], name)),
            ["}"] => drop(within.pop()),
            _ if within.last().is_none_or(|(what, _)| *what == "enum") => {}
            [ref kind @ .., name, "=", number] => {
                let (label, kind) = match *kind {
                    [label, kind] => (label, kind),
                    [kind] => ("", kind),
                    _ => panic!("{line}"),
                };
                let known = ["int32", "int64", "bool", "string", "double"].contains(&kind);
                let kind = if enums.iter().any(|e| e == kind) {
                    "int32"
                } else {
                    kind
                };
                let message = !known && kind != "int32";
                let label = if message && label.is_empty() {
                    "optional"
                } else {
                    label
                };
                let kind = if message { "message" } else { kind };
                let field = (within.last().unwrap().1.to_owned(), name.to_owned());
                let kind = format!("{kind} {label}").trim().to_owned();
                assert_eq!(
                    fields.insert(field, (number.parse().unwrap(), kind)),
                    None,
                    "{line}"
                );
            }
            ["reserved", ..] | [] => {}
            _ => panic!("a line that this test cannot read: {line}"),
        }
    }
    fields
}

/// The same from the rows of the structs.
fn of_structs(text: &str) -> Fields {
    let mut fields = Fields::new();
    let mut within = String::new();
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("pub struct ") {
            within = name.trim_end_matches(" {").to_owned();
        } else if let Some((field, row)) =
            line.strip_prefix("pub ").and_then(|l| l.split_once(": "))
        {
            let name = field.trim_start_matches("r#").to_owned();
            let (_, row) = row.trim_end_matches(';').split_once(" = ").expect(line);
            let (number, kind) = row.split_once(", ").expect(line);
            let kind = match kind.split_once(" = ") {
                Some(("enumeration", words)) => {
                    words.replacen(words.split(' ').next().unwrap(), "int32", 1)
                }
                Some(_) => panic!("{line}"),
                None => kind.trim_end_matches(" boxed").to_owned(),
            };
            fields.insert((within.clone(), name), (number.parse().expect(line), kind));
        }
    }
    fields
}

#[test]
fn the_file_and_the_structs_agree() {
    let file = of_proto(include_str!("../xla_data.proto"));
    let mut structs = of_structs(include_str!("../src/message/shape.rs"));
    structs.extend(of_structs(include_str!("../src/message/sharding.rs")));
    structs.extend(of_structs(include_str!("../src/message/metadata.rs")));
    assert!(file.len() > 70, "{}", file.len());
    for (field, says) in &file {
        assert_eq!(structs.get(field), Some(says), "{field:?}");
    }
    assert_eq!(file.len(), structs.len());
}

#[test]
fn the_numbers_of_types_agree() {
    use xlayout_core::ElementType;
    let file = include_str!("../xla_data.proto");
    let inside = file
        .split("enum PrimitiveType {")
        .nth(1)
        .unwrap()
        .split('}')
        .next()
        .unwrap();
    let mut numbers = 0;
    for line in inside
        .lines()
        .map(str::trim)
        .filter(|line| line.contains(" = "))
    {
        let (name, number) = line.trim_end_matches(';').split_once(" = ").unwrap();
        let number = number.parse::<i64>().unwrap();
        let ours = ElementType::from_number(number).map(|t| t.name().to_uppercase());
        let ours = match ours.as_deref() {
            None => "PRIMITIVE_TYPE_INVALID",
            Some("OPAQUE") => "OPAQUE_TYPE",
            Some(name) => name,
        };
        assert_eq!(ours, name);
        numbers += 1;
    }
    assert_eq!(numbers, ElementType::all().count() + 1);
}
