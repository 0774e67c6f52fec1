//! The words of every mistake, and the laws of the text.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::{MAX_DEPTH, Notation, Rules, read_array, read_shape_prefix};
use crate::element_type::ElementType;
use crate::error::{ErrorKind, ParseError, Suggestion};
use crate::layout::Layout;
use crate::shape::{ArrayShape, Shape};

/// Each case: a line `> text`, then what a person sees. A text after `xla:` is read as XLA's own,
/// one after `shape:` may be of any kind.
const MISTAKES: &str = include_str!("mistakes.txt");

fn seen(case: &str) -> String {
    let rules = |notation| Rules {
        notation,
        addressable: true,
    };
    let array = |text: &str, notation| {
        let mut seen = String::new();
        let read = read_array(text, rules(notation), &mut |error| {
            seen += &format!("{}\n", error.render(text));
        });
        assert_eq!(read.is_some(), seen.is_empty(), "{case}");
        seen
    };
    if let Some(text) = case.strip_prefix("xla:") {
        return array(text, Notation::Xla);
    }
    match case.strip_prefix("shape:") {
        Some(text) => format!("{}\n", text.parse::<Shape>().unwrap_err().render(text)),
        None => array(case, Notation::Extended),
    }
}

#[test]
fn every_mistake_says_what_to_write() {
    let mut cases = 0;
    let mut wrong = String::new();
    for case in MISTAKES.split("\n\n").filter(|case| !case.is_empty()) {
        let (text, expected) = case.trim_start_matches("> ").split_once('\n').unwrap();
        let seen = seen(text);
        if seen.trim_end() != expected.trim_end() {
            wrong += &format!("> {text}\n{seen}\n");
        }
        cases += 1;
    }
    assert!(wrong.is_empty(), "these read differently now:\n{wrong}");
    assert!(cases >= 100);
}

/// Law 2: `read(print(x)) == x`, and printing is XLA's canonical text.
#[test]
fn printing_and_reading_again_changes_nothing() {
    for (text, printed) in [
        ("f32[]", "f32[]"),
        ("f32[]{:}", "f32[]"),
        (" f32 [ 2 , 3 ] ", "f32[2,3]{1,0}"),
        ("f32[08,-0]/*c*/{1,0}//c", "f32[8,0]{1,0}"),
        (
            "f32[<=2,?]{0,1:D(D,D)T(2,*,8)(1)L(1)E(0)S(0)M(-1)}",
            "f32[<=2,?]{0,1:T(2,*,8)(1)}",
        ),
        (
            "s4[9]{0:T(8)L(2)E(4)S(-1)SC(0:3)(0:1,2)M(8)}",
            "s4[9]{0:T(8)L(2)E(4)S(-1)SC(0:3)(0:1,2)M(8)}",
        ),
        ("f32[2,3] <0,1>", "f32[2,3]{0,1}"),
        (
            "f32[2,3]<0,1>, padding_value=one, padded_dimensions=[3,5]",
            "f32[2,3]{0,1}, padded_dimensions = [3, 5], padding_value = one",
        ),
        ("f32[], padding_value = zero", "f32[], padding_value = zero"),
        (
            "f32[2]{0:T(8)}, padding_value = lowest",
            "f32[2]{0:T(8)}, padding_value = lowest",
        ),
        ("()", "()"),
        ("(f32[],(),token[ ])", "(f32[], (), token[])"),
        (
            "(u8[],u8[],u8[],u8[],u8[],u8[])",
            "(u8[], u8[], u8[], u8[], u8[], /*index=5*/u8[])",
        ),
        (
            "(f32[2], padded_dimensions = [3], s32[])",
            "(f32[2]{0}, padded_dimensions = [3], s32[])",
        ),
        ("b(f32[2])", "b(f32[2]{0})"),
        ("opaque[]", "opaque[]"),
    ] {
        let shape: Shape = text.parse().unwrap();
        assert_eq!(shape.to_string(), printed);
        assert_eq!(printed.parse::<Shape>().as_ref(), Ok(&shape));
        if let Shape::Array(array) = &shape {
            assert_eq!(text.parse::<ArrayShape>().as_ref(), Ok(array));
            assert_eq!(array.to_string(), printed);
            let layout = array.layout.as_ref().unwrap();
            assert_eq!(layout.to_string().parse::<Layout>().as_ref(), Ok(layout));
            assert_eq!(
                array.display_without_layout().to_string(),
                printed_without(printed)
            );
        }
    }
}

fn printed_without(printed: &str) -> &str {
    &printed[..=printed.find(']').unwrap()]
}

