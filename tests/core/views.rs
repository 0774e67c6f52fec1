//! Arrays: what does not fit is refused with its numbers, what fits is read as it was written, and
//! padding has the requested value.
#![cfg(feature = "std")]

mod messages;

use xlayout::{
    Array, ArrayLayout, ConstLayout, DynCoordinates, DynLayout, Element, ElementType, Index,
    LayoutError, SliceView, SliceViewMut, StridedLayout, branded,
    dtype::{AnyType, StoredAs},
    index, layout, specialize,
};

fn dyn_layout(text: &str) -> DynLayout {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn wrong_lengths_types_and_widths() {
    type A = layout!(f32[2,3]{0,1});
    let data = [0.0_f32; 7];
    assert_eq!(
        SliceView::new(A::NEW, &data[..5]).err(),
        Some(LayoutError::Length {
            expected: 6,
            found: 5
        })
    );
    assert_eq!(
        SliceView::new(A::NEW, &data[..]).err(),
        Some(LayoutError::Length {
            expected: 6,
            found: 7
        })
    );
    assert!(SliceView::new(A::NEW, &data[..6]).is_ok());
    // Padding is part of the buffer.
    let padded = dyn_layout("f32[2,3]{1,0:T(2,2)}");
    assert_eq!(
        SliceView::new(&padded, &data[..6]).err(),
        Some(LayoutError::Length {
            expected: 8,
            found: 6
        })
    );
    let expected = ElementType::F32;
    let other = LayoutError::ElementType {
        expected,
        found: ElementType::S32,
    };
    assert_eq!(
        SliceView::new(dyn_layout("s32[2,3]"), &data[..6]).err(),
        Some(other)
    );
    let narrow = LayoutError::ElementBits {
        expected: 32,
        found: 16,
    };
    assert_eq!(
        SliceView::new(dyn_layout("f32[2,3]{1,0:E(16)}"), &data[..6]).err(),
        Some(narrow)
    );
    assert!(SliceView::new(dyn_layout("f32[2,3]{1,0:E(32)}"), &data[..6]).is_ok());
    let zeros = Array::<f32, _>::zeros(dyn_layout("u8[2]")).err();
    assert_eq!(
        zeros,
        Some(LayoutError::ElementType {
            expected,
            found: ElementType::U8
        })
    );
    assert!(SliceView::new(dyn_layout("f32[0,3]{1,0:T(8,128)}"), &data[..0]).is_ok());
}

#[test]
fn bytes() {
    type A = layout!(u32[2,2]{0,1});
    let words = [
        1_u32.to_le(),
        2_u32.to_le(),
        3_u32.to_le(),
        4_u32.to_le(),
        5_u32.to_le(),
    ];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    // Somewhere in the first four bytes a word may begin.
    let start = bytes.as_ptr().align_offset(align_of::<u32>());
    let whole = &bytes[start..start + 16];
    let view = SliceView::<u32, A>::from_bytes(A::NEW, whole).expect("it is aligned and as long");
    assert_eq!(view.memory().len(), 4);
    if start == 0 {
        assert_eq!(
            [view[[0, 0]], view[[1, 0]], view[[0, 1]], view[[1, 1]]].map(u32::from_le),
            [1, 2, 3, 4]
        );
    }
    let shifted = &bytes[(start + 1) % 4..][..16];
    let found = (shifted.as_ptr().addr()) % 4;
    let beside = SliceView::<u32, A>::from_bytes(A::NEW, shifted).err();
    assert_eq!(beside, Some(LayoutError::Alignment { expected: 4, found }));
    let short = SliceView::<u32, A>::from_bytes(A::NEW, &whole[..13]).err();
    assert_eq!(
        short,
        Some(LayoutError::Bytes {
            expected: 16,
            found: 13
        })
    );
    let mut bytes = bytes.clone();
    let start = bytes.as_ptr().align_offset(align_of::<u32>());
    let whole = &mut bytes[start..start + 16];
    let mut view = SliceViewMut::<u32, A>::from_bytes(A::NEW, whole).expect("it is aligned");
    view[[1, 1]] = u32::MAX;
    assert_eq!(whole[12..], [0xff; 4]);
}

/// A wrong number of bytes is named with the number that the layout takes, whole elements or not.
#[test]
fn too_few_and_too_many_bytes() {
    let layout = dyn_layout("f32[3,4]");
    let words = [0.0_f32; 16];
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    for found in [0, 4, 44, 45, 47, 49, 52, 64] {
        let wrong = Some(LayoutError::Bytes {
            expected: 48,
            found,
        });
        let view = SliceView::<f32, _>::from_bytes(&layout, &bytes[..found]);
        assert_eq!(view.err(), wrong);
        let view = SliceViewMut::<f32, _>::from_bytes(&layout, &mut bytes[..found]);
        assert_eq!(view.err(), wrong);
    }
    let short = SliceView::<f32, _>::from_bytes(&layout, &bytes[..44]);
    assert_eq!(
        short.expect_err("four bytes are missing").to_string(),
        "the slice has 44 bytes, but the layout takes 48 (padding included); pass a slice of exactly \
         that length"
    );
    // The type is checked first: the number of bytes of another type has no meaning.
    let other = SliceView::<f64, _>::from_bytes(&layout, &bytes[..48]).err();
    assert!(
        matches!(other, Some(LayoutError::ElementType { .. })),
        "{other:?}"
    );
}

/// The type is checked before memory is allocated, and a lack of memory is an error.
#[test]
#[cfg(all(target_pointer_width = "64", not(miri)))]
fn arrays_larger_than_memory() {
    let layout = dyn_layout("u8[1000000000000000]");
    let zeros = Array::<f32, _>::zeros(&layout).err();
    let other = Some(LayoutError::ElementType {
        expected: ElementType::F32,
        found: ElementType::U8,
    });
    assert_eq!(zeros, other);
    assert_eq!(Array::<f32, _>::from_fn(&layout, |_| 1.0).err(), other);
    let zeros = Array::<u8, _>::zeros(&layout).err();
    let no_memory = LayoutError::OutOfMemory {
        element_type: ElementType::U8,
        buffer_len: 1_000_000_000_000_000,
        bytes: 1_000_000_000_000_000,
    };
    assert_eq!(zeros, Some(no_memory.clone()));
    assert_eq!(
        Array::<u8, _>::from_fn(&layout, |_| 1).err().as_ref(),
        Some(&no_memory)
    );
    assert_eq!(
        no_memory.to_string(),
        "no memory for 1000000000000000 elements of type u8 (padding included), 1000000000000000 \
         bytes; use smaller dimensions, or a view of memory that you have"
    );
    // More bytes than Rust's vectors hold are an error, too.
    let most = dyn_layout("u8[9223372036854775807]");
    assert!(Array::<u8, _>::zeros(most).is_err());
}

#[test]
#[should_panic(
    expected = "coordinate 3 of dimension 1 is out of bounds: the dimension has size 3; its last index is 2"
)]
fn out_of_bounds_panics() {
    let layout = dyn_layout("u8[2,3]{0,1}");
    let view = SliceView::new(&layout, &[0_u8; 6][..]).expect("it is as long");
    let _ = view[[1, 3]];
}

