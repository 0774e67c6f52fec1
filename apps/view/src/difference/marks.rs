//! The differences between two shapes, and their places in the texts.

use std::ops::Range;

use xlayout::{ArrayShape, Layout};

use xlayout::xla::{Compare, Different};

/// One difference: its description, and its place in each text; `None` if it is not in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) words: String,
    pub(crate) a: Option<Range<usize>>,
    pub(crate) b: Option<Range<usize>>,
}

/// A part of a printed shape.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ShapeField {
    ElementType,
    Dimensions,
    Dimension(usize),
    MinorToMajor,
    /// `T`, `L`, `S`, …
    Attribute(String),
    /// `padded_dimensions` and `padding_value`
    Padding,
}

/// All differences, in the sequence in which XLA compares.
pub(crate) fn marks(a: &ArrayShape, b: &ArrayShape) -> Vec<Mark> {
    let in_a = parts(&a.to_string());
    let in_b = parts(&b.to_string());
    let find = |parts: &[(ShapeField, Range<usize>)], part: &ShapeField| {
        let found = parts.iter().find(|(of, _)| of == part);
        found.map(|(_, place)| place.clone())
    };
    let mut marks = Vec::new();
    let mut push = |words: String, part: ShapeField| {
        marks.push(Mark {
            words: named(&words),
            a: find(&in_a, &part),
            b: find(&in_b, &part),
        });
    };
    // Each difference is made equal, and the shapes are compared again.
    let mut rest = b.clone();
    let all = 32 + 2 * (a.rank() + b.rank());
    for _ in 0..all {
        let Some(difference) = Compare::new().difference(a, &rest) else {
            break;
        };
        let part = match difference.what() {
            Different::ElementType { .. } | Different::Kind { .. } => {
                rest.element_type = a.element_type;
                ShapeField::ElementType
            }
            Different::Rank { .. } => {
                rest.dims = a.dims.clone();
                if let (Some(to), Some(from)) = (&mut rest.layout, &a.layout) {
                    to.minor_to_major = from.minor_to_major.clone();
                    to.padded_dimensions = from.padded_dimensions.clone();
                }
                ShapeField::Dimensions
            }
            Different::Dimension { dimension, .. } => {
                rest.dims[dimension] = a.dims[dimension];
                ShapeField::Dimension(dimension)
            }
            what => match (&mut rest.layout, &a.layout) {
                (Some(to), Some(from)) => make_equal(what, to, from),
                _ => break,
            },
        };
        push(difference.message().to_string(), part);
    }
    let prefix = |shape: &ArrayShape| {
        let layout = shape.layout.as_ref();
        layout.map_or(0, |layout| layout.dynamic_shape_metadata_prefix_bytes)
    };
    if prefix(a) != prefix(b) {
        push(
            "the metadata prefixes (`M`) differ, which XLA does not compare".to_owned(),
            ShapeField::Attribute("M".to_owned()),
        );
    }
    marks
}

/// Copies a part in which two layouts differ from one to the other.
fn make_equal(what: Different, to: &mut Layout, from: &Layout) -> ShapeField {
    match what {
        Different::MinorToMajorList => {
            to.minor_to_major = from.minor_to_major.clone();
            ShapeField::MinorToMajor
        }
        Different::Padding => {
            to.padded_dimensions = from.padded_dimensions.clone();
            to.padding_value = from.padding_value;
            ShapeField::Padding
        }
        Different::Attribute(attribute) => {
            use xlayout::shape::Attribute;
            match attribute {
                Attribute::Tiles => to.tiles = from.tiles.clone(),
                Attribute::TailAlignment => {
                    to.tail_padding_alignment_in_elements = from.tail_padding_alignment_in_elements;
                }
                Attribute::ElementSize => to.element_size_in_bits = from.element_size_in_bits,
                Attribute::MemorySpace => to.memory_space = from.memory_space,
                Attribute::Splits => to.split_configs = from.split_configs.clone(),
                // Valid layouts have no other attributes.
                _ => *to = from.clone(),
            }
            ShapeField::Attribute(attribute.name().to_owned())
        }
        _ => {
            *to = from.clone();
            ShapeField::MinorToMajor
        }
    }
}

