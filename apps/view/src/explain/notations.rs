//! The same layout in the notations of other libraries.

use xlayout::interop::{self, Given};
use xlayout::{ArrayLayout, DynLayout};

/// A notation, and a layout in it, or why the notation cannot express it.
pub(super) type Printed = (&'static interop::Notation, Result<String, String>);

/// The largest rank of `layout!`.
const MAX_RANK: usize = 16;

pub(super) fn all(array: &DynLayout) -> Vec<Printed> {
    let shape = array.array_shape();
    let given = Given::default();
    let text = |row: &interop::Notation| {
        if array.rank() > interop::MAX_RANK {
            let limit = interop::MAX_RANK;
            return Err(format!("arrays have {limit} dimensions at most there"));
        }
        let printed = row.print(shape, &given);
        let text = printed
            .map_err(|error| error.message().to_string())?
            .to_string();
        // TVM's letters have no meaning without the axes of the sizes.
        Ok(match (row.key, Given::axes_of(array.rank())) {
            ("tvm", Some(axes)) => format!("{text}, axes {axes}"),
            _ => text,
        })
    };
    let printed = interop::Notation::ALL.iter().filter(|row| row.is_printed());
    printed.map(|row| (row, text(row))).collect()
}

/// The line to paste into a program.
pub(super) fn layout_macro(array: &DynLayout) -> Result<String, String> {
    if array.rank() > MAX_RANK {
        return Err(format!(
            "types have {MAX_RANK} dimensions at most; read it with `text.parse::<DynLayout>()`"
        ));
    }
    Ok(format!("layout!({})", array.array_shape()))
}
