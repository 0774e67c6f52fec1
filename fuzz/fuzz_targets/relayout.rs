//! Any two layouts of one array, and any strides: planning never panics, and a copy is the copy
//! element by element, there and back, in chunks, streamed or not, beside other memory.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use xlayout_core::{ArrayLayout, DynLayout};
use xlayout_relayout::{Measurement, Plan, relayout_bytes_in_place};

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

/// Arrays above so many places are planned, not copied.
const MOST: usize = 1 << 16;

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
    let [a, b] = &input.layouts;
    let (Some(a), Some(b)) = (
        layout(element_type, &sizes, a),
        layout(element_type, &sizes, b),
    ) else {
        return;
    };
    let strides: Vec<isize> = input
        .strides
        .iter()
        .map(|stride| *stride as isize)
        .collect();
    if let Ok(plan) = Plan::from_strided(
        b.dims(),
        &strides,
        input.offset as usize,
        b.element_type(),
        &b,
    ) {
        let _ = (plan.to_string(), plan.traffic());
        let (from, to) = plan.buffers();
        if from <= MOST && to <= MOST {
            plan.run_bytes(&vec![7; from], &mut vec![0; to])
                .expect("the lengths are the plan's");
        }
    }
    let Ok(plan) = Plan::new(&a, &b) else { return };
    let _ = (plan.to_string(), plan.traffic());
    if a.buffer_len() > MOST || b.buffer_len() > MOST || a.bytes() > 1 << 20 || b.bytes() > 1 << 20
    {
        return;
    }
    let source: Vec<u8> = (0..a.bytes())
        .map(|k| (k * 7 + k / 251) as u8 | 1)
        .collect();
    let mut expected = vec![0xa5; b.bytes()];
    naive(&a, &b, &source, &mut expected);

    // A saved measurement sets the strategy, also one that does not fit these layouts.
    let strategies: Vec<Measurement> = Measurement::all().collect();
    let strategy = strategies[input.strategy as usize % strategies.len()];
    let plan = plan.with_measurement(strategy);
    let (before, behind) = (
        input.alignment.0 as usize % 64,
        input.alignment.1 as usize % 64,
    );
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
    if relayout_bytes_in_place(&mut found, &a, &b).is_ok() {
        let mut expected = found.clone();
        naive(&a, &b, &source, &mut expected);
        assert!(found == expected, "in place: {plan}");
    }
});

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

/// Copies bit by bit.
fn naive(a: &DynLayout, b: &DynLayout, source: &[u8], out: &mut [u8]) {
    let (from, to) = (a.element_bits(), b.element_bits());
    b.for_each_index(|index| {
        let (first, target) = (a.linear_index(index) * from, b.linear_index(index) * to);
        for bit in 0..to {
            let at = target + bit;
            let set = bit < from && source[(first + bit) / 8] >> ((first + bit) % 8) & 1 == 1;
            out[at / 8] = out[at / 8] & !(1 << (at % 8)) | u8::from(set) << (at % 8);
        }
    });
}
