//! Layout to notation to layout, drawn by proptest: the elements lie where they lay.

use proptest::collection::vec;
use proptest::prelude::*;
use xlayout::interop::{
    ArrayInterface, BoundaryError, CuteLayout, DlTensor, Given, JaxLayout, MemRef, Notation,
};
use xlayout::{ArrayLayout, ArrayShape, DynLayout, ElementType};

use super::{each_index, map};

fn config(cases: u32) -> ProptestConfig {
    // A failure prints its input; nothing is written beside the sources.
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn joined<T: ToString>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

/// Sizes, an order, and what comes after them.
fn shape(tail: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = ArrayShape> {
    (0..=4_usize).prop_flat_map(move |rank| {
        let order: Vec<usize> = (0..rank).collect();
        let size = prop_oneof![1 => Just(0), 4 => Just(1), 20 => 2..=9_i64];
        let types: Vec<&str> = ElementType::all()
            .filter(|t| t.is_array())
            .map(|t| t.name())
            .collect();
        (
            vec(size, rank),
            Just(order).prop_shuffle(),
            tail.clone(),
            proptest::sample::select(types),
        )
            .prop_map(|(sizes, order, tail, ty)| {
                let layout = format!("{{{}{tail}}}", joined(&order));
                let layout = if layout == "{}" {
                    String::new()
                } else {
                    layout
                };
                format!("{ty}[{}]{layout}", joined(&sizes))
                    .parse()
                    .expect("a valid shape")
            })
    })
}

/// Up to three tiles without `*`, often such that divide each other.
fn tiles() -> impl Strategy<Value = String> + Clone {
    let entry = prop_oneof![1..=9_i64, Just(1), Just(2), Just(4), Just(8)];
    vec(vec(entry, 1..=3), 1..=3).prop_map(|tiles| {
        let tiles = tiles.iter().map(|tile| format!("({})", joined(tile)));
        format!(":T{}", tiles.collect::<String>())
    })
}

/// A dense shape, and a padded one.
fn padded() -> impl Strategy<Value = ArrayShape> {
    (shape(Just(String::new())), vec(0..=3_i64, 4), any::<bool>()).prop_map(
        |(mut shape, more, pad)| {
            if pad && shape.rank() > 0 {
                let widths = shape
                    .dims
                    .iter()
                    .zip(more)
                    .map(|(dim, more)| dim.bound().unwrap() + more);
                let text = format!(
                    "{shape}, padded_dimensions = [{}]",
                    joined(&widths.collect::<Vec<_>>())
                );
                shape = text.parse().expect("a valid shape");
            }
            shape
        },
    )
}

fn sizes(shape: &ArrayShape) -> Vec<i64> {
    shape.dims.iter().map(|dim| dim.bound().unwrap()).collect()
}

/// The memory map by CuTe's own rule: a coordinate is taken apart by its digits, fastest first.
fn cute_map(cute: &CuteLayout, sizes: &[i64]) -> Vec<usize> {
    let mut map = Vec::new();
    each_index(sizes, &mut |index| {
        let place = index.iter().enumerate().map(|(d, &i)| {
            let (place, rest) = cute
                .digits(d)
                .fold((0, i as i64), |(place, rest), (size, stride)| {
                    (place + rest % size * stride, rest / size)
                });
            assert_eq!(rest, 0);
            place as usize
        });
        map.push(place.sum());
    });
    map
}

/// The text in each notation is recognized and read again as a layout with the same linear indices.
fn every_notation(shape: &ArrayShape) -> Result<(), TestCaseError> {
    let Ok(layout) = DynLayout::new(shape.clone()) else {
        return Ok(());
    };
    if layout.elements() > 5000 {
        return Ok(());
    }
    let there = map(shape);
    let sizes = sizes(shape);
    for row in Notation::ALL.iter().filter(|row| row.is_printed()) {
        // The text of the whole buffer is not for reading.
        if row.key == "memref_buffer" {
            continue;
        }
        let given = Given {
            sizes: Some(&sizes),
            element_type: Some(shape.element_type),
            axes: Given::axes_of(sizes.len()).filter(|_| row.key == "tvm"),
        };
        let Ok(printed) = row.print(shape, &given).map(|printed| printed.to_string()) else {
            continue;
        };
        let found = Notation::of(&printed, &given).map(|found| found.key);
        prop_assert_eq!(found, Some(row.key), "{}", printed);
        match row.read(&printed, &given) {
            Ok(back) => {
                prop_assert_eq!(
                    map(&back),
                    there.clone(),
                    "{} as {} is {}",
                    shape,
                    printed,
                    back
                );
                // Strides, and the digits of CuTe, leave out padding behind the last element.
                if !["memref", "cute", "torch", "numpy", "jax", "dlpack"].contains(&row.key) {
                    let back = DynLayout::new(back).unwrap();
                    prop_assert_eq!(
                        back.buffer_len(),
                        layout.buffer_len(),
                        "{} as {}",
                        shape,
                        printed
                    );
                }
            }
            // Strides with gaps that no padding gives; `cute_tiles` says what CuTe's reader
            // refuses.
            Err(error) => {
                let strides = ["memref", "cute", "torch", "numpy"].contains(&row.key);
                prop_assert!(strides, "{} as {}: {}", shape, printed, error);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn notations_of_strides(shape in padded()) {
        every_notation(&shape)?;
    }

    #[test]
    fn notations_of_tiles(shape in shape(tiles())) {
        every_notation(&shape)?;
    }

    #[test]
    fn strided_notations(shape in padded()) {
        let there = map(&shape);
        let check = |back: ArrayShape| {
            prop_assert_eq!(sizes(&back), sizes(&shape));
            prop_assert_eq!(back.element_type, shape.element_type);
            prop_assert_eq!(map(&back), there.clone(), "{} came back as {}", shape, back);
            Ok(())
        };
        check(DlTensor::new(&shape).unwrap().to_shape().unwrap())?;
        let memref = MemRef::new(&shape).unwrap();
        check(memref.to_shape().unwrap())?;
        prop_assert_eq!(memref.to_string().parse::<MemRef>().unwrap(), memref);
        let interface = ArrayInterface::new(&shape).unwrap();
        check(interface.to_shape_of(shape.element_type).unwrap())?;
        prop_assert_eq!(interface.to_string().parse::<ArrayInterface>().unwrap(), interface);
        let cute = CuteLayout::new(&shape).unwrap();
        check(cute.to_shape(shape.element_type).unwrap())?;
        prop_assert_eq!(cute_map(&cute, &sizes(&shape)), there.clone());
    }

    /// Every tiled layout that CuTe can write is read back with the same linear indices; but where
    /// digits lie in another sequence than their weight.
    #[test]
    fn cute_tiles(shape in shape(tiles())) {
        let Ok(layout) = DynLayout::new(shape.clone()) else { return Ok(()) };
        if layout.elements() > 5000 {
            return Ok(());
        }
        let Ok(cute) = CuteLayout::new(&shape) else {
            prop_assert!(!layout.terms().is_empty(), "{}", shape);
            return Ok(());
        };
        let there = map(&shape);
        let sizes = sizes(&shape);
        prop_assert_eq!(cute_map(&cute, &sizes), there.clone(), "{}", cute);
        let read: CuteLayout = cute.to_string().parse().unwrap();
        prop_assert_eq!(read.to_string(), cute.to_string());
        let sorted = (0..sizes.len()).all(|d| {
            cute.digits(d).filter(|digit| digit.0 > 1).is_sorted_by(|a, b| a.1 < b.1)
        });
        let back = match read.to_shape_with(shape.element_type, &sizes) {
            Ok(back) => back,
            Err(error) => {
                let kind = error.kind();
                let digits = matches!(kind, BoundaryError::CuteDigits { .. });
                prop_assert!(digits && !sorted, "{shape}, {cute}: {error}");
                return Ok(());
            }
        };
        prop_assert!(sorted);
        prop_assert_eq!(map(&back), there, "{} came back as {}", shape, back);
        // The sizes that CuTe knows are read, too.
        let whole = read.to_shape(shape.element_type).unwrap();
        prop_assert_eq!(CuteLayout::new(&whole).unwrap().shape().collect::<Vec<_>>(),
            read.shape().collect::<Vec<_>>());
        // The buffer as a memref has room for all of it.
        let memref = MemRef::physical(&shape).unwrap();
        let places: i64 = memref.dims.iter().map(|dim| dim.bound().unwrap()).product();
        prop_assert_eq!(places as usize, layout.buffer_len());
    }

    /// Any digits: what is answered is right.
    #[test]
    fn cute_digits(digits in vec(vec((1..=4_i64, prop_oneof![0..=3_i64, 0..=24_i64]), 1..=3), 1..=3)) {
        let tuple = |list: &[(i64, i64)], take: fn(&(i64, i64)) -> i64| {
            format!("({})", joined(&list.iter().map(take).collect::<Vec<_>>()))
        };
        let shape: Vec<String> = digits.iter().map(|list| tuple(list, |d| d.0)).collect();
        let stride: Vec<String> = digits.iter().map(|list| tuple(list, |d| d.1)).collect();
        let text = format!("({}):({})", joined(&shape), joined(&stride));
        let cute: CuteLayout = text.parse().unwrap();
        if let Ok(shape) = cute.to_shape(ElementType::U8) {
            prop_assert_eq!(map(&shape), cute_map(&cute, &sizes(&shape)), "{} is no {}", text, shape);
        }
    }

    #[test]
    fn jax(shape in shape(prop_oneof![Just(String::new()), tiles()])) {
        let layout = shape.layout.clone().unwrap();
        let jax = JaxLayout::new(&layout).unwrap();
        prop_assert_eq!(jax.to_string().parse::<JaxLayout>().unwrap(), jax.clone());
        let back = jax.to_layout(ElementType::F32);
        prop_assert_eq!(back, layout);
    }

    /// No text panics a reader, and what is read prints as what reads the same.
    #[test]
    fn any_text(text in "[-_?*(){}<>\\[\\]:,'x0-9a-z ]{0,40}", at in 0..60_usize, cut in 0..60_usize) {
        for good in [
            "{'shape': (2, 3), 'typestr': '<f4', 'strides': (4, 8), 'data': (0, False), 'version': 3}",
            "memref<2x3xf32, strided<[1, 2], offset: 5>, 1>",
            "memref<2x3xcomplex<f32>, affine_map<(d0, d1) -> (d1, d0)>>",
            "((2,4,125),(128,24)):((1,256,24576),(2,1024))",
            "Layout(major_to_minor=(1, 0), tiling=((8, 128), (2, 1)))",
        ] {
            let at = at.min(good.len());
            let cut = cut.min(good.len());
            for text in [&text[..], &format!("{}{text}{}", &good[..at], &good[cut..])] {
                if let Ok(read) = text.parse::<ArrayInterface>() {
                    prop_assert_eq!(read.to_string().parse::<ArrayInterface>().unwrap(), read.clone());
                    let _ = (read.to_shape(), read.to_shape_of(ElementType::Bf16));
                }
                if let Ok(read) = text.parse::<MemRef>() {
                    prop_assert_eq!(read.to_string().parse::<MemRef>().unwrap(), read.clone());
                    let _ = (read.to_shape(), read.to_strided_array());
                }
                if let Ok(read) = text.parse::<CuteLayout>() {
                    prop_assert_eq!(read.to_string().parse::<CuteLayout>().unwrap().to_string(), read.to_string());
                    let _ = read.to_shape(ElementType::F32);
                }
                if let Ok(read) = text.parse::<JaxLayout>() {
                    prop_assert_eq!(read.to_string().parse::<JaxLayout>().unwrap(), read);
                }
            }
        }
    }
}

/// Sizes are rounded up to whole tiles in CuTe, also where the digits of the sum are one.
#[test]
fn cute_sizes() {
    let read = |text: &str, dims: &[i64]| {
        let shape = text
            .parse::<CuteLayout>()?
            .to_shape_with(ElementType::F32, dims);
        shape.map(|shape| shape.to_string())
    };
    let tiles = "((8,3),(128,2)):((128,2048),(1,1024))";
    assert_eq!(
        read(tiles, &[24, 256]).unwrap(),
        "f32[24,256]{1,0:T(8,128)}"
    );
    assert_eq!(
        read(tiles, &[17, 129]).unwrap(),
        "f32[17,129]{1,0:T(8,128)}"
    );
    for wrong in [
        &[16, 256][..],
        &[25, 256],
        &[24, 128],
        &[0, 256],
        &[-1, 256],
        &[24],
    ] {
        assert!(read(tiles, wrong).is_err(), "{wrong:?}");
    }
    assert_eq!(
        read("((8,3),128):((128,1024),1)", &[20, 128]).unwrap(),
        "f32[20,128]{1,0}"
    );
    assert_eq!(
        read("(128,(8,3)):(24,(1,8))", &[128, 20]).unwrap(),
        "f32[128,20]{1,0}, padded_dimensions = [128, 24]",
    );
    assert_eq!(
        read("((8,1),4):((4,0),1)", &[5, 4]).unwrap(),
        "f32[5,4]{1,0}"
    );
    assert_eq!(read("(2,0):(1,7)", &[2, 0]).unwrap(), "f32[2,0]{1,0}");
    assert_eq!(read("():()", &[]).unwrap(), "f32[]");
    assert_eq!(read("6:2", &[6]).unwrap(), "f32[6]{0:T(2,1)}");
    assert_eq!(read("(_2,_3):(_1,_2)", &[2, 3]).unwrap(), "f32[2,3]{0,1}");
    assert_eq!(
        read("((2,(2,3)),5):((1,(2,4)),12)", &[12, 5]).unwrap(),
        "f32[12,5]{0,1}"
    );
    let hostile = "((9223372036854775807,2),1):((1,1),1)";
    assert!(read(hostile, &[1, 1]).is_err());
    let deep = format!(
        "{}1{}:{}1{}",
        "(".repeat(5000),
        ")".repeat(5000),
        "(".repeat(5000),
        ")".repeat(5000)
    );
    assert!(read(&deep, &[1]).is_ok());
    let long = format!("({}1):({}1)", "1,".repeat(100_000), "1,".repeat(100_000));
    assert!(long.parse::<CuteLayout>().is_err());
}
