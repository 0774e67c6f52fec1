//! Nothing panics or overflows, whatever is in the fields: debug builds panic on overflow.

use proptest::collection::vec;
use proptest::prelude::*;
use xlayout::interop::{
    ArrayInterface, BoundaryError, Contiguity, CuteLayout, DlDataType, DlTensor, JaxLayout, MemRef,
    MemRefLayout, StridedArray, TypeStr,
};
use xlayout::shape::{Dim, List, MajorToMinor, MinorToMajor, TileDim, Tiles};
use xlayout::{ArrayShape, ElementType, Layout};

/// The numbers that break things.
fn number() -> impl Strategy<Value = i64> + Clone {
    proptest::sample::select(vec![
        0,
        1,
        2,
        3,
        4,
        8,
        12,
        128,
        -1,
        -4,
        i64::MIN,
        i64::MIN + 4,
        i64::MAX,
        i64::MAX - 3,
        1 << 31,
        1 << 32,
        1 << 62,
    ])
}

fn numbers() -> impl Strategy<Value = Vec<i64>> + Clone {
    vec(number(), 0..=4)
}

fn element() -> impl Strategy<Value = ElementType> {
    proptest::sample::select(ElementType::all().collect::<Vec<_>>())
}

fn list(items: &[i64]) -> List<i64, 16> {
    List::try_from_iter(items.iter().copied()).expect("there is a heap")
}

fn ask(host: &StridedArray) {
    let _ = (
        host.kind(),
        host.dense(),
        host.padded(),
        host.byte_strides(),
        host.first_element(),
    );
    for d in 0..6 {
        let _ = (host.is_reversed(d), host.is_broadcast(d));
    }
    let _ = Contiguity::of_shape(host.stored());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fields(element in element(), sizes in numbers(), strides in numbers(), offset in number(), code: u8, bits: u8, lanes in 0..3_u16) {
        for host in [
            StridedArray::new(element, &sizes, &strides),
            StridedArray::from_element_strides(element, &sizes, &strides),
        ].into_iter().flatten() {
            ask(&host);
        }
        let _ = Contiguity::new(&sizes, &strides, offset);
        for dtype in [DlDataType { code: code % 20, bits, lanes }, DlDataType { code: 0, bits: 4, lanes: 1 }] {
            for strides in [None, Some(list(&strides))] {
                let tensor = DlTensor { dtype, shape: list(&sizes), strides, byte_offset: offset as u64, subbyte_type_padded: false };
                let _ = tensor.to_shape();
                tensor.to_strided_array().iter().for_each(ask);
            }
        }
        if let Ok(typestr) = TypeStr::new(element) {
            let interface = ArrayInterface { typestr, shape: list(&sizes), strides: Some(list(&strides)), offset };
            let _ = (interface.to_shape(), interface.to_shape_of(element), interface.to_string());
            let back = interface.to_string().parse::<ArrayInterface>();
            prop_assert!(back.is_err() || back == Ok(interface));
        }
        let dims = sizes.iter().map(|&n| match n {
            -1 => Dim::Unbounded,
            -4 => Dim::Bounded(n),
            n => Dim::Static(n),
        });
        let some = strides.iter().map(|&n| (n != 12).then_some(n));
        for layout in [
            MemRefLayout::Identity,
            MemRefLayout::Permuted(MajorToMinor::new(&strides).expect("there is a heap")),
            MemRefLayout::Strides { strides: List::try_from_iter(some.clone()).expect("a heap"), offset: Some(offset) },
        ] {
            let dims = List::try_from_iter(dims.clone()).expect("there is a heap");
            let memref = MemRef { element_type: element, dims, layout, memory_space: offset };
            let _ = (memref.to_shape(), memref.to_strided_array().iter().for_each(ask), memref.to_string());
        }
    }

    /// Compares strides with arithmetic without limits: each answer equals its result.
    #[test]
    fn sums(sizes in vec(1..6_i64, 1..=4), strides in vec(number(), 4)) {
        let strides = &strides[..sizes.len()];
        let Ok(host) = StridedArray::from_element_strides(ElementType::U8, &sizes, strides) else {
            return Ok(());
        };
        let moves = sizes.iter().zip(strides).filter(|(size, _)| **size > 1);
        let first: i128 = moves.clone()
            .map(|(&size, &stride)| (i128::from(size) - 1) * -i128::from(stride.min(0)))
            .sum();
        prop_assert_eq!(i128::from(host.first_element()), first);
        let bytes = host.byte_strides().expect("a byte for each element");
        for (d, (&size, &stride)) in sizes.iter().zip(strides).enumerate() {
            if size > 1 {
                prop_assert_eq!((host.element_strides()[d], bytes[d]), (stride, stride));
            }
        }
    }

    #[test]
    fn cute(digits in vec((number(), number()), 0..=6), cuts in vec(0..3_usize, 6), dims in numbers()) {
        let text = |take: fn(&(i64, i64)) -> i64| {
            let mut text = String::from("((");
            for (digit, cut) in digits.iter().zip(&cuts) {
                text += &take(digit).to_string();
                text += if *cut == 0 { "),(" } else { "," };
            }
            text + "1))"
        };
        let text = format!("{}:{}", text(|d| d.0), text(|d| d.1));
        if let Ok(cute) = text.parse::<CuteLayout>() {
            let _ = (cute.to_shape(ElementType::F32), cute.to_shape_with(ElementType::U8, &dims));
            let _ = (cute.shape().count(), cute.to_string());
        }
    }

    /// Shapes that were not validated.
    #[test]
    fn shapes(element in element(), sizes in numbers(), order in numbers(), widths in numbers(), tile in numbers(), bits in number(), dense: bool) {
        let dims = sizes.iter().map(|&n| if n == 12 { Dim::Unbounded } else { Dim::Static(n) });
        let order = if dense { (0..sizes.len() as i64).collect() } else { order };
        let mut layout = Layout::new(MinorToMajor::new(&order).expect("there is a heap"));
        if !dense {
            layout.padded_dimensions = list(&widths);
        }
        let entries: Vec<TileDim> = tile.iter().map(|&n| match n {
            i64::MIN => TileDim::Combine,
            n => TileDim::Size(n),
        }).collect();
        layout.tiles = Tiles::from_tiles(&[&entries]).expect("there is a heap");
        if tile.is_empty() {
            layout.tiles = Tiles::new();
        }
        layout.element_size_in_bits = if bits == 128 { 0 } else { bits };
        let _ = JaxLayout::new(&layout).map(|jax| (jax.to_string(), jax.to_shape(element, &sizes)));
        let shape = ArrayShape::from_parts(element, List::try_from_iter(dims).expect("there is a heap"), Some(layout));
        StridedArray::of_shape(&shape).iter().for_each(ask);
        let _ = (DlTensor::new(&shape), ArrayInterface::new(&shape), Contiguity::of_shape(&shape));
        for memref in [MemRef::new(&shape), MemRef::physical(&shape)].into_iter().flatten() {
            let _ = (memref.to_string(), memref.to_shape());
        }
        if let Ok(cute) = CuteLayout::new(&shape) {
            let _ = (cute.to_string(), cute.to_shape(element), cute.to_shape_with(element, &sizes));
        }
    }
}

