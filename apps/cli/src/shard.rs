//! `xlayout shard`: which device holds which part, and what moves between two shardings.

use std::io::Write;
use std::path::PathBuf;

use xlayout_command::files::{is_stdout, write};
use xlayout_command::json::print;
use xlayout_command::{Failure, Outcome, table};
use xlayout_view::{Moves, ShardedArray};

use crate::picture::palette;
use crate::shape;

/// The arguments of `xlayout shard`.
#[derive(clap::Args, Debug)]
pub(crate) struct ShardArguments {
    #[command(subcommand)]
    operation: ShardOperation,

    /// The axes of the mesh, for a sharding that does not say them: `x=2,y=4`
    #[arg(long, value_name = "AXES", global = true)]
    mesh: Option<String>,
}

#[derive(Debug, clap::Subcommand)]
enum ShardOperation {
    /// What each device holds
    Explain {
        #[command(flatten)]
        array: Array,
        #[command(flatten)]
        rows: Rows,
        /// Answer in JSON, with all parts
        #[arg(long)]
        json: bool,
    },
    /// The array with its parts, in the colours of their devices
    Draw {
        #[command(flatten)]
        array: Array,
        #[command(flatten)]
        file: File,
    },
    /// What each device receives when A becomes B; exit code 1 if anything moves
    Diff {
        /// A sharding, in quotes
        #[arg(value_name = "A")]
        a: String,
        /// Another one of the same array
        #[arg(value_name = "B")]
        b: String,
        /// The array, unless A and B say it: 'f32[1024,512]'
        #[arg(value_name = "SHAPE")]
        shape: Option<String>,
        #[command(flatten)]
        rows: Rows,
        /// Answer in JSON, with all devices
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        file: File,
    },
}

/// A sharding of an array.
#[derive(clap::Args, Debug)]
struct Array {
    /// The sharding, in quotes: XLA's, Shardy's, JAX's or PyTorch's; `-` is the standard input
    #[arg(value_name = "SHARDING")]
    sharding: String,

    /// The array, unless the sharding's text says it: 'f32[1024,512]'
    #[arg(value_name = "SHAPE")]
    shape: Option<String>,
}

/// The file of a picture.
#[derive(clap::Args, Debug)]
struct File {
    /// Write the picture to this file as SVG; `-` is stdout
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Replace FILE if it exists
    #[arg(long, requires = "svg")]
    force: bool,
}

/// How many rows of a table are shown.
#[derive(clap::Args, Debug)]
struct Rows {
    /// The number of parts or devices that are shown, or `all`
    #[arg(long, value_name = "N", default_value = "32", value_parser = table::top)]
    top: usize,
}

pub(crate) fn run(arguments: &ShardArguments, out: &mut dyn Write) -> Outcome {
    let mesh = arguments.mesh.as_deref();
    let read = |array: &Array| -> Outcome<ShardedArray> {
        let text = shape::text("SHARDING", &array.sharding)?;
        Ok(ShardedArray::read(&text, array.shape.as_deref(), mesh)?)
    };
    match &arguments.operation {
        ShardOperation::Explain { array, rows, json } => {
            let sharded = read(array)?;
            explain(&sharded, rows.top, *json, out)
        }
        ShardOperation::Draw { array, file } => {
            let sharded = read(array)?;
            if let Some(path) = &file.svg {
                return write(path, &sharded.to_svg(), "parts.svg", file.force, out);
            }
            let drawn = sharded.picture_text(table::width(), palette::of_stdout());
            Ok(out.write_all(drawn.styled().as_bytes())?)
        }
        ShardOperation::Diff {
            a,
            b,
            shape,
            rows,
            json,
            file,
        } => {
            let shape = shape.as_deref();
            let a = ShardedArray::read(a, shape, mesh)?;
            let b = ShardedArray::read(b, shape, mesh)?;
            let moves = Moves::between(a, b)?;
            diff(&moves, rows.top, *json, file, out)?;
            if moves.nothing_moves() {
                return Ok(());
            }
            out.flush()?;
            Err(Failure::answer_is_no())
        }
    }
}

fn diff(moves: &Moves, most: usize, json: bool, file: &File, out: &mut dyn Write) -> Outcome {
    if let Some(path) = &file.svg {
        write(path, &moves.to_svg(), "both.svg", file.force, out)?;
        if is_stdout(path) {
            return Ok(());
        }
    }
    if json {
        return Ok(print(out, &moves.to_json())?);
    }
    let width = table::width();
    out.write_all(moves.to_text(width, most).styled().as_bytes())?;
    if file.svg.is_none() {
        let drawn = moves.picture_text(width, palette::of_stdout());
        write!(out, "\n{}", drawn.styled())?;
    }
    Ok(())
}

/// Says what each device holds; `xlayout explain` of a sharding does, too.
pub(crate) fn explain(
    sharded: &ShardedArray,
    most: usize,
    json: bool,
    out: &mut dyn Write,
) -> Outcome {
    if json {
        return Ok(print(out, &sharded.to_json())?);
    }
    let text = sharded.to_text(table::width(), most);
    Ok(out.write_all(text.styled().as_bytes())?)
}