#[test]
#[should_panic(
    expected = "the number of coordinates is 3, but the layout has rank 2; give one for each dimension"
)]
fn another_rank_panics() {
    let layout = dyn_layout("u8[2,3]{0,1}");
    let view = SliceView::new(&layout, &[0_u8; 6][..]).expect("it is as long");
    let _ = view[[1, 2, 0]];
}

#[test]
fn indices_of_every_kind() {
    type A = layout!(u8[2,3]{0,1});
    let data = [0_u8, 1, 2, 3, 4, 5];
    let view = SliceView::new(A::NEW, &data[..]).expect("it is as long");
    assert_eq!(view[[1, 2]], view[index!(A[1, 2])]);
    assert_eq!(view[[1, 2]], view[index!(A[1, 2]).linear()]);
    assert_eq!(
        (
            view.get([1, 2]),
            view.get([2, 0]),
            view.get([0, usize::MAX])
        ),
        (Some(&5), None, None)
    );
    // Coordinates as closures get them.
    let dynamic = SliceView::new(dyn_layout("u8[2,3]{0,1}"), &data[..]).expect("it is as long");
    dynamic
        .layout()
        .for_each_index(|at| assert_eq!(dynamic[at], view[[at[0], at[1]]]));
    view.layout()
        .for_each_index(|at| assert_eq!(view[at], dynamic[[at[0], at[1]]]));
    let beyond = std::panic::catch_unwind(|| dynamic[&DynCoordinates::from([1, 3])]);
    assert!(beyond.is_err());
    let out_of_bounds = LayoutError::OutOfBounds {
        dimension: 1,
        coordinate: 3,
        size: 3,
    };
    assert_eq!(A::NEW.index([1, 3]).err(), Some(out_of_bounds));
    assert_eq!(
        A::NEW.linear(6).err(),
        Some(LayoutError::BeyondEnd {
            linear_index: 6,
            buffer_len: 6
        })
    );
    type Padded = layout!(u8[2,3]{1,0:T(2,2)});
    assert_eq!(
        Padded::NEW.linear(5).err(),
        Some(LayoutError::InPadding { linear_index: 5 })
    );
    let tiled = dyn_layout("u8[2,3]{1,0:T(2,2)}");
    assert_eq!(
        tiled.linear(5).err(),
        Some(LayoutError::InPadding { linear_index: 5 })
    );
    assert_eq!(
        tiled.index([0]).err(),
        Some(LayoutError::Listed {
            what: "coordinates",
            expected: 2,
            found: 1
        })
    );
    for i in A::axis::<0>() {
        let row: Vec<u8> = A::axis::<1>().map(|j| view[(i, j)]).collect();
        assert_eq!(row, [data[i.get()], data[i.get() + 2], data[i.get() + 4]]);
    }
    let empty: StridedLayout<[usize; 2]> = "u8[0,3]".parse().expect("it has strides");
    let out_of_bounds = empty.index([0, 0]).expect_err("there are no elements");
    assert!(
        out_of_bounds
            .to_string()
            .contains("has size 0, so the array has no elements")
    );
}

