//! Asks everything.

use xlayout::shape::Shape;
use xlayout::shape::text::{Rules, read_array};
use xlayout::xla::Compare;
use xlayout::xla::index_util;
use xlayout::xla::layout_util;
use xlayout::xla::shape_util;
use xlayout::{
    ArrayLayout, ArrayShape, DynCoordinates, DynLayout, ElementType, SliceView, StridedLayout,
};

use crate::limits::{MAX, NUMBERS};

/// Calls all functions of an array shape, lowered or not.
pub(crate) fn ask(shape: &ArrayShape) {
    let rank = shape.rank();
    let _ = (shape_util::true_num_dimensions(shape), shape.is_dynamic());
    let _ = (
        shape_util::elements_in(shape),
        shape_util::byte_size_of(shape),
    );
    let _ = (
        shape_util::byte_strides(shape),
        shape_util::unpacked_byte_strides(shape),
    );
    let _ = (
        shape.element_size_in_bits(),
        shape_util::max_elements_in_per_split(shape),
    );
    for d in [0, 1, rank, rank + 1, usize::MAX] {
        let _ = (
            shape_util::max_split_size(shape, d),
            index_util::dimension_stride(shape, d),
        );
        let _ = (
            shape_util::get_dimension(shape, d as i64),
            shape_util::get_dimension(shape, -(d as i64)),
        );
    }
    for number in NUMBERS {
        let _ = shape_util::get_dimension(shape, number);
        let _ = index_util::linear_index_to_multidimensional_index(shape, number);
        for len in [0, rank, rank + 1] {
            let mut index = vec![number; len];
            let _ = index_util::index_in_bounds(shape, &index);
            let _ = index_util::multidimensional_index_to_linear_index(shape, &index);
            let _ = index_util::bump_indices(shape, &mut index);
        }
    }
    let valid = shape.validate();
    let _ = shape
        .validate_with_optional_layout()
        .map_err(|error| error.to_string());
    let printed = shape.to_string();
    let _ = shape.display_without_layout().to_string();
    for rules in [
        Rules::default(),
        Rules {
            addressable: true,
            ..Rules::default()
        },
    ] {
        let read = read_array(&printed, rules, &mut |error| {
            assert!(!error.render(&printed).to_string().is_empty());
        });
        if !rules.addressable && valid.is_ok() {
            assert!(read.is_some(), "{printed}");
        }
    }
    if let Some(layout) = &shape.layout {
        let _ = (
            layout.to_string(),
            layout.validate_for(shape.element_type, &shape.dims),
        );
        let order = &layout.minor_to_major;
        let _ = (
            order.is_permutation(),
            layout_util::is_monotonic_with_dim0_minor(layout),
            layout_util::is_monotonic_with_dim0_major(layout),
        );
        let _ = (
            order.to_major_to_minor().to_minor_to_major(),
            order.to_major_to_minor().to_string(),
        );
        for d in [0, 1, rank, usize::MAX] {
            let _ = (
                order.get(d),
                order.iter().nth_back(d),
                layout.tiles.get(d).is_some(),
            );
            let mut shorter = layout.clone();
            let listed = layout_util::delete_dimension(&mut shorter, d).is_ok();
            assert_eq!(listed, i64::try_from(d).is_ok_and(|d| order.contains(&d)));
        }
        assert!(Compare::new().equal(layout, layout));
    }
    for whole in [
        Shape::Array(shape.clone()),
        Shape::Tuple(vec![Shape::Array(shape.clone()); 7]),
    ] {
        for pointer in [0, 8, MAX, i64::MIN] {
            let _ = shape_util::byte_size_with_pointers(&whole, pointer);
        }
        let _ = shape_util::elements_in_recursive(&whole);
        let _ = (whole.validate(), whole.to_string());
    }
    let sizes: Vec<usize> = shape
        .dims
        .iter()
        .map(|dim| dim.bound().unwrap_or(5) as usize)
        .collect();
    let _ = DynLayout::with_sizes(shape, &[]);
    for layout in [
        DynLayout::new(shape.clone()),
        DynLayout::with_sizes(shape, &sizes),
    ] {
        match layout {
            Ok(layout) => ask_lowered(&layout),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Calls all functions of a lowered layout that do not visit all elements.
fn ask_lowered(layout: &DynLayout) {
    let places = layout.buffer_len();
    let rank = layout.rank();
    assert!(layout.elements() <= places, "{layout}");
    assert!(layout.bytes() <= MAX as usize, "{layout}");
    assert_eq!(layout.padding(), places - layout.elements());
    assert!(layout.expansion_ratio() >= 1.0, "{layout}");
    let _ = (
        layout.is_unique(),
        layout.is_exhaustive(),
        layout.is_strided(),
        layout.strides(),
    );
    let _ = (
        layout.array_shape(),
        layout.element_type(),
        layout.modes().count(),
    );
    // The search for a gap among merged coordinates may take as long as a visit.
    if layout.terms().is_empty() || places < 10_000 {
        let _ = layout.is_contiguous();
    }
    let numbers = [
        0,
        1,
        places.wrapping_sub(1),
        places,
        places.wrapping_add(1),
        usize::MAX,
    ];
    for place in numbers {
        if let Some(index) = layout.multi_index(place) {
            assert_eq!(layout.linear_index(&index), place, "{layout}");
            assert!(layout.index(index).is_ok() && layout.linear(place).is_ok());
        } else {
            assert!(
                layout
                    .linear(place)
                    .is_err_and(|error| !error.to_string().is_empty())
            );
        }
        let _ = layout.bit_offset(place);
        for len in [0, rank, rank + 1] {
            let index = DynCoordinates::from(&vec![place; len][..]);
            let _ = layout.linear_index(&index);
            let inside = layout.in_bounds(&index);
            assert_eq!(layout.index(index).is_ok(), inside);
        }
    }
    if layout.elements() > 0 {
        let last =
            DynCoordinates::from(&layout.dims().iter().map(|n| n - 1).collect::<Vec<_>>()[..]);
        let place = layout.linear_index(&last);
        assert!(place < places, "{layout}");
        assert_eq!(layout.multi_index(place), Some(last), "{layout}");
    }
    let mut steps = layout.indices().zip(layout.indices_in_memory());
    for _ in 0..3 {
        let _ = steps.next();
    }
    assert_eq!(
        SliceView::new(layout, &[0_u8; 3][..]).is_ok(),
        places == 3 && layout.element_bits() == 8 && layout.element_type() == ElementType::U8
    );
    fn known<const N: usize>(layout: &DynLayout) {
        let Ok(strided) = StridedLayout::<[usize; N]>::of(layout) else {
            return;
        };
        for number in [0, 1, usize::MAX] {
            let _ = (
                strided.linear_index(&[number; N]),
                strided.multi_index(number),
            );
        }
        if let Ok(narrow) = strided.narrow() {
            let _ = narrow.linear_index(&[u32::MAX; N]);
        }
    }
    known::<0>(layout);
    known::<1>(layout);
    known::<2>(layout);
    known::<3>(layout);
}
