//! Any two layouts of one array, any strides, and parts with reversed dimensions: planning never
//! panics, and a copy is the copy element by element, there and back, in chunks, streamed or not,
//! beside other memory.
//!
//! Where elements belong say the model of `tests/model`, and sums of coordinates times strides.
#![no_main]

use std::fmt::Debug;
use std::ops::Range;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use xlayout_core::{Array, ArrayLayout, DynLayout, Element, StridedLayout, View};
use xlayout_model::{Model, indices};
use xlayout_relayout::{
    Machine, Measurement, Plan, RelayoutError, relayout, relayout_bytes_in_place,
};

#[derive(Arbitrary, Debug)]
struct Input {
    element_type: u8,
    /// Sizes: small ones as a rule, any number now and then.
    sizes: Vec<(u8, Option<u64>)>,
    layouts: [Side; 2],
    strides: Vec<i64>,
    offset: u32,
    parts: u8,
    strategy: u8,
    alignment: (u8, u8),
    large: u8,
    cuts: [Cut; 3],
}

#[derive(Arbitrary, Debug)]
struct Side {
    order: Vec<u8>,
    /// Tiles of entries; 0 is `*`.
    tiles: Vec<Vec<u8>>,
    padded: Option<Vec<u8>>,
    tail: Option<u16>,
    bits: Option<u8>,
}

/// A range of a dimension, and a step of either sign.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Cut {
    begin: u8,
    len: u8,
    step: i8,
    /// Whether the dimension is reversed in the array that the part is copied to.
    is_turned: bool,
}

impl Input {
    /// Arrays above so many places are planned, not copied. One input in fifty is large: the others
    /// are many.
    fn most(&self) -> usize {
        match self.large {
            251.. => 1 << 13,
            _ => 1 << 9,
        }
    }
}

fuzz_target!(|input: Input| {
    let types = [
        "u8", "pred", "bf16", "f32", "f64", "c128", "s4", "u2", "u1", "f6e3m2fn",
    ];
    let element_type = types[input.element_type as usize % types.len()];
    let sizes: Vec<u64> = input
        .sizes
        .iter()
        .take(9)
        .map(|(small, any)| any.unwrap_or(u64::from(*small) % 40))
        .collect();
    match input.element_type % 3 {
        0 => reversed(&input, "u8", &sizes, |k| k as u8),
        1 => reversed(&input, "u16", &sizes, |k| k as u16),
        _ => reversed(&input, "u32", &sizes, |k| k as u32),
    }
    let [a, b] = &input.layouts;
    let (Some(a), Some(b)) = (
        layout(element_type, &sizes, a),
        layout(element_type, &sizes, b),
    ) else {
        return;
    };
    strided(&input, &b);
    layouts(&input, &a, &b);
});

/// From one layout to another.
fn layouts(input: &Input, a: &DynLayout, b: &DynLayout) {
    let Ok(plan) = Plan::new(a, b) else { return };
    let _ = (plan.to_string(), plan.on(Machine::REFERENCE).traffic());
    let most = input.most();
    if a.buffer_len() > most || b.buffer_len() > most {
        return;
    }
    let source = bytes(a.bytes());
    let places_of_a = Places::of(a);
    let places_of_b = Places::of(b);
    let mut expected = vec![0xa5; b.bytes()];
    naive(&places_of_a, &places_of_b, &source, &mut expected);

    // A saved measurement sets the strategy, also one that does not fit these layouts.
    let strategies = Measurement::all().count();
    let strategy = Measurement::all().nth(input.strategy as usize % strategies);
    let plan = plan.with_measurement(strategy.expect("it is below their number"));
    let before = input.alignment.0 as usize % 64;
    let behind = input.alignment.1 as usize % 64;
    let mut shifted = vec![0; before];
    shifted.extend(&source);
    let mut found = vec![0xa5; behind + b.bytes()];
    plan.run_bytes(&shifted[before..], &mut found[behind..])
        .expect("the lengths are the layouts'");
    assert!(found[behind..] == expected, "{plan}");
    assert!(found[..behind].iter().all(|byte| *byte == 0xa5));

    let mut found = vec![0xa5; b.bytes()];
    for chunk in plan
        .chunks_bytes(&source, &mut found, input.parts as usize)
        .expect("as above")
    {
        chunk.run();
    }
    assert!(found == expected, "{plan}");

    let mut found = source.clone();
    if relayout_bytes_in_place(&mut found, a, b).is_ok() {
        let mut expected = found.clone();
        naive(&places_of_a, &places_of_b, &source, &mut expected);
        assert!(found == expected, "in place: {plan}");
    }
}

