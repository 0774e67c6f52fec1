//! The command line.

use std::time::Duration;

use crate::rivals::NAMES;
use crate::suites::{Drawn, SUITES, suite};
use crate::time::HAS_THREAD_CLOCK;

/// The text of `--help`.
pub(crate) const HELP: &str = "\
Races xlayout-relayout against memcpy and other crates.

cargo run --release --manifest-path benches/race/Cargo.toml -- [OPTIONS] [CASE…]

A CASE is a shape with a layout, an arrow, and the destination's layout:
  'f32[4096,4096]{1,0} -> {0,1}'
  'u16[4096,4096]{1,0} -> {1,0:T(8,128)(2,1)}'
Without one, the cases of a suite run.

  --suite NAME    built-in (36 cases), small (56: 2x2 to 512x512), ttc (the 57 cases of TTC and HPTT),
                  strided (the 12 permutations of Strided.jl), tenferro (15 of tenferro-benchmark,
                  up to rank 24), random (as people have them, of 1 to 64 MiB); built-in unless
                  another one is named
  --seed N        which cases the suite random has (1); the same on each machine
  --cases N       how many (200)
  --list          print the cases of the suite and leave
  --json          print the JSON objects only
  --markdown      print the table and the goals only
  --python EXE    race numpy, torch and XLA through JAX, too: those that are installed for this Python
  --measured MS   race plans that are measured for so many milliseconds, too
  --learn         race plans that do not learn, too, and print what the others learned and what that took
  --rounds N      rounds of measuring; the medians count (at least 9, more for short cases)
  --only A,B      only these, beside memcpy: xlayout, nt_copy, ndarray, mdarray, transpose,
                  strided_kernel, strided_perm, hptt
  --threads N     copy with N threads, where one can; the others are left out
  --thread-time   the processor's time for the thread: for a machine that does other work, too (Linux)
  --large-pages   arrays in large pages, if the system has some (Linux)
  --allocate      allocate the destination for every copy, within its time
  --one-off       make the plan anew for every copy, within its time
  --help          print this and leave

Standard output: one JSON object for each case, then the table of ratios and the goals.
Exit code: 0; 1 when a copy went wrong; 2 when the command line or a case is not valid.
";

/// The options of the command line.
#[derive(Debug, Default)]
pub(crate) struct Options {
    suite: Option<String>,
    drawn: Drawn,
    pub(crate) json: bool,
    pub(crate) markdown: bool,
    pub(crate) python: Option<String>,
    pub(crate) measured: Option<Duration>,
    pub(crate) learn: bool,
    pub(crate) cases: Vec<String>,
    pub(crate) list: bool,
    pub(crate) help: bool,
    pub(crate) rounds: Option<usize>,
    pub(crate) only: Option<Vec<String>>,
    pub(crate) threads: usize,
    pub(crate) one_off: bool,
    pub(crate) allocate: bool,
    pub(crate) thread_time: bool,
    pub(crate) large_pages: bool,
}

impl Options {
    /// Reads the arguments after the program's name.
    pub(crate) fn read(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            threads: 1,
            ..Self::default()
        };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
                _ => (&argument[..], None),
            };
            let mut value = || {
                let value = value.clone().or_else(|| arguments.next());
                value.ok_or_else(|| format!("`{name}` needs a value behind it"))
            };
            match name {
                "--list" => options.list = true,
                "--help" | "-h" => options.help = true,
                "--one-off" => options.one_off = true,
                "--allocate" => options.allocate = true,
                "--thread-time" => options.thread_time = true,
                "--large-pages" => options.large_pages = true,
                "--learn" => options.learn = true,
                "--json" => options.json = true,
                "--markdown" => options.markdown = true,
                "--measured" => {
                    let budget = number(name, &value()?, 100_000)?;
                    options.measured = Some(Duration::from_millis(budget as u64));
                }
                "--python" => options.python = Some(value()?),
                "--suite" => {
                    let name = value()?;
                    if !SUITES.contains(&&name[..]) {
                        let known = SUITES.join(", ");
                        return Err(format!("there is no suite `{name}`; there are: {known}"));
                    }
                    options.suite = Some(name);
                }
                "--seed" => options.drawn.seed = number(name, &value()?, 1 << 30)? as u64,
                "--cases" => options.drawn.cases = number(name, &value()?, 10_000)?,
                "--rounds" => options.rounds = Some(number(name, &value()?, 100_000)?),
                "--threads" => options.threads = number(name, &value()?, 1_024)?,
                "--only" => options.only = Some(names(&value()?)?),
                _ if name.starts_with('-') => {
                    return Err(format!("there is no option `{name}`; `--help` lists them"));
                }
                _ => options.cases.push(argument),
            }
        }
        if options.thread_time && (options.threads > 1 || !HAS_THREAD_CLOCK) {
            return Err("`--thread-time` measures one thread, on Linux".to_owned());
        }
        if options.large_pages && cfg!(not(target_os = "linux")) {
            return Err("`--large-pages` asks Linux for them".to_owned());
        }
        if !options.json && !options.markdown {
            (options.json, options.markdown) = (true, true);
        }
        Ok(options)
    }

    /// The cases that run if none is given.
    pub(crate) fn suite(&self) -> Vec<String> {
        let name = self.suite.as_deref().unwrap_or(SUITES[0]);
        suite(name, self.drawn).unwrap_or_else(|| unreachable!("`read` refuses other names"))
    }

    /// Whether the contestant with this name takes part.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.only
            .as_ref()
            .is_none_or(|only| only.iter().any(|one| one == name))
    }
}

fn number(option: &str, text: &str, most: usize) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(format!(
            "`{option}` takes a number from 1 to {most}, not `{text}`"
        )),
    }
}

fn names(list: &str) -> Result<Vec<String>, String> {
    let names: Vec<String> = list.split(',').map(|name| name.trim().to_owned()).collect();
    for name in &names {
        if !NAMES.contains(&&name[..]) {
            let known = NAMES.join(", ");
            return Err(format!(
                "there is no library `{name}` in the race; there are: {known}"
            ));
        }
    }
    Ok(names)
}