#[test]
fn branded_views() {
    let layout = dyn_layout("u8[2,3]{0,1}");
    let mut data = [0_u8, 1, 2, 3, 4, 5];
    branded(&layout, |layout| {
        let mut view = SliceViewMut::new(layout, &mut data[..]).expect("it is as long");
        for index in layout.indices() {
            view[index.clone()] *= 2;
            assert_eq!(view[index.to_linear(&layout)] % 2, 0);
        }
        assert_eq!(layout.get().to_string(), "u8[2,3]{0,1}");
    });
    assert_eq!(data, [0, 2, 4, 6, 8, 10]);
    let view = SliceView::new(&layout, &data[..]).expect("it is as long");
    let sum = view.branded(|view| {
        view.layout()
            .indices()
            .map(|i| u32::from(view[i]))
            .sum::<u32>()
    });
    assert_eq!(sum, 30);
}

/// Which body runs, and that it sees the same elements.
#[test]
fn specialized_views() {
    fn ran(text: &str) -> (&'static str, Vec<u8>) {
        let layout = dyn_layout(text);
        let array = Array::from_fn(layout, |index| index[0] as u8 * 10 + index[1] as u8);
        let view = array.expect("it is u8");
        let mut elements = vec![0; view.layout().elements()];
        let name = specialize!(view, {
            u8[2,3]{0,1} => { view.to_row_major(&mut elements).expect("as many"); "fixed" },
            u8[2,3]{1,0:T(2,2)} | u8[2,3]{0,1:T(2,2)} => {
                view.to_row_major(&mut elements).expect("as many");
                "tiled"
            },
            u8[?,3]{1,0} => { view.to_row_major(&mut elements).expect("as many"); "rows" },
            _ => { view.to_row_major(&mut elements).expect("as many"); "general" },
        });
        (name, elements)
    }
    let small = vec![0, 1, 2, 10, 11, 12];
    assert_eq!(ran("u8[2,3]{0,1}"), ("fixed", small.clone()));
    assert_eq!(ran("u8[2,3]{1,0}"), ("rows", small.clone()));
    assert_eq!(ran("u8[2,3]{1,0:T(2,2)}"), ("tiled", small.clone()));
    assert_eq!(ran("u8[2,3]{0,1:T(2,2)}"), ("tiled", small.clone()));
    // The same memory in another notation.
    assert_eq!(ran("u8[2,3]{1,0:T(1,1)}"), ("rows", small.clone()));
    assert_eq!(ran("u8[2,3]{1,0:S(1)}"), ("general", small));
    assert_eq!(ran("u8[1,3]{0,1}"), ("rows", vec![0, 1, 2]));
    assert_eq!(ran("u8[2,2]{1,0}"), ("general", vec![0, 1, 10, 11]));
}

