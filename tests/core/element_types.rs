//! Element types that only the run time knows, and elements of another byte order.

use xlayout::{
    ArrayLayout, DynLayout, Element, ElementType, LayoutError, Raw, dispatch,
    dtype::{self, DType},
};

fn type_of<T: Element>() -> (ElementType, usize) {
    (T::Type::TYPE, size_of::<T>())
}

/// A new element type has to be listed in `dispatch!`, too.
#[test]
fn every_type_that_has_elements_is_dispatched() {
    for element_type in ElementType::all() {
        let found = dispatch!(element_type, T => type_of::<T>());
        match element_type.bytes() {
            Some(bytes) => assert_eq!(found, Ok((element_type, bytes as usize))),
            None => {
                assert_eq!(found, Err(LayoutError::NoCode { element_type }));
                let text = format!(
                    "there are no elements of type {element_type}; give `dispatch!` the element type of an array"
                );
                assert_eq!(found.unwrap_err().to_string(), text);
            }
        }
    }
}

#[test]
fn listed_types_are_dispatched_and_others_are_an_error() {
    fn width(text: &str) -> Result<usize, LayoutError> {
        let layout: DynLayout = text.parse()?;
        dispatch!(layout.element_type(), T: f32 | Raw<dtype::bf16> => type_of::<T>().1)
    }
    assert_eq!((width("f32[2]"), width("bf16[2]")), (Ok(4), Ok(2)));
    assert_eq!(
        width("s4[2]").unwrap_err().to_string(),
        "`dispatch!` has no code for elements of type s4; list the Rust type of it there, or convert the elements"
    );
}

/// `?`, `return` and `break` in the code belong to the function around it, and the type need not be
/// named.
#[test]
fn the_code_is_part_of_the_function() {
    fn lowest(element_type: ElementType) -> Option<i32> {
        let found = dispatch!(
            element_type,
            T: u8 | i8 => i32::from(Some(T::LOWEST).filter(|&x| x != T::ZERO)?),
            _ => return None,
        );
        Some(found + 1)
    }
    let found = [ElementType::U8, ElementType::S8, ElementType::F32].map(lowest);
    assert_eq!(found, [None, Some(-127), None]);
    let mut steps = 0;
    for element_type in ElementType::all() {
        dispatch!(element_type, T: f64 | f32 => break, _ => steps += 1);
    }
    assert_eq!(steps, 10);
    assert_eq!(dispatch!(ElementType::F32, _T => 7, _ => 8), 7);
    assert_eq!(dispatch!(ElementType::Token, _T => 7, _ => 8), 8);
}

#[test]
fn bytes_are_swapped() {
    assert_eq!(
        i16::from_be_bytes([1, 2]),
        Element::from_be(i16::from_ne_bytes([1, 2]))
    );
    assert_eq!(
        f64::from_be_bytes([1, 2, 3, 4, 5, 6, 7, 8]),
        f64::from_be(f64::from_ne_bytes([1, 2, 3, 4, 5, 6, 7, 8]))
    );
    assert!(true.swap_bytes() && !false.swap_bytes());
    assert_eq!(0x12_u8.swap_bytes(), 0x12);
    type Complex = Raw<dtype::c64>;
    let swapped = Complex::from_bits([0x0102_0304, 0x0506_0708]).swap_bytes();
    assert_eq!(swapped.to_bits(), [0x0403_0201, 0x0807_0605]);
    assert_eq!(
        Raw::<dtype::bf16>::from_bits(0x3f80).swap_bytes().to_bits(),
        0x803f
    );
    assert_eq!(
        Raw::<dtype::u4>::from_bits(0x0f).swap_bytes().to_bits(),
        0x0f
    );
}
