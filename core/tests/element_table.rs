//! Every row of the table of element types makes a type of layouts and a type of elements, and
//! these agree.

use xlayout_core::dtype::{self, DType};
use xlayout_core::{Element, ElementType};

macro_rules! check {
    (
        elements { $(
            $(#[$doc:meta])*
            $variant:ident = $number:literal, $name:ident, $bits:literal, $($text:tt),*;
            $memory:tt $libraries:tt
        )* }
        others $others:tt
    ) => {
        #[test]
        fn every_type_has_a_marker_and_elements() {
            let mut rows = 0;
            $({
                let row = ElementType::$variant;
                assert_eq!(<dtype::$name as DType>::TYPE, row);
                assert_eq!(row.name(), stringify!($name));
                type Rust = <dtype::$name as DType>::RustType;
                assert_eq!(<<Rust as Element>::Type as DType>::TYPE, row);
                assert_eq!(Some(size_of::<Rust>()), row.bytes().map(|bytes| bytes as usize), "{row}");
                rows += 1;
            })*
            assert_eq!(rows, ElementType::all().filter(|row| row.is_array()).count());
        }
    };
}

xlayout_core::for_each_element_type! { check }
