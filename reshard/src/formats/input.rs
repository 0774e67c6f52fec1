//! The file that is read, and the arrays in it.

use std::fs::File;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use xlayout::shape::{Dim, TileDim, Tiles};
use xlayout::{ArrayLayout, ArrayShape, DynLayout, Layout, PrimitiveType};

use crate::array::{self, Array};
use crate::copy::Sources;
use crate::error::{Error, Outcome, TextSpan};
use crate::formats::{Format, npy, npz, safetensors, shards};
use crate::known::Known;
use crate::positioned::OpenFile;
use crate::words::{alternatives, exact_bytes};

/// A file, or several that belong together.
#[derive(Debug)]
pub struct Input {
    /// An array says which of them it is in.
    pub(crate) files: Vec<Arc<OpenFile>>,
    /// What the file holds.
    pub arrays: Vec<Array>,
    /// Of a safetensors file.
    pub metadata: Vec<(String, String)>,
}

impl Sources for Input {
    fn file(&self, number: usize) -> Outcome<Arc<OpenFile>> {
        Ok(Arc::clone(&self.files[number]))
    }
}

impl Input {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// When it cannot be opened, is not what its format says, or has another length.
    pub fn open(path: &Path, format: Format, from: Option<&dyn Known>) -> Outcome<Self> {
        if crate::is_standard(path) {
            return Self::of_standard_input(format, from);
        }
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        let (found, file) = opened.map_err(|error| Error::of_file("read", path, &error))?;
        let (what, help) = match found.file_type() {
            found if found.is_dir() => ("it is a folder", "name one file in it"),
            found if !found.is_file() => (
                "it is no regular file",
                "files are read by position: write what comes from a pipe to a file first, or send it to `-`",
            ),
            _ => return Self::of_file(file, (path, found.len()), format, from),
        };
        let path = path.display();
        Err(Error::file(format_args!("cannot read `{path}`: {what}")).help(help))
    }

    /// The standard input, which cannot be read by position: it is copied to a file without a name first.
    fn of_standard_input(format: Format, from: Option<&dyn Known>) -> Outcome<Self> {
        let path = Path::new("standard input");
        if std::io::stdin().is_terminal() {
            let what = "the standard input is a terminal, not a file";
            let help = "name a file, or send one: `xlayout convert - OUTPUT … < INPUT`";
            return Err(Error::usage(what).help(help));
        }
        let mut file = temporary()?;
        let length = std::io::copy(&mut std::io::stdin().lock(), &mut file);
        let length = length.map_err(|error| Error::of_file("read", path, &error))?;
        Self::of_file(file, (path, length), format, from)
    }

    fn of_file(
        file: File,
        (path, length): (&Path, u64),
        format: Format,
        from: Option<&dyn Known>,
    ) -> Outcome<Self> {
        let file = Arc::new(file);
        let open = OpenFile::new(path.to_owned(), length, Arc::clone(&file) as _);
        let asked = from.and_then(Known::element_type);
        let mut metadata = Vec::new();
        let arrays = match format {
            Format::Npz => return npz::read(&file, &open, asked),
            Format::SafetensorsIndex => return shards::read(&open),
            Format::Npy => {
                let array = npy::read(&open, asked)?;
                from.map_or(Ok(()), |from| from.check(&array.layout))?;
                vec![array]
            }
            Format::Safetensors => {
                let (arrays, found) = safetensors::read(&open)?;
                metadata = found;
                arrays
            }
            Format::Raw => vec![raw(path, length, from)?],
        };
        Ok(Self {
            files: vec![Arc::new(open)],
            arrays,
            metadata,
        })
    }
}

/// A file without a name, which is gone when it is closed.
pub(crate) fn temporary() -> Outcome<File> {
    tempfile::tempfile().map_err(|error| Error::of_file("write", &std::env::temp_dir(), &error))
}

/// A file of elements and nothing else.
fn raw(path: &Path, length: u64, from: Option<&dyn Known>) -> Outcome<Array> {
    let (path, has) = (path.display(), exact_bytes(length));
    let Some(from) = from else {
        let what = format_args!("`{path}` is a raw file: it does not say what is in it");
        let help =
            format_args!("say the shape and the layout of its {has}: --from 'f32[2,3]{{0,1}}'");
        let place = TextSpan::of_whole("", &path);
        return Err(Error::usage(what).at(place).help(help));
    };
    let layout = from.full()?;
    let needs = layout.bytes() as u64;
    if needs != length {
        let place = (from.whole()).label(format_args!("takes {}", exact_bytes(needs)));
        let help = match alternatives(&fits(&layout, length)) {
            none if none.is_empty() => {
                "nothing was written; look at the shape, or whether the file was cut short"
                    .to_owned()
            }
            fit => format!("a file of this length would be {fit}"),
        };
        return Err(Error::file(format_args!("`{path}` has {has}"))
            .at(place)
            .help(help));
    }
    Ok(Array::new(layout, 0))
}

/// The tile of elements of 32 bits on a TPU.
const TPU_TILE: [TileDim; 2] = [TileDim::Size(8), TileDim::Size(128)];

/// Shapes like this one that take `length` bytes: without padding, with another size, with another type.
fn fits(layout: &DynLayout, length: u64) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut offer = |candidate: Option<DynLayout>| {
        if let Some(candidate) = candidate.filter(|candidate| candidate.bytes() as u64 == length) {
            let text = format!("`{}`", array::text(&candidate));
            if !found.contains(&text) {
                found.push(text);
            }
        }
    };
    let shape = layout.array_shape();
    let of = |change: &dyn Fn(&mut ArrayShape)| {
        let mut shape = shape.clone();
        change(&mut shape);
        DynLayout::new(shape).ok()
    };
    let notation = shape.layout.clone().unwrap_or_default();
    // The same elements without padding, then unpacked.
    for bits in [notation.element_size_in_bits, 0] {
        let plain = Layout::new(notation.minor_to_major.clone());
        let plain = plain.with_element_size_in_bits(bits);
        offer(of(&|shape| shape.layout = Some(plain.clone())));
    }
    // As a TPU has it.
    if let Ok(tiles) = Tiles::from_tiles(&[&TPU_TILE]) {
        let mut tiled = notation.clone();
        tiled.tiles = tiles;
        offer(of(&|shape| shape.layout = Some(tiled.clone())));
    }
    // Another number of rows, or of columns: as many as fit, if any number does.
    for dim in 0..layout.rank() {
        offer(with_size(layout, dim, length));
    }
    use PrimitiveType as P;
    for element_type in [P::U8, P::Bf16, P::F16, P::F32, P::F64] {
        offer(of(&|shape| shape.element_type = element_type));
    }
    found.truncate(4);
    found
}

/// The array with the least size of dimension `dim` that takes at least `length` bytes.
fn with_size(layout: &DynLayout, dim: usize, length: u64) -> Option<DynLayout> {
    let of = |size: i64| {
        let mut shape = layout.array_shape().clone();
        *shape.dims.get_mut(dim)? = Dim::Static(size);
        DynLayout::new(shape).ok()
    };
    let (mut low, mut high) = (0, i64::try_from(length).ok()?.checked_mul(8)?);
    while low < high {
        let middle = low + (high - low) / 2;
        // What is too large to be addressed is too large for the file.
        match of(middle) {
            Some(candidate) if (candidate.bytes() as u64) < length => low = middle + 1,
            _ => high = middle,
        }
    }
    // A size of 0 does not help.
    if low == 0 { None } else { of(low) }
}