/// From strides of bytes, of either sign.
fn strided(input: &Input, b: &DynLayout) {
    let strides: Vec<isize> = input
        .strides
        .iter()
        .map(|stride| *stride as isize)
        .collect();
    let sizes = b.dims();
    let offset = input.offset as usize;
    let plan = Plan::from_strided(sizes, &strides, offset, b.element_type(), b);
    let Ok(plan) = plan else { return };
    let _ = (plan.to_string(), plan.on(Machine::REFERENCE).traffic());
    let (from, to) = plan.buffers();
    if from > 16 * input.most() || b.buffer_len() > input.most() {
        return;
    }
    let source = bytes(from);
    let mut found = vec![0xa5; to];
    plan.run_bytes(&source, &mut found)
        .expect("the lengths are the plan's");
    let to_places = Places::of(b);
    // In the source, an element of a packed type takes a byte.
    let of_type = format!("{}[]", b.element_type()).parse::<DynLayout>();
    let bits = of_type.expect("it is a scalar").element_bits();
    let place = |index: Vec<usize>| {
        let steps = index.iter().zip(&strides);
        let distance: isize = steps.map(|(&i, stride)| i as isize * stride).sum();
        8 * (offset as isize + distance) as usize
    };
    let from_places = Places {
        bits,
        first_bits: indices(sizes).map(place).collect(),
    };
    let mut expected = vec![0xa5; to];
    naive(&from_places, &to_places, &source, &mut expected);
    assert!(found == expected, "{plan}");
}

/// The place of each element, the last dimension fastest.
struct Places {
    bits: usize,
    first_bits: Vec<usize>,
}

impl Places {
    fn of(layout: &DynLayout) -> Self {
        let model = Model::new(layout.array_shape());
        let first_bits = model.map().into_iter().map(|place| place * model.bits);
        Self {
            bits: model.bits,
            first_bits: first_bits.collect(),
        }
    }
}

/// Copies bit by bit. Wider elements get zeros above the bits of the source.
fn naive(from: &Places, to: &Places, source: &[u8], out: &mut [u8]) {
    for (&first, &target) in from.first_bits.iter().zip(&to.first_bits) {
        if from.bits == to.bits && to.bits.is_multiple_of(8) {
            let len = to.bits / 8;
            out[target / 8..][..len].copy_from_slice(&source[first / 8..][..len]);
            continue;
        }
        for bit in 0..to.bits {
            let at = target + bit;
            let set = bit < from.bits && source[(first + bit) / 8] >> ((first + bit) % 8) & 1 == 1;
            out[at / 8] = out[at / 8] & !(1 << (at % 8)) | u8::from(set) << (at % 8);
        }
    }
}

fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|k| (k * 7 + k / 251) as u8 | 1).collect()
}