/// A number that needs more than 64 bits is an error, not a near number.
#[test]
fn too_large() {
    use xlayout::shape::{ErrorKind, NotLowered};
    let far = 1 << 62;
    let is_too_large = |error: xlayout::interop::Error| {
        let kind = error.kind();
        assert_eq!(
            kind,
            &BoundaryError::Shape(ErrorKind::Lower(NotLowered::TooLarge)),
            "{error}"
        );
    };
    // The stride in bytes, where the elements alone fit.
    let host = StridedArray::from_element_strides(ElementType::F64, &[2, 1], &[far / 4, 1]);
    let bytes = host.and_then(|host| host.byte_strides());
    assert!(bytes.is_err(), "{bytes:?}");
    // Where the first element lies; what is left of a step of 2^63 places.
    for strides in [[-far, 1], [i64::MIN, 1]] {
        let host = StridedArray::from_element_strides(ElementType::U8, &[3, 2], &strides);
        is_too_large(host.unwrap_err());
    }
    // Every error of a shape crosses the boundary as it is.
    let tile: ArrayShape = "f32[2,3]{1,0:T(8,*)}".parse().unwrap();
    let error = StridedArray::of_shape(&tile).unwrap_err();
    assert_eq!(
        error.kind(),
        &BoundaryError::Shape(ErrorKind::Lower(NotLowered::TrailingCombine))
    );
    let error = CuteLayout::new(&tile).unwrap_err();
    assert_eq!(
        error.kind(),
        &BoundaryError::Shape(ErrorKind::Lower(NotLowered::TrailingCombine))
    );
}
