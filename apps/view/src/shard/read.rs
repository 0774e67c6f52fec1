//! Reads shardings that people paste: XLA's text and instructions of HLO, Shardy's, and what JAX
//! and PyTorch print.
//!
//! ```text
//! XLA      {devices=[2,4]<=[8]}    f32[8,16], sharding={…}    GSPMDSharding({…})
//!          %a: tensor<2x3xf32> {mhlo.sharding = "{…}"}, of MLIR
//! Shardy   #sdy.sharding<@mesh, [{"x"}, {}]>, with sdy.mesh @mesh = <…> in the text or --mesh
//! JAX      NamedSharding(mesh=Mesh('x': 2), spec=PartitionSpec('x', None))    P('x', None)
//!          PositionalSharding([[{CPU 0} {CPU 1}]])
//! PyTorch  [Shard(dim=0), Replicate()]    (S(0), R)    DTensorSpec(…)
//! Orbax    {"axis_names": ["x"], "shape": [2], "partition_spec": ["x", null], …}
//! ```

use xlayout::interop::Given;
use xlayout::sharding::{AxisRef, NamedSharding, Sharding, read_sharding_prefix};
use xlayout::{ArrayLayout, DynLayout};

use super::mesh::{MESHES, Mesh, device_of, mesh_of_option, mesh_of_python, need_mesh};
use super::python::{self, FORMS, SHARDING, Value, without_value, wrong};
use crate::error::{Error, Outcome, TextSpan};
use crate::read::known;
use crate::session::printed;
use crate::words::{counted, joined};

/// A sharding, and what its text says of the array.
pub(super) struct Pasted {
    pub(super) sharding: Sharding,
    pub(super) array: Option<DynLayout>,
    /// What the text does not say.
    pub(super) assumed: Vec<&'static str>,
}

const ASSUMED_DEVICES: &str = "The text does not say which device is where in the mesh: 0, 1, 2, … in row-major sequence is \
     assumed. On TPUs, `jax.make_mesh` may place them otherwise.";

/// Reads a sharding, or the one in a log or a program. `array` is what the user says of the array,
/// `mesh` the axes of the mesh.
pub(super) fn read(text: &str, array: Option<&str>, mesh: Option<&str>) -> Outcome<Pasted> {
    let array = match array {
        Some(array) => Some(crate::read::read("SHAPE", array, &Given::default())?),
        None => None,
    };
    let mesh = mesh.map(mesh_of_option).transpose()?;
    // A text inside of a text in quotes has its own quotes escaped.
    let text = printed(text).replace("\\\"", "\"");
    // The fences around code on a page.
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("```"));
    let text = &joined(lines.collect::<Vec<_>>(), "\n");
    if let Some(order) = text.find("shard_order") {
        let at = TextSpan::of_argument(SHARDING, text, order..order + "shard_order".len());
        let what = "the sequence in which axes cut a dimension is not read";
        let help =
            "leave it out if each dimension is cut by one axis, or by several from left to right";
        return Err(Error::new(what).at(at).help(help));
    }
    let found = parts(text);
    match (found.first(), found.iter().find(|part| **part != found[0])) {
        (None, _) => printed_by_python(text, array, mesh),
        (Some(a), Some(b)) => {
            let what = "the text holds several shardings, and it is not clear which one is meant";
            let mut error = Error::new(what);
            for part in [a, b] {
                let start = part.as_ptr().addr() - text.as_ptr().addr();
                let place = TextSpan::of_argument(SHARDING, text, start..start + part.len());
                error = error.at(place);
            }
            Err(error.help(format_args!(
                "give one of them alone; `xlayout shard diff A B SHAPE` says what moves: '{a}' '{b}'"
            )))
        }
        (Some(part), None) if part.contains("<@") || part.contains("<mesh<") => {
            shardy(text, part, array, mesh)
        }
        (Some(part), None) if part.starts_with('{') && !part.contains(['"', '\'']) => {
            xla(text, part, array)
        }
        (Some(part), None) => {
            printed_by_python(text, array.clone(), mesh.clone()).or_else(|error| {
                if part.len() == text.trim().len() {
                    return Err(error);
                }
                // Of a program with a mesh, the whole says what is missing.
                let has_mesh = !python::calls(text, &MESHES).items().is_empty();
                let read = printed_by_python(part, array, mesh);
                read.map_err(|of_part| if has_mesh { error } else { of_part })
            })
        }
    }
}

