//! What XLA itself assigned: `*-buffer-assignment.txt` and `*-memory-usage-report.txt`, which
//! `--xla_dump_to` writes beside a module.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::kind;
use crate::proto;
use crate::unpack::{peeked, unpacked, without_packing};

/// The bytes that XLA allocates in each memory space.
pub(crate) struct Assignment {
    /// The file that contains them.
    pub(crate) file: PathBuf,
    pub(crate) spaces: BTreeMap<i8, u128>,
}

/// The largest length of a line without the shape at its end, which is not needed.
const LINE: u64 = 64 << 10;

const DAMAGED: &str = "the file may be damaged; without it, xlayout counts itself what is alive";

/// Returns the assignment beside a module, if there is one.
///
/// # Errors
/// If it cannot be read, or is damaged.
pub(super) fn beside(module: &Path) -> Result<Option<Assignment>, Error> {
    let kinds: [(&str, Reader); 2] = [
        ("-buffer-assignment.txt", allocation),
        ("-memory-usage-report.txt", report),
    ];
    if let Some(stem) = stem(module) {
        for (end, reader) in kinds {
            let file = module.with_file_name(format!("{stem}{end}"));
            if file.is_file() {
                return read(&file, reader).map(Some);
            }
        }
    }
    in_proto(module)
}

/// Returns the assignment that a proto itself contains. Its first bytes show whether the file is a
/// proto, as where the module is read.
fn in_proto(module: &Path) -> Result<Option<Assignment>, Error> {
    // Standard input and pipes have already been read to the end.
    if !module.is_file() {
        return Ok(None);
    }
    let failed = |error: io::Error| Error::of_file(module, error);
    let input = unpacked(File::open(module).map_err(failed)?).map_err(failed)?;
    let (first, input) = peeked(input, kind::LOOKED_AT).map_err(failed)?;
    if !kind::may_be_proto(&first) {
        return Ok(None);
    }
    let spaces = proto::assigned(input).map_err(failed)?;
    Ok(spaces.map(|spaces| Assignment {
        file: module.to_owned(),
        spaces,
    }))
}

/// The name of a module's file without the endings for its format.
fn stem(module: &Path) -> Option<&str> {
    let name = without_packing(module.file_name()?.to_str()?);
    [".hlo.pb", ".pb", ".txt", ".hlo"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .filter(|stem| !stem.is_empty())
}

/// Adds a line to the sums. The error says what is missing.
type Reader = fn(&str, &mut Sums) -> Result<(), &'static str>;

#[derive(Default)]
struct Sums {
    spaces: BTreeMap<i8, u128>,
    /// The space to which the next total belongs.
    space: Option<i8>,
}

fn read(file: &Path, reader: Reader) -> Result<Assignment, Error> {
    let failed = |error: io::Error| Error::of_file(file, error);
    let mut input = BufReader::new(File::open(file).map_err(failed)?);
    let mut sums = Sums::default();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let mut part = input.by_ref().take(LINE);
        let length = part.read_until(b'\n', &mut line).map_err(failed)?;
        if length == 0 {
            break;
        }
        if !line.ends_with(b"\n") && length as u64 == LINE {
            // Skip the rest of a long shape.
            input.skip_until(b'\n').map_err(failed)?;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        reader(text, &mut sums).map_err(|missing| {
            let shown = xlayout_words::shortened(text, 72);
            Error {
                line: Some(Box::new((file.to_owned(), number, shown))),
                ..Error::new(format_args!("{missing} in what XLA assigned")).help(DAMAGED)
            }
        })?;
    }
    if sums.spaces.is_empty() {
        let message = format!("`{}` assigns no memory", file.display());
        return Err(Error::new(message).help(DAMAGED));
    }
    Ok(Assignment {
        file: file.to_owned(),
        spaces: sums.spaces,
    })
}

/// `allocation 14: size 8, color 2, page 0, preallocated-temp:`
fn allocation(line: &str, sums: &mut Sums) -> Result<(), &'static str> {
    let Some(rest) = line.strip_prefix("allocation ") else {
        return Ok(());
    };
    let parts = rest.split_once(": ").map(|(_, parts)| parts).unwrap_or("");
    // The shape of a parameter follows all numbers, and contains commas.
    let numbers = parts.split('|').next().unwrap_or("");
    let number = |name: &str| {
        numbers
            .split(", ")
            .find_map(|part| part.strip_prefix(name)?.strip_prefix(' '))
    };
    let size = number("size").and_then(|size| size.trim_end_matches(':').parse::<u64>().ok());
    let size = size.ok_or("an allocation has no size")?;
    let space = match number("color") {
        None => 0,
        Some(color) => color
            .trim_end_matches(':')
            .parse()
            .map_err(|_| "an allocation has a memory space that is no number from -128 to 127")?,
    };
    *sums.spaces.entry(space).or_default() += u128::from(size);
    Ok(())
}

