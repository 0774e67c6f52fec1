//! The physical dimensions of a tiled array, which this crate does not keep: worked out here from
//! XLA's document on tiled layouts, and held against the number of places that the crate answers.

use serde_json::Value;
use xlayout::shape::TileDim;
use xlayout::{ArrayLayout, DynLayout};

use super::Check;
use super::fields::{Fields, numbers, same};
use super::unit::shape;

/// `combined_dims` after the first tile has merged dimensions by `*`, `physical_dims` after all
/// tiles, and `physical_elements`, their product.
pub(super) fn physical_dims(input: &Fields<'_>, expected: &Value) -> Check {
    let shape = shape(input)?;
    let layout = DynLayout::new(shape.clone()).map_err(|error| error.to_string());
    let Value::Object(expected) = expected else {
        return Err("tiled_physical_dims: the answer is no object".to_owned());
    };
    if super::fields::is_refusal(&Value::Object(expected.clone())) {
        return match layout {
            Ok(layout) => Err(format!(
                "expected an error, found {} places",
                layout.buffer_len()
            )),
            Err(_) => Ok(()),
        };
    }
    let layout = layout?;
    let parts = shape.layout.as_ref().ok_or("the shape has no layout")?;
    let order = parts.minor_to_major.iter().rev();
    let sizes: Option<Vec<i64>> = order
        .map(|&d| {
            layout
                .dims()
                .get(usize::try_from(d).ok()?)
                .map(|size| *size as i64)
        })
        .collect();
    let mut dims = sizes.ok_or("minor_to_major lists another dimension")?;
    let mut combined = dims.clone();
    for (k, tile) in parts.tiles.iter().enumerate() {
        let missing = tile.len().saturating_sub(dims.len());
        dims.splice(..0, vec![1; missing]);
        let (untouched, tiled) = dims.split_at(dims.len() - tile.len());
        let mut merged = Vec::new();
        let mut running = 1;
        for (size, entry) in tiled.iter().zip(tile) {
            running *= size;
            if let TileDim::Size(entry) = *entry {
                merged.push((running, entry));
                running = 1;
            }
        }
        let with = |of: &dyn Fn(&(i64, i64)) -> i64| merged.iter().map(of).collect::<Vec<_>>();
        if k == 0 {
            combined = [untouched, &with(&|(size, _)| *size)].concat();
        }
        let tiles = with(&|(size, entry)| (size + entry - 1) / entry);
        dims = [untouched, &tiles, &with(&|(_, entry)| *entry)].concat();
    }
    let alignment = parts.tail_padding_alignment_in_elements.max(1);
    let product: i64 = dims.iter().product();
    let places = (product + alignment - 1) / alignment * alignment;
    same("places", places, layout.buffer_len() as i64)?;
    for (name, value) in expected {
        match name.as_str() {
            "combined_dims" => same(name, numbers(name, value)?, combined.clone())?,
            "physical_dims" => same(name, numbers(name, value)?, dims.clone())?,
            "physical_elements" => same(name, value.as_i64(), Some(places))?,
            _ => return Err(format!("tiled_physical_dims: `{name}` is not known")),
        }
    }
    Ok(())
}