/// Every padding value of an element type: filled in padding only.
fn fills<T: Element + PartialEq + std::fmt::Debug>(type_name: &str, element: T)
where
    AnyType: StoredAs<T>,
{
    for (name, value) in [
        ("zero", T::ZERO),
        ("one", T::ONE),
        ("lowest", T::LOWEST),
        ("highest", T::HIGHEST),
        ("unknown", T::ZERO),
    ] {
        let text =
            format!("{type_name}[2,3] <0,1>, padded_dimensions = [3, 4], padding_value = {name}");
        let mut array = Array::from_fn(dyn_layout(&text), |_| element).expect("it is the type");
        assert_eq!(
            array
                .memory()
                .iter()
                .filter(|item| **item == element)
                .count(),
            6,
            "{text}"
        );
        assert_eq!(
            array.memory().iter().filter(|item| **item == value).count(),
            6,
            "{text}"
        );
        array.fill_padding_with(element);
        assert!(array.memory().iter().all(|item| *item == element), "{text}");
    }
}

#[test]
fn padding_values() {
    fills("s8", 5_i8);
    fills("f64", 5.0_f64);
    // Miri takes two seconds for each.
    if cfg!(miri) {
        return;
    }
    fills("s16", 5_i16);
    fills("s32", 5_i32);
    fills("s64", 5_i64);
    fills("u8", 5_u8);
    fills("u16", 5_u16);
    fills("u32", 5_u32);
    fills("u64", 5_u64);
    fills("f32", 5.0_f32);
    assert_eq!(
        (f32::LOWEST, f32::HIGHEST),
        (f32::NEG_INFINITY, f32::INFINITY)
    );
    assert_eq!(
        (i8::LOWEST, i8::HIGHEST, bool::LOWEST, bool::HIGHEST),
        (-128, 127, false, true)
    );
    #[cfg(feature = "half")]
    {
        fills("f16", half::f16::from_f32(5.0));
        fills("bf16", half::bf16::from_f32(5.0));
    }
    #[cfg(feature = "num-complex")]
    {
        fills("c64", num_complex::Complex::new(5.0_f32, 5.0));
        fills("c128", num_complex::Complex::new(5.0_f64, 5.0));
    }
    #[cfg(feature = "float8")]
    {
        fills("f8e4m3fn", float8::F8E4M3::from_bits(0x40));
        fills("f8e5m2", float8::F8E5M2::from_bits(0x40));
    }
}

#[test]
fn debug_prints_elements_in_logical_sequence() {
    let view = SliceView::new(dyn_layout("u8[2,3]{0,1}"), &[0_u8, 3, 1, 4, 2, 5][..]);
    let view = view.expect("it is as long");
    let printed = format!("{view:?}");
    assert!(
        printed.contains("u8[2,3]{0,1}") && !printed.is_empty(),
        "{printed}"
    );
    let index = Index::<DynLayout>::new(view.layout(), [1, 2].into()).expect("it is in bounds");
    assert_eq!((format!("{index:?}"), view[index]), ("[1, 2]".into(), 5));
}

