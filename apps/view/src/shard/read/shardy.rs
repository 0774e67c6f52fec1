//! Shardy's text, whose mesh stands apart from it.

use xlayout::DynLayout;
use xlayout::sharding::NamedSharding;

use super::pasted::{Pasted, balanced, beside, finish};
use crate::error::{Error, Outcome, TextSpan};
use crate::shard::mesh::Mesh;
use crate::shard::python::SHARDING;
use crate::words::joined;

/// Shardy's text, with its mesh in the text or in `--mesh`.
pub(super) fn shardy(
    text: &str,
    part: &str,
    array: Option<DynLayout>,
    mesh: Option<Mesh>,
) -> Outcome<Pasted> {
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