/// The last word is the type. The number of words before it does not matter.
#[test]
fn a_type_with_a_long_path_gets_a_suggestion() {
    for text in ["jnp.float32[2]", &("np.".repeat(200_000) + "float32[2]")] {
        let error = text.parse::<ArrayShape>().unwrap_err();
        let ErrorKind::UnknownType { suggestion, .. } = error.kind() else {
            panic!("{error}");
        };
        assert_eq!(*suggestion, Suggestion::Alias(ElementType::F32));
    }
}

#[test]
fn deep_tuples_end_in_an_error() {
    let nested = |depth| "(".repeat(depth) + &")".repeat(depth);
    assert!(nested(MAX_DEPTH).parse::<Shape>().is_ok());
    for text in [
        nested(MAX_DEPTH + 1),
        nested(100_000),
        "(".repeat(100_000),
        "b(".repeat(1000),
    ] {
        let error = text.parse::<Shape>().unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::TooDeep { limit: MAX_DEPTH });
        assert!(text.parse::<ArrayShape>().is_err());
    }
}

#[test]
fn at_most_32_mistakes_are_reported() {
    let text = format!("f32[{}]", ["x"; 100].join(","));
    let mut mistakes = 0;
    assert_eq!(
        read_array(&text, Rules::default(), &mut |_| mistakes += 1),
        None
    );
    assert_eq!(mistakes, 32);
}

#[test]
fn more_than_16_dimensions() {
    let sizes = ["1"; 100].join(",");
    let order: Vec<String> = (0..100).map(|d| d.to_string()).collect();
    let text = format!("f32[{sizes}]{{{}}}", order.join(","));
    let shape: ArrayShape = text.parse().unwrap();
    assert_eq!(shape.rank(), 100);
    assert_eq!(shape.to_string(), text);
    let twice = text
        .replace(",99}", ",98}")
        .parse::<ArrayShape>()
        .unwrap_err();
    assert!(matches!(
        twice.kind(),
        ErrorKind::DuplicateDimension { dimension: 98, .. }
    ));
}

#[test]
fn a_prefix_ends_where_the_shape_ends() {
    for (text, end) in [
        ("f32[2,3]{1,0} add(x, y)", 13),
        ("f32[2,3] {\n  ROOT x = f32[] constant(0)\n}", 8),
        ("(f32[2], s32[]) tuple(a, b), padded_dimensions = [3]", 15),
        ("f32[2], padded_dimensions = [3]", 6),
        ("f32[2]<0>", 6),
        ("token[], metadata={op_name=\"x\"}", 7),
        ("f32[2] /* open", 6),
    ] {
        assert_eq!(read_shape_prefix(text).unwrap().1, end, "{text}");
    }
    assert!(read_shape_prefix("add(x, y)").is_err());
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let text = format!("/* {} */f32[-1] // {}", "x".repeat(200), "y".repeat(200));
    let error = text.parse::<ArrayShape>().unwrap_err();
    let shown = error.render(&text).to_string();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(
        lines[1].starts_with("  …xx") && lines[1].ends_with("yy…"),
        "{shown}"
    );
    assert!(lines[1].chars().count() <= 100);
    let column = lines[2].chars().position(|c| c == '^').unwrap();
    assert_eq!(
        lines[1].chars().skip(column).take(2).collect::<String>(),
        "-1"
    );
}

#[test]
fn carets_stay_below_tabs_and_wide_characters() {
    let shown = |text: &str| {
        let error = text.parse::<ArrayShape>().unwrap_err();
        error
            .render(text)
            .to_string()
            .lines()
            .take(3)
            .skip(1)
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(
        shown("\tf32[2]\t{1,0}"),
        "  \tf32[2]\t{1,0}\n  \t      \t^^^^^"
    );
    assert_eq!(shown("/*é*/f32[-1]"), "  /*é*/f32[-1]\n           ^^");
    assert_eq!(
        shown("/*日本*/f32[-1]"),
        "  /*日本*/f32[-1]\n              ^^"
    );
    assert_eq!(shown("f32[2,\n  -3]\n"), "  2 |   -3]\n    |   ^^");
    assert_eq!(
        shown("\u{1b}[31mf32[2]").lines().next(),
        Some("  \u{fffd}[31mf32[2]")
    );
}

#[test]
fn an_error_of_another_text_renders_without_a_panic() {
    let error = "f32[2,3,4,5,6]{0}".parse::<ArrayShape>().unwrap_err();
    for text in ["", "é", "日本語日本語日本語", "\n\n\n", "a\nb"] {
        let _ = error.render(text).to_string();
    }
    let built = ParseError::new(ErrorKind::MissingLayout, None);
    assert_eq!(
        built.render("f32[2]").to_string(),
        "error: the array has no layout\nhelp: set its layout; row-major is the default"
    );
    assert_eq!(
        format!("{built}"),
        "the array has no layout; set its layout; row-major is the default"
    );
}
