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

mod jax;
mod of_python;
mod pasted;
mod shardy;
mod torch;

use xlayout::DynLayout;
use xlayout::interop::Given;
use xlayout::sharding::read_sharding_prefix;

use super::mesh::{MESHES, mesh_of_option};
use super::python::{self, SHARDING};
use crate::error::{Error, Outcome, TextSpan};
use crate::session::printed;
use crate::words::joined;
use of_python::printed_by_python;
pub(super) use pasted::Pasted;
use pasted::{balanced, beside};
use shardy::shardy;

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