/// The parts of a shape as XLA prints it, and our padding after it.
fn parts(text: &str) -> Vec<(ShapeField, Range<usize>)> {
    let mut parts = Vec::new();
    let (Some(open), Some(close)) = (text.find('['), text.find(']')) else {
        return parts;
    };
    parts.push((ShapeField::ElementType, 0..open));
    parts.push((ShapeField::Dimensions, open..close + 1));
    let mut at = open + 1;
    for (k, entry) in text[open + 1..close].split(',').enumerate() {
        parts.push((ShapeField::Dimension(k), at..at + entry.len()));
        at += entry.len() + 1;
    }
    if let Some(start) = text.find("padded_dimensions") {
        parts.push((ShapeField::Padding, start..text.len()));
    }
    let Some(brace) = text.find('{') else {
        return parts;
    };
    let end = text[brace..].find('}').map_or(text.len(), |k| brace + k);
    let list = text[brace..end].find(':').map_or(end, |k| brace + k);
    parts.push((ShapeField::MinorToMajor, brace + 1..list));
    // Names before parentheses: `T(8,128)(2,1)S(1)`.
    let mut rest = (list + 1).min(end);
    while rest < end {
        let name_end = text[rest..end].find('(').map_or(end, |k| rest + k);
        let name = text[rest..name_end].to_owned();
        let mut last = name_end;
        while text[last..end].starts_with('(') {
            last = text[last..end].find(')').map_or(end, |k| last + k + 1);
        }
        parts.push((ShapeField::Attribute(name), rest..last));
        rest = last.max(rest + 1);
    }
    parts
}

/// The library's text, with the names of the two on the command line.
fn named(words: &str) -> String {
    words
        .replace("in the first", "in A")
        .replace("in the second", "in B")
        .replace("the first has", "A has")
        .replace(", the second ", ", B has ")
}

/// Carets below the parts of a text that differ; empty if there are none.
pub(crate) fn carets(places: impl Iterator<Item = Option<Range<usize>>>) -> String {
    let mut line: Vec<u8> = Vec::new();
    for place in places.flatten() {
        if line.len() < place.end {
            line.resize(place.end, b' ');
        }
        line[place].fill(b'^');
    }
    String::from_utf8(line).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(a: &str, b: &str) -> String {
        let a: ArrayShape = a.parse().unwrap();
        let b: ArrayShape = b.parse().unwrap();
        let marks = marks(&a, &b);
        let words: Vec<String> = marks.iter().map(|mark| mark.words.clone()).collect();
        format!(
            "{a}\n{}\n{b}\n{}\n{}",
            carets(marks.iter().map(|mark| mark.a.clone())),
            carets(marks.iter().map(|mark| mark.b.clone())),
            words.join("\n")
        )
    }

    #[test]
    fn all_differences_are_marked() {
        expect_test::expect![[r#"
            f32[4,6]{1,0:T(8,128)S(1)}
            ^^^   ^  ^^^ ^^^^^^^^^^^^
            bf16[4,7]{0,1:T(8,128)(2,1)}
            ^^^^   ^  ^^^ ^^^^^^^^^^^^^
            the elements are f32 in A and bf16 in B
            dimension 1 is 6 in A and 7 in B
            the minor_to_major lists differ
            the tiles (`T`) differ
            the memory spaces (`S`) differ"#]]
        .assert_eq(&shown(
            "f32[4,6]{1,0:T(8,128)S(1)}",
            "bf16[4,7]{0,1:T(8,128)(2,1)}",
        ));
        expect_test::expect![[r#"
            f32[24]{0:M(8)}
               ^^^^   ^^^^
            f32[2,12]{1,0:L(4)E(32)}
               ^^^^^^     ^^^^^^^^^
            A has 1 dimension, B has 2
            the tail padding alignments (`L`) differ
            the element sizes (`E`) differ
            the metadata prefixes (`M`) differ, which XLA does not compare"#]]
        .assert_eq(&shown("f32[24]{0:M(8)}", "f32[2,12]{1,0:L(4)E(32)}"));
    }
}
