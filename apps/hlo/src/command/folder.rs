//! A folder: the files in it that are modules. All others are skipped, and one line says how many.
//! A file whose name is that of a module but that contains none is an error.
//!
//! `--xla_dump_to` writes many files for each module. Of these, the module after all optimizations
//! is read, once.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::{Error, Findings, Read, without_packing};

use super::console::Console;
use crate::command::words::{counted, grouped};
use xlayout_command::{Failure, Outcome};

/// Reads the modules of a folder, in the sequence of their names. A file that cannot be read goes
/// to `fail`.
///
/// # Errors
/// When the folder cannot be read, or no file in it is HLO text.
pub(super) fn read(
    folder: &Path,
    findings: &mut Findings<'_>,
    console: &Console,
    fail: &mut dyn FnMut(Failure),
) -> Outcome {
    let failed = |error| Failure::of_file("read", folder, &error);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    let all = paths.len();
    only_optimized(&mut paths);
    // Other files of a dump are skipped without reading them.
    let skipped = (all - paths.len()) as u64;
    let mut modules = 0_u64;
    let mut failures = 0_u64;
    let mut others = skipped;
    for path in &paths {
        let about = std::fs::metadata(path);
        let read = match about {
            Ok(about) if about.is_file() => console.read(path, findings),
            // Folders and pipes are skipped. Reading a pipe would block.
            Ok(_) => {
                others += 1;
                continue;
            }
            Err(error) => Err(Failure::of_file("read", path, &error)),
        };
        match read {
            Ok(Read::Hlo(_)) => modules += 1,
            Ok(Read::OutOfMemory(_)) => others += 1,
            Ok(Read::Other(_)) if !says_module(path) => others += 1,
            Ok(Read::Other(error)) => {
                failures += 1;
                fail(error.into());
            }
            Err(failure) => {
                failures += 1;
                fail(failure);
            }
        }
        console.end();
    }
    let shown = folder.display();
    if modules == 0 && failures == 0 {
        let what = match others {
            0 => format!("the folder `{shown}` is empty"),
            _ => format!("no file in the folder `{shown}` is an HLO module"),
        };
        return Err(Error::how(what).into());
    }
    if others > 0 {
        console.suspend(|| {
            // If stderr is closed, the answer is still valid.
            let be = |count| if count == 1 { "is" } else { "are" };
            let left = counted(others, "file");
            let read = grouped(modules);
            let left = format!("{left} {} left out", be(others));
            let read = format!("{read} {} read", be(modules));
            let _ = writeln!(anstream::stderr(), "note: `{shown}`: {left}, {read}");
        });
    }
    Ok(())
}

/// Whether the file is a module by its name. If it contains no module, it is damaged, and is
/// reported.
fn says_module(path: &Path) -> bool {
    let Some(name) = path.file_name() else {
        unreachable!("a file that a folder lists has a name");
    };
    let name = name.to_string_lossy();
    without_packing(&name).ends_with(".hlo.pb") || optimized(path).is_some()
}

/// If the paths contain modules of a dump after all optimizations, keeps only these. Of a module
/// that exists as text and as a proto, keeps the text.
fn only_optimized(paths: &mut Vec<PathBuf>) {
    let stems: Vec<Option<(String, bool)>> = paths.iter().map(|path| optimized(path)).collect();
    if stems.iter().all(Option::is_none) {
        return;
    }
    let texts: HashSet<&String> = stems
        .iter()
        .flatten()
        .filter_map(|(stem, is_text)| is_text.then_some(stem))
        .collect();
    let stays = |stem: &Option<(String, bool)>| match stem {
        Some((stem, is_text)) => *is_text || !texts.contains(stem),
        None => false,
    };
    let mut stays: Vec<bool> = stems.iter().map(stays).collect();
    stays.reverse();
    paths.retain(|_| stays.pop().unwrap_or(false));
}

/// The name of a module after all optimizations without its ending, and whether it is text:
/// `module_0001.jit_f.cpu_after_optimizations`.
fn optimized(path: &Path) -> Option<(String, bool)> {
    let name = without_packing(path.file_name()?.to_str()?);
    let (stem, is_text) = match name.strip_suffix(".hlo.pb") {
        Some(stem) => (stem, false),
        None => (
            name.strip_suffix(".txt").or(name.strip_suffix(".hlo"))?,
            true,
        ),
    };
    stem.ends_with("after_optimizations")
        .then(|| (stem.to_owned(), is_text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_dump_each_module_is_read_once() {
        let kept = |names: &[&str]| -> Vec<String> {
            let mut paths: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
            only_optimized(&mut paths);
            paths
                .iter()
                .map(|path| path.display().to_string())
                .collect()
        };
        let dump = [
            "d/module_0001.jit_f.before_optimizations.txt",
            "d/module_0001.jit_f.cpu_after_optimizations-buffer-assignment.txt",
            "d/module_0001.jit_f.cpu_after_optimizations.hlo.pb",
            "d/module_0001.jit_f.cpu_after_optimizations.txt",
            "d/module_0002.jit_g.sm_9.0_gpu_after_optimizations.hlo.pb.gz",
            "d/module_0003.jit_h.after_optimizations_after_buffer_assignment.txt",
            "d/module_0003.jit_h.after_optimizations.txt.zst",
            "d/notes.md",
        ];
        assert_eq!(kept(&dump), [dump[3], dump[4], dump[6]]);
        let others = ["d/a.hlo", "d/b.txt"];
        assert_eq!(kept(&others), others);
    }
}
