//! Any text, by all rules: reading never panics; a text that is not read has a mistake that says
//! something about a place in it; what is read is printed so that it is read again (law 2).
#![no_main]

use libfuzzer_sys::fuzz_target;
use xlayout_core::text::{Notation, Rules, read_array, read_shape_prefix};
use xlayout_core::{Dim, DynLayout, ElementType, Layout, ParseError, Shape};

fuzz_target!(|text: &str| {
    for notation in [Notation::Xla, Notation::Extended] {
        for addressable in [false, true] {
            arrays(
                text,
                Rules {
                    notation,
                    addressable,
                },
            );
        }
    }
    for read in [Shape::read_xla, str::parse::<Shape>] {
        match read(text) {
            Ok(shape) => {
                assert_eq!(shape.to_string().parse().as_ref(), Ok(&shape));
                assert_eq!(shape.validate(), Ok(()));
                let _ = shape.display_without_layout().to_string();
            }
            Err(error) => speaks(&error, text),
        }
    }
    for read in [Layout::read_xla, str::parse::<Layout>] {
        match read(text) {
            Ok(layout) => layout_again(&layout),
            Err(error) => speaks(&error, text),
        }
    }
    if let Ok(shape) = Shape::read_xla_unvalidated(text) {
        let _ = (shape.to_string(), shape.validate());
    }
    if let Ok((shape, end)) = read_shape_prefix(text) {
        assert_eq!(Shape::read_xla(&text[..end]).as_ref(), Ok(&shape));
    }
    if let Ok(element_type) = text.parse::<ElementType>() {
        assert_eq!(element_type.name(), text);
    }
});

fn arrays(text: &str, rules: Rules) {
    let mut mistakes = 0;
    let read = read_array(text, rules, &mut |error| {
        mistakes += 1;
        speaks(&error, text);
    });
    assert_eq!(read.is_some(), mistakes == 0);
    assert!(mistakes <= 33);
    if let Some(array) = read {
        assert_eq!(array.validate(), Ok(()));
        let printed = array.to_string();
        let again = read_array(&printed, rules, &mut |error| panic!("{printed}: {error}"));
        assert_eq!(again.as_ref(), Some(&array));
        // What the rule `addressable` lets through can be lowered, and nothing else.
        if !array.dims.contains(&Dim::Unbounded) {
            let read = rules.addressable || {
                let rules = Rules {
                    addressable: true,
                    ..rules
                };
                read_array(&printed, rules, &mut |_| {}).is_some()
            };
            assert_eq!(DynLayout::new(array).is_ok(), read, "{printed}");
        }
    }
}

/// A layout alone is not validated: leftover types that XLA prints as `invalid` are not read again.
fn layout_again(layout: &Layout) {
    let printed = layout.to_string();
    let leftovers = [layout.index_primitive_type, layout.pointer_primitive_type];
    if leftovers
        .iter()
        .flatten()
        .all(|leftover| leftover.is_integral())
    {
        assert_eq!(printed.parse().as_ref(), Ok(layout), "{printed}");
    }
}

fn speaks(error: &ParseError, text: &str) {
    assert!(!error.to_string().is_empty());
    assert!(!error.render(text).to_string().is_empty());
    if let Some(span) = error.span() {
        assert!(text.get(span.clone()).is_some(), "{span:?}");
    }
}
