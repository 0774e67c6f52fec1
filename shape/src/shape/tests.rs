//! Nested tuples in a thread with a small stack. `.ci/run` runs these also without optimisation,
//! because the profile of the workspace optimises this crate.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::prelude::v1::*;

use super::Shape;
use crate::error::ErrorKind;
use crate::text::{MAX_DEPTH, read_shape_prefix};

/// Runs in a thread of 256 KiB.
fn with_small_stack(run: fn()) {
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    let thread = thread.spawn(run).expect("the system has threads");
    thread.join().expect("the test passes");
}

fn nested(depth: usize, inner: &str) -> String {
    ["(".repeat(depth), inner.into(), ")".repeat(depth)].concat()
}

fn deepest() -> Shape {
    let text = nested(MAX_DEPTH, "f32[2,3]{0,1}");
    text.parse().expect("it is not too deep")
}

#[test]
fn reading_and_printing_take_no_stack_for_each_tuple() {
    with_small_stack(|| {
        // A buffer is a level, too.
        let text = nested(MAX_DEPTH - 1, "f32[2,3]{0,1}, token[], b(s32[4]{0})");
        let shape: Shape = text.parse().expect("it is not too deep");
        assert_eq!(shape.to_string(), text);
        assert_eq!(shape.leaves().count(), 3);
        assert_eq!(Shape::read_xla(&text).as_ref(), Ok(&shape));
        let instruction = [&text, " tuple(x)"].concat();
        let (read, end) = read_shape_prefix(&instruction).expect("it is not too deep");
        assert_eq!((read, end), (shape, text.len()));
        for wrong in [
            nested(MAX_DEPTH + 1, ""),
            nested(100_000, "f32[2]"),
            "(".repeat(100_000),
            "b(".repeat(100_000),
            "(b(".repeat(100_000),
        ] {
            let error = wrong.parse::<Shape>().expect_err("it is too deep");
            assert_eq!(error.kind(), &ErrorKind::TooDeep { limit: MAX_DEPTH });
        }
    });
}

#[test]
fn a_mistake_in_a_deep_tuple_has_its_place() {
    with_small_stack(|| {
        let text = nested(MAX_DEPTH, "f32[2,3]{0,2}");
        let error = text.parse::<Shape>().expect_err("it lists dimension 2");
        let at = text.find("{0,2}").expect("it is there");
        assert_eq!(error.span(), Some(at + 3..at + 4));
    });
}

#[test]
fn values_take_little_stack_for_each_tuple() {
    with_small_stack(|| {
        let shape = deepest();
        let copy = shape.clone();
        assert_eq!(copy, shape);
        let hash = |shape: &Shape| {
            let mut hasher = DefaultHasher::new();
            shape.hash(&mut hasher);
            hasher.finish()
        };
        assert_eq!(hash(&copy), hash(&shape));
        assert!(format!("{shape:?}").ends_with(&"])".repeat(MAX_DEPTH)));
        assert!(format!("{shape:#?}").contains("Tuple"));
        assert!(shape.validate().is_ok() && !shape.is_dynamic());
        assert_eq!(shape.leaves().count(), 1);
        drop((shape, copy));
    });
}
