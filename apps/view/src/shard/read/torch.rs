//! PyTorch's placements.

use xlayout::interop::Given;
use xlayout::sharding::{AxisRef, NamedSharding};
use xlayout::{ArrayLayout, DynLayout};

use super::pasted::{Pasted, finish};
use crate::error::{Error, Outcome, TextSpan};
use crate::read::known;
use crate::shard::mesh::{MESHES, Mesh, need_mesh};
use crate::shard::python::{FORMS, SHARDING, Value, wrong};
use crate::words::{counted, joined};

/// PyTorch's placements: for each axis of the mesh, which dimension it cuts.
pub(super) fn torch(
    text: &str,
    values: &Value<'_>,
    array: Option<DynLayout>,
    mesh: Option<Mesh>,
) -> Outcome<Pasted> {
    let Some(placements) = placements_in(values) else {
        let what = match values.call(&MESHES) {
            Some(_) => "the text says a mesh, and not what it divides",
            None => "this is no sharding",
        };
        let unknown = || match commands(values, array.as_ref()) {
            None => wrong(text, values, what, FORMS),
            Some(help) => wrong(text, values, what, &help),
        };
        let whole = TextSpan::of_whole(SHARDING, text);
        return Err(known(text, false, whole).unwrap_or_else(unknown));
    };
    let mesh = need_mesh(text, mesh)?;
    let array = match (array, values.call(&["TensorMeta"])) {
        (None, Some(meta)) => {
            let meta = &text[meta.span.clone()];
            let inside = meta.split_once('(').map_or("", |(_, inside)| inside);
            let inside = inside.strip_suffix(')').unwrap_or(inside);
            let inside = inside.strip_prefix("shape=").unwrap_or(inside);
            Some(crate::read::read(SHARDING, inside, &Given::default())?)
        }
        (array, _) => array,
    };
    if placements.len() != mesh.sizes.len() {
        let what = format!(
            "{} for a mesh with {}",
            counted(placements.len() as u64, "placement"),
            counted_axes(mesh.sizes.len()),
        );
        let help =
            "write a placement for each axis of the mesh, `Replicate()` where it cuts nothing";
        return Err(wrong(text, values, &what, help));
    }
    let mut named = mesh.sharding();
    // The axes that cut each dimension; a strided one cuts inside of the later ones.
    let mut cuts: Vec<(usize, AxisRef, Option<i64>)> = Vec::new();
    for (axis, placement) in placements.iter().enumerate() {
        match placement.name() {
            "Replicate" | "R" => {}
            "Partial" | "P" | "_Partial" => named.unreduced_axes.push(axis.into()),
            "Shard" | "S" | "_StridedShard" | "StridedShard" => {
                let number = placement.argument("dim", 0).and_then(Value::number);
                let dimension = number.and_then(|number| dimension_of(number, array.as_ref()));
                let Some(dimension) = dimension else {
                    let help = "write a dimension of the array: `Shard(dim=0)`";
                    return Err(wrong(text, placement, "this names no dimension", help));
                };
                let factor = ["split_factor", "sf"];
                let factor = factor.iter().find_map(|key| placement.argument(key, 1));
                cuts.push((dimension, axis.into(), factor.and_then(Value::number)));
            }
            _ => return Err(wrong(text, placement, "this is no placement", FORMS)),
        }
    }
    let rank = array.as_ref().map(ArrayLayout::rank);
    let last = cuts.iter().map(|cut| cut.0 + 1).max();
    named.dim_shardings = vec![Vec::new(); rank.or(last).unwrap_or(0)];
    for (dimension, axis, factor) in cuts.iter().rev() {
        let Some(axes) = named.dim_shardings.get_mut(*dimension) else {
            let help = "write dimensions of the array, which count from 0";
            let what = format!("the array has no dimension {dimension}");
            return Err(wrong(text, values, &what, help));
        };
        let later: i64 = axes.iter().map(|axis| mesh.sizes[axis.axis]).product();
        match factor {
            None => axes.insert(0, *axis),
            Some(factor) if *factor == later => axes.push(*axis),
            Some(factor) => {
                let what = format!(
                    "a strided shard with the factor {factor}, but the later axes cut dimension \
                     {dimension} into {later}"
                );
                let help = "write a factor that is the product of those sizes";
                return Err(wrong(text, values, &what, help));
            }
        }
    }
    check_uneven(text, &named, array.as_ref())?;
    let devices = "The text does not say which device is where in the mesh: 0, 1, 2, … in \
                   row-major sequence is assumed, as of `init_device_mesh`.";
    let assumed = mesh.devices.is_empty().then_some(devices);
    finish(text, named, array, assumed.into_iter().collect())
}

