//! `memory`, `packed`, `tpu_sizes` and `types`: bytes that real programs allocated and filled.

use serde_json::Value;
use xlayout::shape::MinorToMajor;
use xlayout::{
    Array, ArrayLayout, ArrayShape, DynCoordinates, DynLayout, Element, ElementType, SliceViewMut,
};

use super::Check;
use super::fields::{Fields, numbers, same};
use super::number;

fn layout(text: &str) -> Result<DynLayout, String> {
    text.parse()
        .map_err(|error| format!("`{text}`: expected to be read, found the error: {error}"))
}

/// The number of an index when counting row-major.
fn row_major(sizes: &[usize], index: &[usize]) -> usize {
    index
        .iter()
        .zip(sizes)
        .fold(0, |number, (i, n)| number * n + i)
}

/// The element at each linear index: through the inverse, forward, and by iteration.
pub(super) fn memory(line: &Fields<'_>) -> Check {
    let layout = layout(line.text("shape")?)?;
    let expected = line.numbers("memory_order")?;
    same("places", expected.len(), layout.buffer_len())?;
    let number = |index: &DynCoordinates| row_major(layout.dims(), index) as i64;
    let mut elements = Vec::new();
    for (place, &expected) in expected.iter().enumerate() {
        let found = layout.multi_index(place);
        // A negative number is padding.
        let element = (expected >= 0).then_some(expected);
        same(
            &format!("the element at place {place}"),
            element,
            found.as_ref().map(&number),
        )?;
        if let Some(index) = found {
            same(
                &format!("the place of {:?}", &index[..]),
                place,
                layout.linear_index(&index),
            )?;
            elements.push((expected, place));
        }
    }
    let mut visited = Vec::new();
    layout.for_each_in_memory(|index, place| visited.push((number(index), place)));
    same("what iteration visits", &elements, &visited)?;
    let mut row_major = Vec::new();
    layout.for_each_index(|index| row_major.push(number(index)));
    same(
        "what logical iteration visits",
        (0..elements.len() as i64).collect(),
        row_major,
    )
}

pub(super) fn tpu_sizes(line: &Fields<'_>) -> Check {
    let layout = layout(line.text("shape")?)?;
    same("bytes", line.number("bytes")?, layout.bytes() as i64)
}

/// Element i of row-major order holds i, cut to the type.
pub(super) fn packed(line: &Fields<'_>) -> Check {
    let dtype = line.text("dtype")?;
    let element_type = number::of_numpy(dtype)
        .ok_or_else(|| format!("the element type `{dtype}` is not known"))?;
    let layout = packed_layout(line, element_type)?;
    let expected = bytes_of_hex(line.text("bytes_hex")?)?;
    same("bytes", expected.len(), layout.bytes())?;
    let mut values = Vec::new();
    for number in 0..layout.elements() as u64 {
        let bits = number::bits(element_type, number);
        values
            .push(bits.ok_or_else(|| format!("{element_type} has no zero, or no known encoding"))?);
    }
    let mut memory = vec![0; layout.bytes()];
    if layout.element_bits() < 8 {
        let view = SliceViewMut::packed(&layout, &mut memory);
        let mut view = view.map_err(|error| error.to_string())?;
        let mut written = Vec::new();
        layout.for_each_index(|index| {
            written.push(view.set(index, values[written.len()] as i8));
        });
        same("indices in bounds", vec![true; values.len()], written)?;
    } else {
        let width = layout.element_bits() / 8;
        let mut values = values.iter();
        layout.for_each_index(|index| {
            let (at, _) = layout.bit_offset(layout.linear_index(index));
            if let Some(value) = values.next() {
                memory[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
            }
        });
    }
    same("bytes", &expected, &memory)?;
    carried(&layout, &expected)
}

fn packed_layout(line: &Fields<'_>, element_type: ElementType) -> Result<DynLayout, String> {
    let said = |error: &dyn std::fmt::Display| format!("the shape cannot be built: {error}");
    let mut shape =
        ArrayShape::new(element_type, &line.numbers("dims")?).map_err(|error| said(&error))?;
    let natural = shape.element_size_in_bits();
    if let Some(layout) = &mut shape.layout {
        layout.minor_to_major =
            MinorToMajor::new(&line.numbers("minor_to_major")?).map_err(|error| said(&error))?;
        let bits = line.number("bits")?;
        layout.element_size_in_bits = if bits == natural { 0 } else { bits };
    }
    DynLayout::new(shape).map_err(|error| said(&error))
}

fn bytes_of_hex(hex: &str) -> Result<Vec<u8>, String> {
    let wrong = || format!("`{hex}` is not written in pairs of hexadecimal digits");
    if !hex.is_ascii() || !hex.len().is_multiple_of(2) {
        return Err(wrong());
    }
    let pairs = (0..hex.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).map_err(|_| wrong()))
        .collect()
}

/// The same through an owned array, for the types that Rust has.
fn carried(layout: &DynLayout, expected: &[u8]) -> Check {
    fn array<T: Element, const N: usize>(
        layout: &DynLayout,
        value: fn(usize) -> T,
        bytes: fn(T) -> [u8; N],
    ) -> Vec<u8> {
        // Another element size than the type's own is not carried by a Rust type.
        Array::from_fn(layout, |index| value(row_major(layout.dims(), index))).map_or_else(
            |_| Vec::new(),
            |array| {
                array
                    .memory()
                    .iter()
                    .flat_map(|&item| bytes(item))
                    .collect()
            },
        )
    }
    macro_rules! carried {
        ($($name:literal $rust:ident),*) => {
            match layout.element_type().name() {
                "pred" => array(layout, |i| i != 0, |item| [u8::from(item)]),
                $($name => array(layout, |i| i as $rust, <$rust>::to_le_bytes),)*
                _ => return Ok(()),
            }
        };
    }
    let bytes = carried!(
        "s8" i8, "s16" i16, "s32" i32, "s64" i64, "u8" u8, "u16" u16, "u32" u32, "u64" u64,
        "f32" f32, "f64" f64
    );
    if bytes.is_empty() {
        Ok(())
    } else {
        same("bytes of an array", expected, &bytes)
    }
}

/// `[number, name, bits, bytes]`, -1 where there are none.
pub(super) fn element_type(name: &str, row: &str) -> Check {
    let wrong = || format!("{name}: `{row}` is no list of a number, a name, bits and bytes");
    let row: Vec<Value> = serde_json::from_str(row).map_err(|_| wrong())?;
    let [number, Value::String(text), bits, bytes] = &row[..] else {
        return Err(wrong());
    };
    let row = numbers(
        name,
        &Value::from(vec![number.clone(), bits.clone(), bytes.clone()]),
    )?;
    let [number, bits, bytes] = row[..] else {
        return Err(wrong());
    };
    let Some(found) = ElementType::from_number(number) else {
        // 0 is "invalid", which is not a type.
        return same(&format!("{name}: the type with number {number}"), 0, number);
    };
    let width = |n: i64| u32::try_from(n).ok();
    same("number", number, i64::from(found.number()))?;
    same("name", text.as_str(), found.name())?;
    same("bits", width(bits), found.bits())?;
    same("bytes", width(bytes), found.bytes())?;
    // Tuples and buffers are not written by name.
    let written = !matches!(found, ElementType::Tuple | ElementType::Buffer);
    same(
        "the type of that name",
        written.then_some(found),
        text.parse::<ElementType>().ok(),
    )
}
