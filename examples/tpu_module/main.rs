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

use std::ffi::OsString;
use std::fmt;
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
    let mut out = BufWriter::new(io::stdout().lock());
    let good = match arguments(std::env::args_os().skip(1)) {
        Ok(None) => writeln!(out, "{USAGE}").map(|()| true),
        Ok(Some(arguments)) => match read(&arguments.path) {
            Ok(module) => run(&mut out, &arguments, &module),
            Err(error) => {
                return fail(format_args!(
                    "cannot read {}: {error}",
                    arguments.path.display()
                ));
            }
        },
        Err(message) => return fail(format_args!("{message}\n\n{USAGE}")),
    };
    match good.and_then(|good| out.flush().map(|()| good)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // Whoever read the output has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => fail(format_args!("cannot write: {error}")),
    }
}

fn fail(message: fmt::Arguments<'_>) -> ExitCode {
    // Where nothing can be said, the exit code says it.
    let _ = writeln!(io::stderr(), "error: {message}");
    ExitCode::FAILURE
}

fn read(path: &Path) -> io::Result<Module> {
    Module::read(BufReader::new(File::open(path)?))
}

/// What the command line asks for; `None` for help.
fn arguments(mut words: impl Iterator<Item = OsString>) -> Result<Option<Arguments>, String> {
    let mut path = None;
    let mut top = 12;
    while let Some(word) = words.next() {
        // A path need not be text.
        match word.to_str() {
            Some("-h" | "--help") => return Ok(None),
            Some("--top") => {
                let number = words.next().unwrap_or_default();
                let number = number.to_string_lossy();
                top = number
                    .parse()
                    .map_err(|_| format!("--top needs a number, found `{number}`"))?;
            }
            Some(option) if option.starts_with("--") => {
                return Err(format!("unknown option `{option}`"));
            }
            _ if path.is_some() => return Err("more than one file".to_owned()),
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
    let path = arguments
        .path
        .strip_prefix(env!("CARGO_MANIFEST_DIR"))
        .unwrap_or(&arguments.path);
    let name = module.name.as_deref().unwrap_or("a module without a name");
    writeln!(
        out,
        "{}xlayout: array layouts as XLA writes them, checked by the Rust compiler{}",
        style.strong, style.plain
    )?;
    writeln!(
        out,
        "Reading {}: {}, {} lines.\n",
        path.display(),
        name.escape_debug(),
        grouped(module.lines as u128)
    )?;
    for mistake in &module.first_mistakes {
        let message = mistake.message.replace('\n', "\n  ");
        writeln!(
            out,
            "{}:{}:{}:\n  {message}\n",
            path.display(),
            mistake.line,
            mistake.column
        )?;
    }
    let rest = module.mistakes - module.first_mistakes.len();
    if rest > 0 {
        writeln!(out, "… and {} more\n", grouped(rest as u128))?;
    }

    heading(out, style, 1, "The arrays of the module, the largest first")?;
    let bytes = if module.arrays.is_empty() {
        writeln!(
            out,
            "   None with a layout, and {} without one.",
            module.without_layout
        )?;
        Bytes::default()
    } else {
        writeln!(
            out,
            "   The line below each says where its elements lie: for each dimension the digits of a\n   \
             coordinate as size:stride, the fastest first.\n",
        )?;
        report::table(out, style, module, arguments.top)?
    };
    if module.without_size > 0 {
        let times = module.without_size;
        writeln!(
            out,
            "   Left out: {times} times an array with a size that only the run time knows."
        )?;
    }

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
            Left => times[0] += array.times,
            Right => times[1] += array.times,
            Product => times[2] += array.times,
            _ => {}
        });
    }
    let declared = [
        ("Left", Left.to_string(), Left.bytes()),
        ("Right", Right.to_string(), Right.bytes()),
        ("Product", Product.to_string(), Product.bytes()),
    ];
    for ((name, layout, bytes), times) in declared.iter().zip(times) {
        let found = match times {
            0 => "not in this module".to_owned(),
            1 => "the module has it once".to_owned(),
            _ => format!("the module has it {times} times"),
        };
        let declaration = format!("type {name} = {layout};");
        writeln!(
            out,
            "   {declaration:<50} {:>9} bytes   {found}",
            grouped(*bytes as u128)
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
        let code = code.replace('\n', "\n    ");
        writeln!(
            out,
            "{}        for j in C::axis{code}{}",
            style.faint, style.plain
        )?;
    }
    writeln!(
        out,
        "   No index is checked while it runs; b[(j, k)] would not compile.\n"
    )?;
    if cfg!(debug_assertions) {
        writeln!(
            out,
            "   (Compiled without --release: it takes a minute, and times mean nothing.)"
        )?;
    }
    out.flush()?;

    let task = Task::new();
    let tiled = task.run::<Left, Right, Product>(kernel::matmul, kernel::matmul_by_hand);
    let dense =
        task.run::<DenseLeft, DenseRight, DenseProduct>(kernel::matmul, kernel::dense_by_hand);
    let (tiled, dense) = match (tiled, dense) {
        (Ok(tiled), Ok(dense)) => (tiled, dense),
        (Err(misfit), _) | (_, Err(misfit)) => {
            writeln!(out, "   error: {misfit}")?;
            return Ok(None);
        }
    };
    writeln!(
        out,
        "{}   {:<52} {:>13} {:>15} {:>13}{}",
        style.strong,
        "nanoseconds for a multiplication and addition",
        "kernel",
        "by hand",
        "ratio",
        style.plain,
    )?;
    for (layouts, outcome) in [
        ("Left × Right, tiled as in the module", &tiled),
        ("dense s8[333,1024]{1,0} × s8[1024,517]{0,1}", &dense),
    ] {
        let (kernel, by_hand) = (per_step(outcome.kernel), per_step(outcome.by_hand));
        let ratio = outcome.ratio();
        writeln!(
            out,
            "   {layouts:<52} {kernel:>13.3} {by_hand:>15.3} {ratio:>13.2}"
        )?;
    }
    let rounds = tiled.rounds.min(dense.rounds);
    writeln!(
        out,
        "   (Medians of {rounds} runs or more, in turns. By hand: shifts and masks, for these layouts only.)"
    )?;
    let wrong = tiled.wrong + dense.wrong;
    if wrong > 0 {
        writeln!(
            out,
            "   error: {wrong} elements differ from the naive product"
        )?;
        return Ok(None);
    }
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
        let places = if module.mistakes == 1 {
            "place"
        } else {
            "places"
        };
        let count = grouped(module.mistakes as u128);
        writeln!(
            out,
            "   FAILED: {count} {places} of the file cannot be read; see above."
        )?;
    }
    if module.arrays.is_empty() {
        return writeln!(
            out,
            "   FAILED: no array with a layout. Is this the text of a compiled module?",
        );
    }
    let (arrays, waste) = (module.arrays.len(), bytes.waste());
    writeln!(
        out,
        "   Read {arrays} distinct arrays; {waste:.1}% of their memory is padding."
    )?;
    match (declared, ratios) {
        (false, _) => writeln!(
            out,
            "   The kernel was left out: it is for modules with all three declared layouts.",
        ),
        (true, None) => writeln!(out, "   FAILED: the product of the kernel is wrong."),
        (true, Some(_)) if cfg!(debug_assertions) => {
            writeln!(
                out,
                "   The kernel gave the naive product; --release tells how fast it is."
            )
        }
        (true, Some([tiled, dense])) => writeln!(
            out,
            "   The three declared layouts are the module's. The kernel, written once, gave all {}\n   \
             elements of the naive product in both sets of layouts, in {tiled:.2} and {dense:.2} of the time of\n   \
             code by hand.",
            grouped((kernel::ROWS * kernel::COLUMNS) as u128),
        ),
    }
}
