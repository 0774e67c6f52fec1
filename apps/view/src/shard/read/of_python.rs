//! What JAX, PyTorch and Orbax print: whose it is, and its mesh.

use xlayout::DynLayout;
use xlayout::sharding::Sharding;

use super::jax::{jax, positions};
use super::pasted::Pasted;
use super::torch::torch;
use crate::error::{Error, Outcome, TextSpan};
use crate::read::known;
use crate::shard::mesh::{MESHES, Mesh, device_of, mesh_of_prose, mesh_of_python};
use crate::shard::python::{self, FORMS, SHARDING, Value, wrong};
use crate::words::joined;

/// What JAX or PyTorch print.
pub(super) fn printed_by_python(
    text: &str,
    array: Option<DynLayout>,
    mesh: Option<Mesh>,
) -> Outcome<Pasted> {
    // A text that was printed inside of another one has its line ends written out.
    let text = &text.replace("\\n", "  ");
    let calls = || {
        let names = [
            &MESHES[..],
            &["mark_sharding", "NamedSharding", "PartitionSpec"],
        ]
        .concat();
        Some(python::calls(text, &names)).filter(|calls| !calls.items().is_empty())
    };
    let values = python::read(text).or_else(|place| calls().ok_or(place));
    let values = values.map_err(|place| {
        if let Some(help) = of_julia(text) {
            let whole = TextSpan::of_whole(SHARDING, text);
            let what = "this is Julia's, whose first dimension is XLA's last one";
            return Error::new(what).at(whole).help(help);
        }
        let at = TextSpan::of_argument(SHARDING, text, place);
        known(text, false, TextSpan::of_whole(SHARDING, text))
            .unwrap_or_else(|| Error::new("this is no sharding").at(at).help(FORMS))
    })?;
    if let Some(positional) = values.call(&["PositionalSharding"]) {
        return positions(text, positional, array);
    }
    if let Some(single) = values.call(&["SingleDeviceSharding"]) {
        let Some(device) = single
            .items()
            .first()
            .and_then(|item| device_of(&item.value))
        else {
            return Err(wrong(text, single, "this names no device", FORMS));
        };
        return Ok(Pasted {
            sharding: Sharding::maximal(device),
            array,
            assumed: Vec::new(),
        });
    }
    if let [only] = values.items()
        && let Some(spec) = only.value.argument("partition_spec", usize::MAX)
    {
        let mesh = mesh_of_python(text, &only.value)?;
        return jax(text, spec, array, Some(mesh));
    }
    let mesh = match values.call(&MESHES) {
        Some(printed) => match (mesh_of_python(text, printed), mesh) {
            (Ok(own), _) => Some(own),
            (Err(_), Some(given)) => Some(given),
            (Err(error), None) => return Err(error),
        },
        None => mesh_of_prose(text).or(mesh),
    };
    // `xs.mark_sharding(x, mesh, ('data', None))` of PyTorch/XLA
    let marked = values.call(&["mark_sharding"]);
    one_of(text, &values.all(&["mark_sharding"]))?;
    let spec = marked.and_then(|call| call.argument("partition_spec", 2));
    let spec = spec.filter(|spec| spec.items.is_some());
    if let Some(spec) = spec.or_else(|| values.argument("partition_spec", usize::MAX)) {
        return jax(text, spec, array, mesh);
    }
    let specs = values.all(&["PartitionSpec", "P", "PS"]);
    // `P('x', None)`; that of PyTorch is `P(sum)`.
    let is_spec = |spec: &&&Value<'_>| {
        let mut axes = spec.items().iter().flat_map(|item| {
            let inside = item.value.items().iter().map(|item| &item.value);
            inside.chain([&item.value])
        });
        axes.any(|axis| axis.is_text || axis.word == "None")
    };
    let is_jax = values.call(&["NamedSharding", "PartitionSpec"]).is_some()
        || specs.iter().any(|spec| is_spec(&spec))
        || matches!(values.items(), [only] if only.value.name() == "P");
    if is_jax {
        one_of(text, &specs)?;
        let Some(spec) = specs.first() else {
            let whole = TextSpan::of_whole(SHARDING, text);
            let without = || wrong(text, &values, "this has no `PartitionSpec`", FORMS);
            return Err(known(text, false, whole).unwrap_or_else(without));
        };
        return jax(text, spec, array, mesh);
    }
    torch(text, &values, array, mesh)
}

/// Calls that say the same.
fn one_of(text: &str, calls: &[&Value<'_>]) -> Outcome {
    let said = |call: &Value<'_>| &text[call.span.clone()];
    let different = calls.iter().find(|call| said(call) != said(calls[0]));
    let Some(different) = different else {
        return Ok(());
    };
    let what = "the text holds several shardings, and it is not clear which one is meant";
    let place = |call: &Value<'_>| TextSpan::of_argument(SHARDING, text, call.span.clone());
    let error = Error::new(what).at(place(calls[0])).at(place(different));
    Err(error.help("give one of them alone, with its mesh"))
}

/// What to run for a spec of Julia's, `(:x, :y)`, whose first dimension is XLA's last one.
fn of_julia(text: &str) -> Option<String> {
    let (_, spec) = text.rsplit_once("(:")?;
    let (spec, _) = spec.split_once(')')?;
    let mut axes = Vec::new();
    for axis in spec.split(',') {
        match axis.trim().trim_start_matches(':') {
            "" => {}
            "nothing" => axes.insert(0, "None".to_owned()),
            name => axes.insert(0, format!("'{name}'")),
        }
    }
    let axes = joined(&axes, ", ");
    Some(format!(
        "run `xlayout shard explain \"P({axes})\" SHAPE --mesh x=2,y=4`, with the sizes of the \
         array in the other sequence, and those of its mesh"
    ))
}
