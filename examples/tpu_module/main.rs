//! Takes the layouts of a matrix product from a module that the TPU compiler printed, and runs a
//! kernel over them that is written once for all layouts.
//!
//! ```sh
//! cargo run --release --example tpu_module
//! ```
//!
//! The whole module, with what its padding costs, is listed by the program `xlayout hlo` in `cli/`.

mod kernel;
mod module;
mod style;
mod trial;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use xlayout::{ArrayLayout, DynLayout, specialize};

use kernel::{DenseLeft, DenseProduct, DenseRight, Left, Product, Right};
use module::Entry;
use style::Style;
use trial::{Outcome, Task, per_step};

/// The module, from the root of the project on.
const FILE: &str = "examples/data/int8_matmul.v5e.hlo";

fn main() -> ExitCode {
    if std::env::args_os().len() > 1 {
        return fail(format_args!(
            "this example takes no arguments; \
             `cargo run --manifest-path apps/Cargo.toml -- hlo FILE` reads any module"
        ));
    }
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(FILE);
    let entry = match Entry::of_file(&path) {
        Ok(entry) => entry,
        Err(message) => return fail(format_args!("cannot read {FILE}: {message}")),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    match run(&mut out, &entry).and_then(|good| out.flush().map(|()| good)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // The reader of the output has closed it.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => fail(format_args!("cannot write: {error}")),
    }
}

fn fail(message: std::fmt::Arguments<'_>) -> ExitCode {
    // Where nothing can be said, the exit code says it.
    let _ = writeln!(io::stderr(), "error: {message}");
    ExitCode::FAILURE
}

/// Answers whether all checks hold.
fn run(out: &mut impl Write, entry: &Entry) -> io::Result<bool> {
    let style = Style::for_output();
    let Style { strong, plain, .. } = style;
    writeln!(
        out,
        "{strong}1  What {FILE} takes and gives, as types{plain}"
    )?;
    let names: Vec<_> = entry
        .parameters
        .iter()
        .chain([&entry.result])
        .map(name)
        .collect();
    for (layout, name) in entry.parameters.iter().chain([&entry.result]).zip(&names) {
        declaration(out, layout, *name)?;
    }
    if names != [Some("Left"), Some("Right"), Some("Product")] {
        writeln!(
            out,
            "   FAILED: these are not the three that kernel.rs declares."
        )?;
        return Ok(false);
    }

    writeln!(
        out,
        "\n{strong}2  A kernel that is generic over layouts{plain}"
    )?;
    source(out, style)?;
    // The rest takes seconds.
    out.flush()?;
    let task = Task::new();
    let tiled = task.run::<Left, Right, Product>(kernel::matmul, kernel::matmul_by_hand);
    let dense =
        task.run::<DenseLeft, DenseRight, DenseProduct>(kernel::matmul, kernel::dense_by_hand);
    match (tiled, dense) {
        (Ok(tiled), Ok(dense)) => times(out, style, &tiled, &dense),
        (Err(layout_error), _) | (_, Err(layout_error)) => {
            writeln!(out, "   FAILED: {layout_error}")?;
            Ok(false)
        }
    }
}

/// Which of the declared types a layout is that was read just now: what is known at run time
/// becomes a type here.
fn name(layout: &DynLayout) -> Option<&'static str> {
    specialize!(layout, {
        Left => Some("Left"),
        Right => Some("Right"),
        Product => Some("Product"),
        _ => None,
    })
}

fn declaration(out: &mut impl Write, layout: &DynLayout, name: Option<&str>) -> io::Result<()> {
    let line = format!("type {} = {layout};", name.unwrap_or("?"));
    let padding = 100.0 * layout.padding() as f64 / layout.buffer_len().max(1) as f64;
    let kib = layout.bytes() / 1024;
    writeln!(out, "   {line:<50} {kib:>5} KiB, {padding:>4.1}% padding")
}

/// Shows the loops of the kernel as they are in its file.
fn source(out: &mut impl Write, style: Style) -> io::Result<()> {
    const SOURCE: &str = include_str!("kernel.rs");
    let Style { faint, plain, .. } = style;
    for (name, first) in [
        ("matmul", "    let (a, b)"),
        ("multiply", "    let mut sums"),
    ] {
        let loops = SOURCE
            .split_once(first)
            .and_then(|(_, code)| code.split_once("\n}\n"));
        let Some((loops, _)) = loops else {
            unreachable!("kernel.rs has this function")
        };
        let loops = format!("{first}{loops}").replace('\n', "\n   ");
        writeln!(out, "   {faint}fn {name}\n   {loops}{plain}")?;
    }
    writeln!(
        out,
        "   No index is checked in a whole block; b[(j, k)] would not compile."
    )
}

/// Answers whether every element is right.
fn times(out: &mut impl Write, style: Style, tiled: &Outcome, dense: &Outcome) -> io::Result<bool> {
    let Style { strong, plain, .. } = style;
    writeln!(
        out,
        "\n{strong}   {:<44} {:>8} {:>9} {:>7}{plain}",
        "nanoseconds a multiplication and addition", "kernel", "by hand", "ratio"
    )?;
    for (layouts, outcome) in [
        ("in the module's tiles", tiled),
        ("the same arrays dense", dense),
    ] {
        let kernel = per_step(outcome.kernel);
        let by_hand = per_step(outcome.by_hand);
        let ratio = outcome.ratio();
        writeln!(
            out,
            "   {layouts:<44} {kernel:>8.3} {by_hand:>9.3} {ratio:>7.2}"
        )?;
    }
    let dense_by_hand = tiled.kernel.as_secs_f64() / dense.by_hand.as_secs_f64();
    writeln!(
        out,
        "   The kernel in the module's tiles takes {dense_by_hand:.2} of the time of the dense arrays by hand."
    )?;
    if cfg!(debug_assertions) {
        writeln!(out, "   (Without --release these times mean nothing.)")?;
    }
    let elements = kernel::ROWS * kernel::COLUMNS;
    let wrong = tiled.wrong + dense.wrong;
    let rounds = tiled.rounds.min(dense.rounds);
    match wrong {
        0 => writeln!(
            out,
            "   By hand: shifts and masks, for one layout only. Medians of {rounds} runs or more, in turns.\n   \
             All {elements} elements are those of the naive product.",
        )?,
        _ => writeln!(
            out,
            "   FAILED: {wrong} elements differ from the naive product."
        )?,
    }
    writeln!(
        out,
        "\nThe whole module, with what its padding costs: \
         cargo run --manifest-path apps/Cargo.toml -- hlo {FILE}"
    )?;
    Ok(wrong == 0)
}