/// From a part with steps of either sign to another layout, and back.
fn reversed<T: Element + PartialEq + Debug>(
    input: &Input,
    element_type: &str,
    sizes: &[u64],
    value: impl Fn(usize) -> T,
) {
    let size = |dim: usize| sizes.get(dim).map_or(1, |size| size % 40);
    let sizes = [0, 1, 2].map(size);
    let [a, b] = &input.layouts;
    let ranges = [0, 1, 2].map(|dim| range(input.cuts[dim], sizes[dim] as usize));
    let steps = input.cuts.map(|cut| match cut.step % 4 {
        0 => -1,
        step => isize::from(step),
    });
    let count = |dim: usize| ranges[dim].len().div_ceil(steps[dim].unsigned_abs());
    let counts = [0, 1, 2].map(count);
    let coordinate = |dim: usize, i: usize| {
        let distance = i * steps[dim].unsigned_abs();
        match steps[dim] {
            1.. => ranges[dim].start + distance,
            _ => ranges[dim].end - 1 - distance,
        }
    };
    // Only layouts without tiles have parts with steps.
    let whole = Side {
        order: a.order.clone(),
        tiles: Vec::new(),
        padded: a.padded.clone(),
        tail: a.tail,
        bits: None,
    };
    let other = Side {
        order: b.order.clone(),
        tiles: b.tiles.clone(),
        padded: b.padded.clone(),
        tail: b.tail,
        bits: None,
    };
    let (Some(whole), Some(other)) = (
        layout(element_type, &sizes, &whole),
        layout(element_type, &counts.map(|count| count as u64), &other),
    ) else {
        return;
    };
    if whole.buffer_len() > input.most() || other.buffer_len() > input.most() {
        return;
    }
    let of_whole = Model::new(whole.array_shape());
    let of_other = Model::new(other.array_shape());
    // For each element of the part its place in the whole, and that in the other array.
    let pairs: Vec<(usize, usize)> = indices(&counts)
        .map(|index| {
            let there = [0, 1, 2].map(|dim| coordinate(dim, index[dim]));
            (of_whole.place(&there), of_other.place(&index))
        })
        .collect();
    let array = |layout: &DynLayout, first: usize| {
        let values = (0..layout.buffer_len()).map(|k| value(first + k));
        let array: Array<T, _> =
            Array::new(layout.clone(), values.collect()).expect("it is as long");
        array.ranked::<3>().expect("it has three dimensions")
    };

    let from = array(&whole, 0);
    let part = from.with_step::<0>(ranges[0].clone(), steps[0]);
    let part = part.expect("the range is inside");
    let part = part.with_step::<1>(ranges[1].clone(), steps[1]);
    let part = part.expect("the range is inside");
    let part = part.with_step::<2>(ranges[2].clone(), steps[2]);
    let part: View<'_, T, StridedLayout<[usize; 3], isize>> = part.expect("the range is inside");
    let mut expected = array(&other, 5000).memory().to_vec();
    for &(place, other) in &pairs {
        expected[other] = from.memory()[place];
    }
    // The third copy is by the way that the second one kept.
    for _ in 0..3 {
        let mut found = array(&other, 5000);
        relayout(&part, &mut found).expect("sizes and types are equal");
        assert!(found.memory() == expected, "{:?} to {other}", part.layout());
    }
    let plan = Plan::new(part.layout(), &other).expect("as above");
    let mut found = array(&other, 5000);
    let chunks = plan.chunks_views(&part, &mut found, input.parts as usize);
    for chunk in chunks.expect("the views are the plan's") {
        chunk.run();
    }
    assert!(found.memory() == expected, "{plan}");

    let mut to = array(&whole, 0);
    let mut expected = to.memory().to_vec();
    let source = array(&other, 5000);
    for &(place, other) in &pairs {
        expected[place] = source.memory()[other];
    }
    let has_tiles = !other.is_strided();
    let before = to.memory().to_vec();
    let result = {
        let rows = to.with_step_mut::<0>(ranges[0].clone(), steps[0]);
        let mut rows = rows.expect("the range is inside");
        let columns = rows.with_step_mut::<1>(ranges[1].clone(), steps[1]);
        let mut columns = columns.expect("the range is inside");
        let part = columns.with_step_mut::<2>(ranges[2].clone(), steps[2]);
        relayout(&source, &mut part.expect("the range is inside"))
    };
    match result {
        Ok(()) => assert!(to.memory() == expected, "{other} to a part of {whole}"),
        Err(RelayoutError::Reversed { dimension }) => {
            assert!(has_tiles && steps[dimension] < 0);
            assert!(to.memory() == before);
        }
        Err(why) => panic!("{why}"),
    }
    if has_tiles {
        return;
    }

    // From the part to an array of which some dimensions are reversed.
    let mut to = array(&other, 5000);
    let mut expected = to.memory().to_vec();
    for (index, &(place, _)) in indices(&counts).zip(&pairs) {
        let there = [0, 1, 2].map(|dim| {
            if input.cuts[dim].is_turned {
                counts[dim] - 1 - index[dim]
            } else {
                index[dim]
            }
        });
        expected[of_other.place(&there)] = from.memory()[place];
    }
    let signs = input.cuts.map(|cut| if cut.is_turned { -1 } else { 1 });
    {
        let mut rows = to.with_step_mut::<0>(.., signs[0]).expect("all");
        let mut columns = rows.with_step_mut::<1>(.., signs[1]).expect("all");
        let mut turned = columns.with_step_mut::<2>(.., signs[2]).expect("all");
        relayout(&part, &mut turned).expect("both sides have strides");
    }
    assert!(to.memory() == expected, "{:?} to {other}", part.layout());
}

fn range(cut: Cut, size: usize) -> Range<usize> {
    let begin = cut.begin as usize % (size + 1);
    // Most parts are long.
    let len = (size - begin) - (cut.len as usize / 4) % (size - begin + 1);
    begin..begin + len
}

fn layout(element_type: &str, sizes: &[u64], side: &Side) -> Option<DynLayout> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    for (k, with) in side.order.iter().enumerate().take(sizes.len()) {
        order.swap(k, *with as usize % sizes.len());
    }
    let join = |numbers: &mut dyn Iterator<Item = String>| numbers.collect::<Vec<_>>().join(",");
    let shape = format!(
        "{element_type}[{}]",
        join(&mut sizes.iter().map(u64::to_string))
    );
    let order = join(&mut order.iter().map(usize::to_string));
    if let Some(padded) = &side.padded {
        let more = padded.iter().copied().chain(std::iter::repeat(0));
        let widths = sizes
            .iter()
            .zip(more)
            .map(|(size, more)| (size.saturating_add(u64::from(more) % 8)).to_string());
        let widths = widths.collect::<Vec<_>>().join(", ");
        return format!("{shape}<{order}>, padded_dimensions = [{widths}]")
            .parse()
            .ok();
    }
    let mut attributes = String::new();
    for (k, tile) in side.tiles.iter().take(3).enumerate() {
        let entry = |entry: &u8| match entry {
            0 => "*".to_owned(),
            entry => entry.to_string(),
        };
        let entries = join(&mut tile.iter().take(5).map(entry));
        attributes += &format!("{}({entries})", if k == 0 { "T" } else { "" });
    }
    if let Some(tail) = side.tail {
        attributes += &format!("L({tail})");
    }
    if let Some(bits) = side.bits {
        attributes += &format!("E({bits})");
    }
    let colon = if attributes.is_empty() { "" } else { ":" };
    format!("{shape}{{{order}{colon}{attributes}}}")
        .parse()
        .ok()
}