/// `Memory Space: vmem (color=1)`, and below it `Total bytes: 2265088 (2.16MiB)`.
fn report(line: &str, sums: &mut Sums) -> Result<(), &'static str> {
    if line.starts_with("Memory Space: ") {
        let color = line.rsplit_once("(color=");
        let color = color.and_then(|(_, color)| color.strip_suffix(')')?.parse().ok());
        sums.space = Some(color.ok_or("a memory space has no number")?);
    }
    if let Some(total) = line.strip_prefix("Total bytes: ") {
        let bytes = total
            .split(' ')
            .next()
            .map(str::parse::<u64>)
            .and_then(Result::ok);
        let bytes = bytes.ok_or("a total is no number of bytes")?;
        let space = sums.space.take().ok_or("a total has no memory space")?;
        *sums.spaces.entry(space).or_default() += u128::from(bytes);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(reader: Reader, text: &str) -> Result<Vec<(i8, u128)>, &'static str> {
        let mut sums = Sums::default();
        for line in text.lines() {
            reader(line, &mut sums)?;
        }
        Ok(sums.spaces.into_iter().collect())
    }

    #[test]
    fn allocations_are_summed_for_each_space() {
        let text = "BufferAssignment:\n\
            allocation 0: size 512, page 0, thread-local:\n \
            value: <2 add @0> (size=512,offset=0): f32[]{:T(128)}\n\
            allocation 1: size 983040, page 0, parameter 0, shape |f32[384,640]| at ShapeIndex {}:\n\
            allocation 2: size 8, color 2, page 0, preallocated-temp:\n\
            allocation 3: size 4, constant:\n";
        assert_eq!(sums(allocation, text), Ok(vec![(0, 983_556), (2, 8)]));
        assert!(sums(allocation, "allocation 0: size x, constant:").is_err());
        assert!(sums(allocation, "allocation 0: size 5, color 300:").is_err());
        assert!(sums(allocation, "allocation 7").is_err());
    }

    #[test]
    fn a_report_names_its_spaces() {
        let text = "Memory Space: default (color=0)\nTotal bytes: 2720768 (2.59MiB)\n\n\
            Memory Space: vmem (color=1)\nTotal bytes: 2265088 (2.16MiB)\n";
        assert_eq!(sums(report, text), Ok(vec![(0, 2_720_768), (1, 2_265_088)]));
        assert!(sums(report, "Total bytes: 12").is_err());
        assert!(sums(report, "Memory Space: x").is_err());
    }

    #[test]
    fn the_name_of_a_module_says_where_its_assignment_is() {
        for (module, expected) in [
            ("d/m.after_optimizations.txt", Some("m.after_optimizations")),
            ("d/m.hlo.pb.gz", Some("m")),
            ("d/m.hlo", Some("m")),
            ("d/m.pb.zst", Some("m")),
            ("d/.txt", None),
            ("d/m.json", None),
        ] {
            assert_eq!(stem(Path::new(module)), expected);
        }
    }
}