/// Whether a text begins as a sharding that says its mesh, or needs none.
pub(super) fn is_begin(text: &str) -> bool {
    let own = BEGIN.iter().take_while(|begin| **begin != "[Shard(");
    own.skip(1).any(|begin| text.starts_with(begin))
}

/// Where a sharding begins: XLA's, Shardy's, what JAX and PyTorch print.
#[rustfmt::skip]
const BEGIN: [&str; 27] = [
    "{{", "{devices=", "{replicated", "{maximal", "{manual", "{unreduced", "{unknown", "{mesh[",
    "#sdy.sharding<", "<@", "NamedSharding(", "GSPMDSharding(", "OpShardingSharding(",
    "PositionalSharding(", "SingleDeviceSharding(", "PartitionSpec(", "DTensorSpec(", "[Shard(",
    "(Shard(", "[S(", "(S(", "[_StridedShard(", "(_StridedShard(", "[Replicate(", "(Replicate(",
    "[Partial(", "(Partial(",
];

/// The shardings in a text, each without what is inside of it.
fn parts(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let begin = BEGIN.iter().filter_map(|begin| rest.find(begin));
        let Some(start) = begin.min() else {
            break;
        };
        let rest = &rest[start..];
        let open = rest.find(['{', '<', '(', '[']).unwrap_or(0);
        let close = match rest.as_bytes().get(open) {
            Some(b'{') => '}',
            Some(b'<') => '>',
            Some(b'(') => ')',
            _ => ']',
        };
        let inside = rest[open..].chars().next().unwrap_or(' ');
        let len = balanced(&rest[open..], inside, close).map_or(rest.len(), |all| open + all.len());
        // `GSPMDSharding({devices=…})`
        let is_around = rest[open..].starts_with("({");
        found.extend((!is_around).then_some(&rest[..len]));
        at += start + if is_around { open } else { len };
    }
    found
}

/// The sharding of XLA's, with the array of the instruction or of MLIR's value that has it.
fn xla(text: &str, part: &str, array: Option<DynLayout>) -> Outcome<Pasted> {
    let sharding = read_sharding_prefix(part);
    let (sharding, _) = sharding.map_err(|error| Error::of_text(&error, SHARDING, part))?;
    let array = match array {
        None => beside(text, part)?,
        array => array,
    };
    Ok(Pasted {
        sharding,
        array,
        assumed: Vec::new(),
    })
}

/// The array of a value that has a sharding: `%a: tensor<2x3xf32> {mhlo.sharding = "`, or behind
/// an operation `: tensor<2x3xf32>`; `%a = f32[2,3]{1,0} add(…), sharding=` of HLO.
fn beside(text: &str, part: &str) -> Outcome<Option<DynLayout>> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    let before = &text[..start];
    let behind = &text[start + part.len()..];
    let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
    let array = |shape: &str| crate::read::read(SHARDING, shape, &Given::default()).map(Some);
    let typed = |text: &'_ str, at: usize| balanced(&text[at..], '<', '>').map(str::to_owned);
    if let Some(at) = line.rfind("tensor<")
        && let Some(own) = typed(line, at)
    {
        let between = &line[at + own.len()..];
        if between.trim_start().starts_with('{') {
            return array(&own);
        }
    }
    let rest = behind.lines().next().unwrap_or_default();
    if let Some(own) = rest.find(" : tensor<").and_then(|at| typed(rest, at + 3)) {
        return array(&own);
    }
    // `: (tensor<2x3xf32>) -> tensor<2x3xf32>`
    let operation = rest.split_once(" : (").map_or("", |(_, types)| types);
    let types = operation.match_indices("tensor<");
    let types: Vec<String> = types.filter_map(|(at, _)| typed(operation, at)).collect();
    if let [first, others @ ..] = &types[..]
        && others.iter().all(|other| other == first)
    {
        return array(first);
    }
    match line.rsplit_once("sharding=") {
        Some((shape, _)) if shape.contains('[') => array(shape.trim_end_matches([',', ' '])),
        _ => Ok(None),
    }
}

