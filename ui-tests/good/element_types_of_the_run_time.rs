//! `dispatch!` in a crate that denies all warnings, inside of functions and constants of its own names.
#![deny(warnings)]

use xlayout::{ArrayLayout, DynLayout, ElementType};

struct LayoutError;

fn bytes<Element>(element_type: ElementType) -> Result<usize, LayoutError> {
    let found = size_of::<Element>();
    let sum = xlayout::dispatch!(element_type, Value: f32 | f64 => found + size_of::<Value>());
    sum.map_err(|_| LayoutError)
}

fn main() {
    let layout: DynLayout = "f64[2]".parse().unwrap();
    let Ok(found) = bytes::<u16>(layout.element_type()) else {
        panic!("f64 is listed");
    };
    assert_eq!(found, 10);
    assert!(bytes::<u16>(ElementType::S8).is_err());
}
