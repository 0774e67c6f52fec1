//! Layouts in other projects' notations: where they put elements, and one text of XLA's that does
//! the same.

use xlayout::{ArrayLayout, ArrayShape, DynLayout, ElementType};
use xlayout_interop::{Given, Notation};

use super::Check;
use super::fields::{Fields, numbers};

/// The allocated elements, and the linear index of each sample.
fn map(shape: &ArrayShape, line: &Fields<'_>) -> Result<(i64, Vec<i64>), String> {
    let layout = DynLayout::new(shape.clone()).map_err(|error| error.to_string())?;
    let mut offsets = Vec::new();
    for sample in line.list("offsets")? {
        let index = numbers("offsets", sample.get(0).ok_or("a sample has no index")?)?;
        let index: Vec<usize> = index.iter().map(|&i| i as usize).collect();
        if !layout.in_bounds(&index[..].into()) {
            return Err(format!("{shape} has no index {index:?}"));
        }
        offsets.push(layout.linear_index(&index[..].into()) as i64);
    }
    Ok((layout.buffer_len() as i64, offsets))
}

/// `text` is read in the notation that it is of, and what is printed of it in all notations is read
/// again; `xla` is the same layout.
pub(super) fn notations(line: &Fields<'_>) -> Check {
    let text = line.text("text")?;
    let sizes = line.numbers("dims")?;
    let type_name = line.text("type")?;
    let element_type: ElementType = type_name.parse().map_err(|_| "`type` is no type")?;
    let axes = line.get("logical").and_then(serde_json::Value::as_str);
    let given = Given {
        sizes: Some(&sizes),
        element_type: Some(element_type),
        axes,
    };
    let samples = line.list("offsets")?.iter();
    let offsets = samples.map(|sample| sample.get(1).and_then(serde_json::Value::as_i64));
    let expected = (
        line.number("elements")?,
        offsets
            .collect::<Option<Vec<i64>>>()
            .ok_or("a sample has no offset")?,
    );
    let key = match line.text("notation")? {
        "linalg.pack" => "pack",
        "onednn-verbose" => "onednn_verbose",
        // PyTorch's memory formats are names.
        "torch" if !text.contains('(') => "named",
        key => key,
    };
    let notation =
        Notation::of(text, &given).ok_or_else(|| format!("`{text}` is not recognized"))?;
    if notation.key != key {
        return Err(format!("`{text}` is taken for {}", notation.name));
    }
    let shape = notation
        .read(text, &given)
        .map_err(|error| error.to_string())?;
    let same = |what: &str, shape: &ArrayShape, whole: bool| {
        let mut found = map(shape, line)?;
        if !whole {
            found.0 = expected.0;
        }
        match found == expected {
            true => Ok(()),
            false => Err(format!(
                "{what}: {shape} has {found:?}, expected {expected:?}"
            )),
        }
    };
    same(text, &shape, true)?;
    let xla: ArrayShape = line.text("xla")?.parse().map_err(|_| "`xla` is no shape")?;
    same("xla", &xla, true)?;
    for row in Notation::ALL.iter().filter(|row| row.is_printed()) {
        for shape in [&shape, &xla] {
            // A notation has a text for each layout that it has read.
            let printed = match row.print(shape, &given) {
                Ok(printed) => printed.to_string(),
                Err(error) if row.key == key => {
                    return Err(format!("{}: {error}", row.name));
                }
                Err(_) => continue,
            };
            // It may be written as another notation writes it, too; that of a whole buffer has no
            // reader.
            if row.key == "memref_buffer" {
                continue;
            }
            let axes = if row.key == "tvm" {
                axes.or(Given::axes_of(sizes.len()))
            } else {
                None
            };
            let given = Given { axes, ..given };
            let read = Notation::of(&printed, &given)
                .ok_or_else(|| format!("`{printed}` is not recognized"))?;
            let again = read.read(&printed, &given);
            // Strides, and the digits of CuTe, leave out padding behind the last element.
            let whole = !["memref", "cute", "torch", "numpy", "dlpack"].contains(&row.key);
            let printed = &*printed;
            same(
                printed,
                &again.map_err(|error| format!("`{printed}`: {error}"))?,
                whole,
            )?;
        }
    }
    Ok(())
}
