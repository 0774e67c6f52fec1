//! Reads a module that the TPU compiler printed, and works with the arrays in it.
//!
//! ```sh
//! cargo run --release --example tpu_module [-- [FILE] [--top N]]
//! ```

mod kernel;
mod report;
mod scan;
mod style;
mod trial;

use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use xlayout::{LaidOut, specialize};

use kernel::{DenseLeft, DenseProduct, DenseRight, Left, Product, Right};
use report::{Bytes, grouped};
use scan::Module;
use style::Style;
use trial::{Task, per_step};

const USAGE: &str = "\
usage: tpu_module [FILE] [--top N]

  FILE     the text of a module with layouts, as XLA prints it after compiling;
           without one, examples/data/int8_matmul.v5e.hlo
  --top N  list the N largest arrays (default 12)";

struct Arguments {
    path: PathBuf,
    top: usize,
}

fn main() -> ExitCode {
    let arguments = match arguments(std::env::args().skip(1)) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            eprintln!("error: {message}\n\n{USAGE}");
            return ExitCode::FAILURE;
        }
    };
    let file = File::open(&arguments.path);
    let module = match file.and_then(|file| Module::read(BufReader::new(file))) {
        Ok(module) => module,
        Err(error) => {
            eprintln!("error: cannot read {}: {error}", arguments.path.display());
            return ExitCode::FAILURE;
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    match run(&mut out, &arguments, &module).and_then(|good| out.flush().map(|()| good)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // Whoever read the output has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What the command line asks for; `None` for help.
fn arguments(mut words: impl Iterator<Item = String>) -> Result<Option<Arguments>, String> {
    let mut path = None;
    let mut top = 12;
    while let Some(word) = words.next() {
        match word.as_str() {
            "-h" | "--help" => return Ok(None),
            "--top" => {
                let number = words.next().ok_or("--top needs a number")?;
                top = number.parse().map_err(|_| format!("--top needs a number, not `{number}`"))?;
            }
            option if option.starts_with("--") => return Err(format!("unknown option `{option}`")),
            _ if path.is_some() => return Err(format!("one file at a time: `{word}` is a second one")),
            _ => path = Some(PathBuf::from(word)),
        }
    }
    let path = path.unwrap_or_else(|| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/int8_matmul.v5e.hlo")
    });
    Ok(Some(Arguments { path, top }))
}

/// Answers whether all checks hold.
fn run(out: &mut impl Write, arguments: &Arguments, module: &Module) -> io::Result<bool> {
    let style = Style::for_output();
    let path = arguments.path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(&arguments.path);
    let name = module.name.as_deref().unwrap_or("a module without a name");
    writeln!(out, "{}: {name}, {} lines\n", path.display(), module.lines)?;
    for mistake in &module.first_mistakes {
        let message = mistake.message.replace('\n', "\n  ");
        writeln!(out, "{}:{}:{}:\n  {message}\n", path.display(), mistake.line, mistake.column)?;
    }
    let rest = module.mistakes - module.first_mistakes.len();
    if rest > 0 {
        writeln!(out, "… and {rest} more places that cannot be read\n")?;
    }

    heading(out, style, 1, "The arrays of the module, the largest first")?;
    let bytes = if module.arrays.is_empty() {
        writeln!(out, "  none that has a layout ({} without one)", module.without_layout)?;
        Bytes::default()
    } else {
        writeln!(
            out,
            "  Below each its modes: the digits of a coordinate as size:stride, the fastest first.\n",
        )?;
        report::table(out, style, module, arguments.top)?
    };

    writeln!(out)?;
    heading(out, style, 2, "Three of them, declared in Rust")?;
    let declared = declared(out, module)?;

    let mut sound = true;
    let mut ratios = None;
    if declared {
        writeln!(out)?;
        heading(out, style, 3, "A kernel that is generic over layouts")?;
        ratios = run_kernel(out, style)?;
        sound = ratios.is_some();
    }

    writeln!(out)?;
    writeln!(out, "{}Summary{}", style.strong, style.plain)?;
    summary(out, module, bytes, declared, ratios)?;
    Ok(sound && module.mistakes == 0 && !module.arrays.is_empty())
}

fn heading(out: &mut impl Write, style: Style, number: u32, text: &str) -> io::Result<()> {
    writeln!(out, "{}{number}  {text}{}", style.strong, style.plain)
}

/// Looks for the declared layouts among those of the module; answers whether all three are there.
fn declared(out: &mut impl Write, module: &Module) -> io::Result<bool> {
    let mut times = [0; 3];
    for array in &module.arrays {
        let layout = &array.layout;
        // What was read at run time becomes a type here, if it is the same memory map.
        specialize!(layout, {
            Left => times[0] += array.times * usize::from(layout == Left),
            Right => times[1] += array.times * usize::from(layout == Right),
            Product => times[2] += array.times * usize::from(layout == Product),
            _ => {},
        });
    }
    let names = [("Left", Left.to_string()), ("Right", Right.to_string()), ("Product", Product.to_string())];
    let bytes = [Left.bytes(), Right.bytes(), Product.bytes()];
    for (((name, text), bytes), times) in names.iter().zip(bytes).zip(times) {
        let found = match times {
            0 => "not in this module".to_owned(),
            1 => "found once".to_owned(),
            _ => format!("found {times} times"),
        };
        writeln!(
            out,
            "  {:<52} {:>9} bytes   {found}",
            format!("type {name} = {text};"),
            grouped(bytes as u128),
        )?;
    }
    Ok(times.iter().all(|&times| times > 0))
}

/// Runs the kernel for the module's layouts and for dense ones. The ratios of its time to that of
/// the code by hand, or `None` when a result is wrong.
fn run_kernel(out: &mut impl Write, style: Style) -> io::Result<Option<[f64; 2]>> {
    const SOURCE: &str = include_str!("kernel.rs");
    if let Some((_, code)) = SOURCE.split_once("    for j in C::axis")
        && let Some((code, _)) = code.split_once("\n}\n")
    {
        writeln!(out, "{}      for j in C::axis{}{}", style.faint, code.replace('\n', "\n  "), style.plain)?;
    }
    out.flush()?;
    let task = Task::new();
    let tiled = task.run::<Left, Right, Product>(kernel::matmul, kernel::matmul_by_hand);
    let dense = task.run::<DenseLeft, DenseRight, DenseProduct>(kernel::matmul, kernel::dense_by_hand);
    let (tiled, dense) = match (tiled, dense) {
        (Ok(tiled), Ok(dense)) => (tiled, dense),
        (Err(misfit), _) | (_, Err(misfit)) => {
            writeln!(out, "  error: {misfit}")?;
            return Ok(None);
        }
    };
    writeln!(
        out,
        "\n  {:<50} {:>13} {:>13} {:>7}",
        "ns per multiply-add, medians of turns", "kernel", "by hand", "ratio",
    )?;
    for (text, outcome) in [
        ("tiled row-major × tiled column-major, as in XLA", &tiled),
        ("the same without tiles", &dense),
    ] {
        writeln!(
            out,
            "  {text:<50} {:>13.3} {:>13.3} {:>7.2}",
            per_step(outcome.kernel),
            per_step(outcome.by_hand),
            outcome.ratio(),
        )?;
    }
    let _ = tiled.rounds;
    if cfg!(debug_assertions) {
        writeln!(out, "  (compiled without --release: these times mean nothing)")?;
    }
    let wrong = tiled.wrong + dense.wrong;
    if wrong > 0 {
        writeln!(out, "  error: {wrong} elements differ from the naive product")?;
        return Ok(None);
    }
    writeln!(out, "  All {} elements equal the naive product.", grouped(trial::STEPS as u128 / kernel::INNER as u128))?;
    Ok(Some([tiled.ratio(), dense.ratio()]))
}

fn summary(
    out: &mut impl Write,
    module: &Module,
    bytes: Bytes,
    declared: bool,
    ratios: Option<[f64; 2]>,
) -> io::Result<()> {
    if module.mistakes > 0 {
        writeln!(out, "  FAILED: {} places of the module cannot be read, see above.", module.mistakes)?;
    }
    if module.arrays.is_empty() {
        return writeln!(
            out,
            "  FAILED: there is no array with a layout. Is it the text of a compiled module?",
        );
    }
    writeln!(
        out,
        "  {} distinct arrays read; {:.1}% of their memory is padding.",
        module.arrays.len(),
        bytes.waste(),
    )?;
    match (declared, ratios) {
        (false, _) => writeln!(
            out,
            "  The kernel was left out: it is for modules with the three layouts.",
        ),
        (true, None) => writeln!(out, "  FAILED: the kernel's product is wrong."),
        (true, Some([tiled, dense])) => writeln!(
            out,
            "  One kernel, {tiled:.2} and {dense:.2} of the time of code by hand.",
        ),
    }
}