/// What to run if numbers count the parts of dimensions: `sharding(4,1,8)`.
fn commands(values: &Value<'_>, array: Option<&DynLayout>) -> Option<String> {
    let mut commands = Vec::new();
    for call in values.all(&["sharding"]) {
        let mut sizes = Vec::new();
        let mut devices = 1_i64;
        for item in call.items() {
            let size = item.value.number()?;
            devices = devices.checked_mul(size)?;
            sizes.push(size);
        }
        let is_copied = array.is_some_and(|array| array.rank() + 1 == sizes.len());
        let copies = if is_copied {
            " last_tile_dim_replicate"
        } else {
            ""
        };
        let sizes = joined(&sizes, ",");
        commands.push(format!(
            "`xlayout shard explain '{{devices=[{sizes}]<=[{devices}]{copies}}}' SHAPE`"
        ));
    }
    let commands = Some(joined(&commands, "; ")).filter(|commands| !commands.is_empty())?;
    Some(format!(
        "if the numbers count the parts of each dimension, run {commands}"
    ))
}

/// PyTorch cuts the parts of one axis again, XLA all at once: the same only without a rest.
fn check_uneven(text: &str, named: &NamedSharding, array: Option<&DynLayout>) -> Outcome {
    let Some(array) = array else {
        return Ok(());
    };
    for (dimension, axes) in named.dim_shardings.iter().enumerate() {
        let sizes = axes.iter().map(|axis| named.axis_sizes[axis.axis]);
        let parts: i64 = sizes.clone().product();
        let several = sizes.filter(|&size| size > 1).count() > 1;
        let size = array.dims().get(dimension).map_or(0, |&size| size as i64);
        if several && size % parts != 0 {
            let what = format_args!(
                "dimension {dimension} of size {size} is cut by several axes into {parts} uneven \
                 parts"
            );
            return Err(Error::new(what)
                .at(TextSpan::of_whole(SHARDING, text))
                .help(
                    "PyTorch cuts each part again, which no sharding of XLA's does: pad the \
                       dimension to a multiple",
                ));
        }
    }
    Ok(())
}

fn dimension_of(number: i64, array: Option<&DynLayout>) -> Option<usize> {
    match (usize::try_from(number), array) {
        (Ok(dimension), _) => Some(dimension),
        (Err(_), Some(array)) => array
            .rank()
            .checked_add_signed(isize::try_from(number).ok()?),
        (Err(_), None) => None,
    }
}

/// The placements: those of a spec, or the values themselves.
fn placements_in<'v, 'a>(values: &'v Value<'a>) -> Option<Vec<&'v Value<'a>>> {
    const NAMES: [&str; 9] = [
        "Shard",
        "S",
        "Replicate",
        "R",
        "Partial",
        "P",
        "_Partial",
        "_StridedShard",
        "StridedShard",
    ];
    let items = values.items();
    let is_placement = |value: &Value<'_>| !value.is_text && NAMES.contains(&value.name());
    if !items.is_empty() && items.iter().all(|item| is_placement(&item.value)) {
        return Some(items.iter().map(|item| &item.value).collect());
    }
    items.iter().find_map(|item| placements_in(&item.value))
}

fn counted_axes(count: usize) -> String {
    if count == 1 {
        "one axis".to_owned()
    } else {
        format!("{count} axes")
    }
}