/// No bytes hold no elements, wherever they begin: they need no alignment.
#[test]
fn no_bytes_need_no_alignment() {
    let mut bytes = [0_u8; 16];
    for text in ["f64[0,4]", "f64[4,0]{0,1:T(2,128)}", "f64[3,0,2]"] {
        let layout = dyn_layout(text);
        for start in 0..16 {
            let view = SliceView::<f64, _>::from_bytes(&layout, &bytes[start..start]);
            let view = view.expect("no bytes are no elements");
            assert_eq!((view.memory().len(), view.iter().count()), (0, 0));
            let view = SliceViewMut::<f64, _>::from_bytes(&layout, &mut bytes[start..start]);
            assert_eq!(view.expect("as above").memory_mut().len(), 0);
        }
    }
    assert!(SliceView::<f64, _>::from_bytes(dyn_layout("f64[0,4]"), &[]).is_ok());
    // Elements need it. One of two neighbouring bytes is not aligned.
    let layout = dyn_layout("u16[3]");
    let odd = usize::from(bytes.as_ptr().addr().is_multiple_of(2));
    let refused = SliceView::<u16, _>::from_bytes(&layout, &bytes[odd..][..6]);
    assert_eq!(
        refused.expect_err("it is not aligned").to_string(),
        "the address of the bytes is 1 above a multiple of 2, the alignment of an element; copy them to an \
         aligned buffer"
    );
}

/// An arm with a `?` takes what an arm with a size in its place takes, so `specialize!` may say
/// that the second one is never tried.
#[test]
fn a_size_that_the_run_time_knows_is_any_size() {
    // Miri takes two seconds for each size.
    const STEP: usize = if cfg!(miri) { 3 } else { 1 };
    macro_rules! check {
        ($($attributes:tt)*) => {
            for rows in (0..9).step_by(STEP) {
                for columns in (0..9).step_by(STEP) {
                    let text = format!("f32[{rows},{columns}]{}", stringify!($($attributes)*).replace(' ', ""));
                    let layout = dyn_layout(&text);
                    assert!(<layout!(f32[?,?] $($attributes)*)>::try_from(&layout).is_ok(), "{text}");
                    let both = columns == 3 || <layout!(f32[?,3] $($attributes)*)>::try_from(&layout).is_err();
                    assert!(both, "{text}");
                    if columns == 3 {
                        assert!(<layout!(f32[?,3] $($attributes)*)>::try_from(&layout).is_ok(), "{text}");
                    }
                }
            }
        };
    }
    check!({1,0});
    check!({0,1:T(4)});
    check!({1,0:T(2,2)});
    check!({1,0:T(4,2)(2,1)L(8)});
    check!({0,1:T(4,8)S(1)});
    check!({1,0:T(2,4)(3,2)});
    check!({1,0:T(3)(2)});
}

/// An arm takes each notation of its memory map, so `specialize!` may say that a second notation is
/// never tried.
#[test]
fn an_arm_takes_every_notation_of_its_memory_map() {
    macro_rules! takes {
        ($text:literal: $($arm:tt)*) => {{
            let layout = dyn_layout($text);
            assert!(specialize!(layout, { $($arm)* => true, _ => false }), "{}", $text);
        }};
    }
    takes!("s8[1,3]{1,0}": s8[1,3]{0,1});
    takes!("u8[<=8,3]": u8[?_,?K]);
    takes!("bf16[32,256]{1,0:T(8,128)M(8)}": bf16[?,256]{1,0:T(8,128)});
    takes!("s32[8,3]{1,0}": s32[<=8,3]{1,0:T(1)});
    takes!("s32[<=8,3]{1,0}": s32[8,3]{1,0});
}
