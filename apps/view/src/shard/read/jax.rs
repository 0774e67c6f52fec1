//! JAX's specs and grids of devices.

use xlayout::DynLayout;
use xlayout::sharding::{AxisRef, Sharding};

use super::pasted::{Pasted, finish};
use crate::error::{Error, Outcome};
use crate::shard::mesh::{Mesh, device_of, need_mesh};
use crate::shard::python::{SHARDING, Value, without_value, wrong};
use crate::words::joined;

const ASSUMED_DEVICES: &str = "The text does not say which device is where in the mesh: 0, 1, 2, … in row-major sequence is \
     assumed. On TPUs, `jax.make_mesh` may place them otherwise.";

/// JAX's `PartitionSpec`: for each dimension nothing, an axis, or several.
pub(super) fn jax(
    text: &str,
    spec: &Value<'_>,
    array: Option<DynLayout>,
    mesh: Option<Mesh>,
) -> Outcome<Pasted> {
    let mesh = need_mesh(text, mesh)?;
    let mut assumed = Vec::new();
    if mesh.devices.is_empty() {
        assumed.push(ASSUMED_DEVICES);
    }
    let axis = |value: &Value<'_>| -> Outcome<AxisRef> {
        let number = value
            .number()
            .and_then(|number| usize::try_from(number).ok());
        let number = number.filter(|&number| !value.is_text && number < mesh.sizes.len());
        let named = mesh.names.iter().position(|name| name == value.word);
        let found = named.or(number);
        found.map(Into::into).ok_or_else(|| {
            if !value.is_text && value.number().is_none() {
                return without_value(text, value);
            }
            let what = format!("the mesh has no axis `{}`", value.word);
            wrong(
                text,
                value,
                &what,
                &format!("its axes are {}", listed(&mesh.names)),
            )
        })
    };
    let axes = |value: &Value<'_>| -> Outcome<Vec<AxisRef>> {
        match &value.items {
            Some(items) => items.iter().map(|item| axis(&item.value)).collect(),
            None if matches!(value.word, "None" | "null") => Ok(Vec::new()),
            None => Ok(vec![axis(value)?]),
        }
    };
    let mut named = mesh.sharding();
    for item in spec.items() {
        match item.key {
            None if item.value.name() == "UNCONSTRAINED" => {
                let help = "write the axes that the compiler chose, as in the compiled module";
                return Err(wrong(
                    text,
                    &item.value,
                    "this leaves the dimension open",
                    help,
                ));
            }
            None => named.dim_shardings.push(axes(&item.value)?),
            Some("unreduced") => named.unreduced_axes = axes(&item.value)?,
            // It says how a gradient is reduced, not where elements are.
            Some(_) => {}
        }
    }
    finish(text, named, array, assumed)
}

/// JAX's grid of sets of devices, of which each holds one part: `[[{CPU 0, 1} {CPU 2, 3}]]`.
pub(super) fn positions(
    text: &str,
    printed: &Value<'_>,
    array: Option<DynLayout>,
) -> Outcome<Pasted> {
    fn add(grid: &Value<'_>, depth: usize, sizes: &mut Vec<usize>, all: &mut Vec<Vec<i64>>) {
        let items = grid.items();
        let is_set = items.first().is_none_or(|first| {
            let is_name = first.value.items.is_none() && first.value.number().is_none();
            is_name || first.value.word.is_empty() && first.value.items.is_none()
        });
        if is_set {
            let devices = items.iter().filter_map(|item| device_of(&item.value));
            let own = device_of(grid).filter(|_| grid.items.is_none());
            return all.push(own.into_iter().chain(devices).collect());
        }
        if sizes.len() == depth {
            sizes.push(items.len());
        }
        items
            .iter()
            .for_each(|item| add(&item.value, depth + 1, sizes, all));
    }
    let mut sizes = Vec::new();
    let mut sets = Vec::new();
    if let [grid, ..] = printed.items() {
        add(&grid.value, 0, &mut sizes, &mut sets);
    }
    let copies = sets.first().map_or(0, Vec::len);
    if sizes.is_empty() || copies == 0 || sets.iter().any(|set| set.len() != copies) {
        let what = "this is not a grid of devices";
        let help =
            "write what `print(x.sharding)` prints: `PositionalSharding([[{CPU 0} {CPU 1}]])`";
        return Err(wrong(text, printed, what, help));
    }
    let suffix = if copies > 1 {
        sizes.push(copies);
        " last_tile_dim_replicate"
    } else {
        ""
    };
    let devices: Vec<i64> = sets.concat();
    let written = format!(
        "{{devices=[{}]{}{suffix}}}",
        joined(&sizes, ","),
        joined(&devices, ",")
    );
    let sharding = written.parse::<Sharding>();
    let sharding = sharding.map_err(|error| Error::of_text(&error, SHARDING, &written))?;
    Ok(Pasted {
        sharding,
        array,
        assumed: Vec::new(),
    })
}

fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    joined(&quoted, ", ")
}
