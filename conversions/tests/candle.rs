use candle_core::{DType, Device, Tensor};
use xlayout::{Array, DynCoordinates, DynLayout, LayoutError, StridedLayout, layout};
use xlayout_conversions::{ConversionError, candle, to_candle, to_xlayout};

use crate::cases::{CASES, Case, Random, Steps, negate};

/// The part of a case, by functions of candle.
fn part(case: &Case) -> (Tensor, Tensor) {
    let widths: Vec<usize> = case
        .major_to_minor
        .iter()
        .map(|&dim| case.parts[dim].width)
        .collect();
    let whole = Tensor::from_vec(case.memory(), widths, &Device::Cpu).unwrap();
    let mut places = vec![0; case.parts.len()];
    for (place, &dim) in case.major_to_minor.iter().enumerate() {
        places[dim] = place;
    }
    let mut part = whole.permute(places).unwrap();
    for (dim, of) in case.parts.iter().enumerate() {
        part = part.narrow(dim, of.start, of.size).unwrap();
    }
    (whole, part)
}

#[test]
fn random_parts_of_candle_are_viewed_and_written() {
    let mut random = Random::new(7);
    for _ in 0..CASES {
        let rank = random.below(5);
        let case = Case::random(&mut random, rank, Steps::One);
        let (whole, part) = part(&case);
        let read = candle::read::<f32, DynCoordinates>(&part).unwrap();
        let view = to_xlayout(&read).unwrap();
        assert_eq!(view.shape()[..], case.sizes());
        for (index, place) in case.elements() {
            assert_eq!(view[&index[..]], place, "{case:?}");
        }
        drop(read);
        let written = candle::write(
            &part,
            |mut view: candle::ToWrite<'_, f32, DynCoordinates>| {
                view.for_each_in_memory_mut(|_, element| negate(element));
                view.len()
            },
        );
        assert_eq!(written.unwrap(), case.elements().len());
        case.assert_negated(&whole.flatten_all().unwrap().to_vec1::<f32>().unwrap());
    }
}

#[test]
fn random_arrays_become_tensors_in_the_same_memory() {
    let mut random = Random::new(8);
    for _ in 0..CASES {
        let rank = random.below(5);
        let mut case = Case::random(&mut random, rank, Steps::One);
        // Padding is behind the elements of a dimension.
        for part in &mut case.parts {
            part.start = 0;
        }
        let text = |numbers: Vec<usize>| {
            let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
            numbers.join(",")
        };
        let minor_to_major = case.major_to_minor.iter().rev().copied().collect();
        let widths = case.parts.iter().map(|part| part.width).collect();
        let layout = format!(
            "f32[{}] <{}>, padded_dimensions = [{}]",
            text(case.sizes()),
            text(minor_to_major),
            text(widths)
        );
        let layout: DynLayout = layout.parse().unwrap();
        let array = Array::new(layout, case.memory()).unwrap();
        let address = array.as_ptr();
        let tensor = to_candle(array).unwrap();
        assert_eq!(tensor.dims(), case.sizes());
        let elements = case.elements().into_iter().map(|(_, place)| place);
        let seen = tensor.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        assert_eq!(seen, elements.collect::<Vec<_>>(), "{case:?}");
        let read = candle::read::<f32, DynCoordinates>(&tensor).unwrap();
        let view = to_xlayout(&read).unwrap();
        assert!(view.is_empty() || view.as_ptr() == address);
    }
}

#[test]
fn gaps_and_signs_are_refused() {
    let gaps = StridedLayout::new::<f32>([2, 3], [7, 2]).unwrap();
    assert_eq!(
        to_candle(Array::<f32, _>::zeros(gaps).unwrap())
            .unwrap_err()
            .to_string(),
        "candle takes the memory of an array that is dense or padded, and f32[2,3]{1,0} has the \
         strides [7, 2]; pass a reference, if a view is enough, or copy the array to such a \
         layout first: `relayout` of the crate xlayout-relayout"
    );
    let reversed = StridedLayout::new::<f32>([2, 3], [3, -1]).unwrap();
    let error = to_candle(Array::<f32, _>::zeros(reversed).unwrap()).unwrap_err();
    assert!(matches!(
        error,
        ConversionError::Reversed { dimension: 1, .. }
    ));
    let tiled = Array::<f32, _>::zeros(layout!(f32[4,6]{1,0:T(2,2)})).unwrap();
    assert!(matches!(
        to_candle(tiled),
        Err(ConversionError::Tiled { .. })
    ));
    let step = StridedLayout::new::<f32>([2, 3], [1, 2]).unwrap();
    let step = Array::from_fn(step, |&[i, j]| (10 * i + j) as f32).unwrap();
    let tensor = to_candle(step.with_step::<1>(.., 2).unwrap().to_owned()).unwrap();
    assert_eq!(tensor.to_vec2::<f32>().unwrap(), [[0.0, 2.0], [10.0, 12.0]]);
    // Elements at the end that fill no row.
    let tail = Array::full(layout!(f32[2,3]{1,0:L(4)}), 1.0).unwrap();
    assert_eq!(tail.memory().len(), 8);
    assert_eq!(
        to_candle(tail).unwrap().to_vec2::<f32>().unwrap(),
        [[1.0; 3]; 2]
    );
}

#[test]
fn what_a_tensor_is_not() {
    let tensor = Tensor::arange(0_u32, 6, &Device::Cpu)
        .unwrap()
        .reshape((2, 3))
        .unwrap();
    let error = candle::read::<f32, [usize; 2]>(&tensor).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the elements are of type u32, and elements of type f32 are asked for; ask for the type \
         that they have, or convert them first: `tensor.to_dtype(…)`"
    );
    let read = candle::read::<u32, [usize; 3]>(&tensor).unwrap();
    let error = LayoutError::from(to_xlayout(&read).unwrap_err());
    assert_eq!(
        error,
        LayoutError::Rank {
            expected: 3,
            found: 2
        }
    );
    let rows = tensor.get(1).unwrap().broadcast_as((4, 3)).unwrap();
    let read = candle::read::<u32, [usize; 2]>(&rows).unwrap();
    assert_eq!(
        to_xlayout(&read).unwrap_err().to_string(),
        "dimension 0 has stride 0: all its elements are one in memory; convert the array first \
         and broadcast it then, or copy it to an array of its own"
    );
    let written = candle::write(&rows, |_: candle::ToWrite<'_, u32, [usize; 2]>| ());
    assert_eq!(
        written.unwrap_err(),
        to_xlayout(&read).map(drop).unwrap_err()
    );
    let half = tensor.to_dtype(DType::BF16).unwrap();
    let read = candle::read::<half::bf16, [usize; 2]>(&half).unwrap();
    assert_eq!(to_xlayout(&read).unwrap()[[1, 2]].to_f32(), 5.0);
}

/// A function that panics leaves the tensor its elements.
#[test]
fn a_panic_while_writing_loses_nothing() {
    let tensor = Tensor::arange(0_u32, 6, &Device::Cpu).unwrap();
    let panicking = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        candle::write(&tensor, |mut view: candle::ToWrite<'_, u32, [usize; 1]>| {
            view[[0]] = 7;
            panic!("on purpose");
        })
    }));
    assert!(panicking.is_err());
    assert_eq!(tensor.to_vec1::<u32>().unwrap(), [7, 1, 2, 3, 4, 5]);
}