/// Shardy's text, with its mesh in the text or in `--mesh`.
fn shardy(text: &str, part: &str, array: Option<DynLayout>, mesh: Option<Mesh>) -> Outcome<Pasted> {
    let body = &part[part.find('<').unwrap_or(0)..];
    if !body.ends_with('>') {
        return Err(
            Error::new("this is no sharding of Shardy's: a `>` is missing")
                .at(TextSpan::of_whole(SHARDING, part))
                .help("write `#sdy.sharding<mesh<[\"x\"=2, \"y\"=4]>, [{\"x\"}, {\"y\"}]>`"),
        );
    }
    let inline = match body.strip_prefix("<@") {
        None => body.to_owned(),
        Some(rest) => {
            let name_end = rest.find([',', '>']).unwrap_or(rest.len());
            let name = rest[..name_end].trim();
            format!(
                "<mesh{}{}",
                mesh_named(text, name, mesh)?,
                &rest[name_end..]
            )
        }
    };
    let whole = format!("#sdy.sharding{inline}");
    let named: Result<NamedSharding, _> = whole.parse();
    let named = named.map_err(|error| Error::of_text(&error, SHARDING, &whole))?;
    let array = match array {
        None => beside(text, part)?,
        array => array,
    };
    finish(text, named, array, Vec::new())
}

/// The axes of `sdy.mesh @name = <[…]>`, as Shardy writes them.
fn mesh_named(text: &str, name: &str, given: Option<Mesh>) -> Outcome<String> {
    let own = format!("@{name}");
    let mut declared = text.match_indices(&own);
    let body = declared.find_map(|(at, own)| {
        let behind = text[at + own.len()..].trim_start().strip_prefix('=')?;
        balanced(behind.trim_start(), '<', '>')
    });
    if let Some(body) = body {
        // `<"x"=4>`, as people write it
        let inner = body[1..body.len() - 1].trim();
        if inner.starts_with('"') {
            return Ok(format!("<[{inner}]>"));
        }
        return Ok(body.to_owned());
    }
    let Some(mesh) = given else {
        return Err(Error::new(format_args!(
            "the text does not say the axes of the mesh `@{name}`"
        ))
        .at(TextSpan::of_whole(SHARDING, text))
        .help(
            "paste the line `sdy.mesh @… = <[\"x\"=2, \"y\"=4]>`, too, or give the axes: \
                   `--mesh x=2,y=4`",
        ));
    };
    let axes = mesh.names.iter().zip(&mesh.sizes);
    let axes: Vec<String> = axes
        .map(|(name, size)| format!("\"{name}\"={size}"))
        .collect();
    Ok(format!("<[{}]>", joined(&axes, ", ")))
}

/// The text up to the mark that closes its first one.
fn balanced(text: &str, open: char, close: char) -> Option<&str> {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close && before != '-' {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(&text[..at + close.len_utf8()]);
            }
        }
        before = letter;
    }
    None
}

/// What JAX or PyTorch print.
fn printed_by_python(text: &str, array: Option<DynLayout>, mesh: Option<Mesh>) -> Outcome<Pasted> {
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
        None => mesh,
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
            return Err(wrong(text, &values, "this has no `PartitionSpec`", FORMS));
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

/// JAX's grid of sets of devices, of which each holds one part: `[[{CPU 0, 1} {CPU 2, 3}]]`.
fn positions(text: &str, printed: &Value<'_>, array: Option<DynLayout>) -> Outcome<Pasted> {
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

/// JAX's `PartitionSpec`: for each dimension nothing, an axis, or several.
fn jax(
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

/// PyTorch's placements: for each axis of the mesh, which dimension it cuts.
fn torch(
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

/// The sharding of an array of which the text may name the first dimensions only.
fn finish(
    text: &str,
    mut named: NamedSharding,
    array: Option<DynLayout>,
    assumed: Vec<&'static str>,
) -> Outcome<Pasted> {
    let rank = array.as_ref().map_or(0, ArrayLayout::rank);
    if named.dim_shardings.len() < rank {
        named.dim_shardings.resize(rank, Vec::new());
    }
    let sharding = named.to_sharding().map_err(|error| {
        Error::new(error.message())
            .at(TextSpan::of_whole(SHARDING, text))
            .help(error.help())
    })?;
    Ok(Pasted {
        sharding,
        array,
        assumed,
    })
}

fn counted_axes(count: usize) -> String {
    if count == 1 {
        "one axis".to_owned()
    } else {
        format!("{count} axes")
    }
}

fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    joined(&quoted, ", ")
}
