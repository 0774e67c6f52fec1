//! A folder: the files in it that are HLO text. All others are left out, and one line says how many.

use std::io::Write;
use std::path::Path;

use super::{Findings, Progress, Read, kind, read as read_file};
use crate::failure::{Code, Failure, Outcome};
use crate::words::counted;

/// Reads the modules of a folder, in the sequence of their names. A file that cannot be read goes to `fail`.
///
/// # Errors
/// When the folder cannot be read, or no file in it is HLO text.
pub(super) fn read(
    folder: &Path,
    findings: &mut Findings<'_>,
    progress: &Progress,
    fail: &mut dyn FnMut(Failure),
) -> Outcome {
    let failed = |error| Failure::of_file("read", folder, &error);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    let (mut modules, mut failures, mut others) = (0_u64, 0_u64, 0_u64);
    for path in &paths {
        let about = std::fs::metadata(path);
        let read = match about {
            Ok(about) if about.is_file() => read_file(path, findings, progress),
            // A folder, or a pipe, which would be waited for.
            Ok(_) => {
                others += 1;
                continue;
            }
            Err(error) => Err(Failure::of_file("read", path, &error)),
        };
        match read {
            Ok(Read::Hlo) => modules += 1,
            Ok(Read::Other(_)) => others += 1,
            Err(failure) => {
                failures += 1;
                fail(failure);
            }
        }
        progress.end();
    }
    let shown = folder.display();
    if modules == 0 && failures == 0 {
        let what = match others {
            0 => format!("the folder `{shown}` is empty"),
            _ => format!("no file in the folder `{shown}` is HLO text"),
        };
        return Err(kind::how(Failure::new(Code::File, what)));
    }
    if others > 0 {
        progress.suspend(|| {
            // Where stderr is closed the answer counts all the same.
            let _ = writeln!(
                anstream::stderr(),
                "note: `{shown}`: {} HLO text, {} left out",
                match modules {
                    1 => "1 file is".to_owned(),
                    _ => format!("{} are", counted(modules, "file")),
                },
                match others {
                    1 => "1 other is".to_owned(),
                    _ => format!("{} are", counted(others, "other")),
                }
            );
        });
    }
    Ok(())
}
