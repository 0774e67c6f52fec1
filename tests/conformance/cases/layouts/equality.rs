//! Equality in all of XLA's variants.

use serde_json::{Value, json};
use xlayout_xla::shape_util;
use xlayout_xla::{Comparable, Compare};

use crate::conformance::as_xla;

use super::given::{self, said, shape, text};
use super::{Answer, Check, answered, pair};

/// The lines of `compare`: every variant of equality, of two shapes in both directions.
pub(super) fn compare(line: &Value) -> Check {
    let [a, b] = ["a", "b"].map(|name| shape(line, name));
    let a = &a?;
    let b = &b?;
    let fields = line.as_object().ok_or("the line is no object")?;
    let mut checked = 0;
    for (name, expected) in fields
        .iter()
        .filter(|(name, _)| !["a", "b"].contains(&name.as_str()))
    {
        let all = Compare::new();
        let found = match name.as_str() {
            "eq" | "util_eq" => both(all, a, b),
            "compat" => both(Compare::compatible(), a, b),
            "compat_fp" => both(Compare::compatible().ignore_fp_precision(), a, b),
            "compat_et" => both(Compare::compatible().ignore_element_type(), a, b),
            "kind" => both(Compare::compatible_kind(), a, b),
            "eq_fp" => both(all.ignore_fp_precision(), a, b),
            "eq_et" => both(all.ignore_element_type(), a, b),
            "ign_layout" => both(all.ignore_layout(), a, b),
            "ign_tiles" => both(all.ignore_tiles(), a, b),
            "ign_E" => both(all.ignore_element_size(), a, b),
            "ign_S" => both(all.ignore_memory_space(), a, b),
            "m2m_only" => both(all.minor_to_major_only_in_layout(), a, b),
            "ign_dyn" => both(all.ignore_dynamic_dimensions(), a, b),
            "ign_dims" => both(all.ignore_dimensions(), a, b),
            "ign_tail" => both(all.ignore_tail_padding_alignment_in_elements(), a, b),
            "ign_split" => both(all.ignore_split_configs(), a, b),
            "ign_buffer" => both(all.ignore_buffer(), a, b),
            "structure" => Ok(shape_util::equal_structure(a, b)),
            "layouts_eq" => Compare::new().layouts_in_shapes(a, b).map_err(said),
            "dyn_compat" => {
                as_xla::shapes::dynamic_shape_is_compatible(a, b).ok_or("no array".into())
            }
            _ => return Err(format!("the answer `{name}` is not known")),
        };
        let found = found.map(|equal| json!(i64::from(equal)));
        answered(expected, found).map_err(|what| format!("{name}: {what}"))?;
        checked += 1;
    }
    if checked == 0 {
        Err("the line has no answers".into())
    } else {
        Ok(())
    }
}

/// The answer, which must be the same the other way round.
fn both<T: Comparable>(by: Compare, a: &T, b: &T) -> Result<bool, String> {
    let there = by.equal(a, b);
    let back = by.equal(b, a);
    if there == back {
        Ok(there)
    } else {
        Err(format!("{there}, but {back} the other way round"))
    }
}

pub(super) fn by(input: &Value, by: Compare) -> Answer {
    pair(input, |left, right| both(by, left, right))
}

pub(super) fn of_shapes(input: &Value) -> Answer {
    let mut by = Compare::new();
    for ignored in input
        .get("ignore")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        by = match ignored.as_str() {
            Some("layout") => by.ignore_layout(),
            Some("element_type") => by.ignore_element_type(),
            Some("fp_precision") => by.ignore_fp_precision(),
            Some("dimensions") => by.ignore_dimensions(),
            Some("dynamic_dimension" | "dynamic_dimensions") => by.ignore_dynamic_dimensions(),
            Some("buffer") => by.ignore_buffer(),
            Some("minor_to_major_only") => by.minor_to_major_only_in_layout(),
            _ => ignoring(by, ignored)?,
        };
    }
    self::by(input, by)
}

pub(super) fn of_layouts(input: &Value) -> Answer {
    let mut by = Compare::new();
    for ignored in input["ignore"].as_array().ok_or("`ignore` is no list")? {
        by = match ignored.as_str() {
            Some("minor_to_major_only") => by.minor_to_major_only(),
            _ => ignoring(by, ignored)?,
        };
    }
    let [left, right] = ["lhs", "rhs"].map(|name| given::layout_text(text(input, name)?));
    Ok(json!(both(by, &left?, &right?)?))
}

/// Ignores a part of the layouts.
fn ignoring(by: Compare, ignored: &Value) -> Result<Compare, String> {
    Ok(match ignored.as_str() {
        Some("tiles") => by.ignore_tiles(),
        Some("tail_padding_alignment" | "tail_padding_alignment_in_elements") => {
            by.ignore_tail_padding_alignment_in_elements()
        }
        Some("index_primitive_type") => by.ignore_index_primitive_type(),
        Some("pointer_primitive_type") => by.ignore_pointer_primitive_type(),
        Some("element_size" | "element_size_in_bits") => by.ignore_element_size(),
        Some("memory_space") => by.ignore_memory_space(),
        Some("split_configs" | "split_config") => by.ignore_split_configs(),
        // Our layouts have no physical shape to ignore.
        Some("physical_shape") => by,
        _ => return Err(format!("{ignored} cannot be ignored")),
    })
}
