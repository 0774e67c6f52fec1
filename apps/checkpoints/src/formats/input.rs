//! The file that is read, and the arrays in it.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use xlayout::shape::{Dim, TileDim, Tiles};
use xlayout::{ArrayLayout, ArrayShape, DynLayout, ElementType, Layout};

use crate::array::{self, Array};
use crate::copy::Sources;
use crate::error::{Error, Outcome, TextSpan};
use crate::formats::contents::{Contents, of_copy, temporary};
use crate::formats::{Format, npy, npz, safetensors, shards};
use crate::positioned::OpenFile;
use crate::store::Store;
use xlayout_words::{alternatives, exact_bytes};

/// What the caller states about the arrays of a file.
#[derive(Clone, Debug)]
pub struct Said {
    /// The type, if the file does not name it.
    pub element_type: Option<ElementType>,
    /// All of a raw file.
    pub layout: Option<DynLayout>,
    /// The text that says it.
    pub place: TextSpan,
}

/// A file, or several that belong together.
#[derive(Debug, Default)]
pub struct Input {
    /// Each array has the number of its file.
    files: Vec<Arc<OpenFile>>,
    /// The arrays of the file.
    pub arrays: Vec<Array>,
    /// The names of those that cannot be read, such as of a type that XLA does not have, and why.
    pub unreadable: BTreeMap<String, Error>,
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
    pub fn open(path: &Path, format: Format, said: Option<&Said>) -> Outcome<Self> {
        if crate::is_standard(path) {
            return Self::of_standard_input(format, said);
        }
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        let (found, file) = opened.map_err(|error| Error::of_file("read", path, &error))?;
        let (what, help) = match found.file_type() {
            found if found.is_dir() => ("it is a folder", "name one file in it"),
            found if !found.is_file() => (
                "it is no regular file",
                "files are read by position: write what comes from a pipe to a file first, or \
                 send it to `-`",
            ),
            _ => return Self::of_file(file, (path, found.len()), format, said),
        };
        let path = path.display();
        Err(Error::file(format_args!("cannot read `{path}`: {what}")).help(help))
    }

    /// The standard input, which cannot be read by position: it is copied to a file without a name
    /// first.
    fn of_standard_input(format: Format, said: Option<&Said>) -> Outcome<Self> {
        let path = Path::new("standard input");
        if std::io::stdin().is_terminal() {
            let what = "the standard input is a terminal, not a file";
            let command = "name a file, or send one: `xlayout convert - OUTPUT … < INPUT`";
            return Err(Error::usage(what).help_in("name a file", command));
        }
        let mut file = temporary()?;
        let length = std::io::copy(&mut std::io::stdin().lock(), &mut file);
        let length = length.map_err(|error| of_copy(path, &error))?;
        Self::of_file(file, (path, length), format, said)
    }

    fn of_file(
        file: File,
        (path, length): (&Path, u64),
        format: Format,
        said: Option<&Said>,
    ) -> Outcome<Self> {
        let file = Arc::new(file);
        let open = OpenFile::new(path.to_owned(), length, Arc::clone(&file) as _);
        let requested = npy::Requested::Caller(said.and_then(|said| said.element_type));
        let all = match format {
            Format::Npz => npz::read(&file, &open, requested)?,
            Format::SafetensorsIndex => {
                let folder = Store::new(path.parent().unwrap_or(Path::new("")))?;
                let mut all = Vec::new();
                shards::read(&folder, &open, |shard| {
                    all.push(shard);
                    Ok(())
                })?;
                all
            }
            Format::Safetensors => vec![safetensors::read(open)?],
            Format::Npy | Format::Raw => {
                let array = match format {
                    Format::Npy => npy::read(&open, requested)?,
                    _ => raw(&open, said)?,
                };
                vec![Contents::of_one(open, array)]
            }
        };
        let mut input = Self::default();
        for (file, contents) in all.into_iter().enumerate() {
            let arrays = contents.arrays.into_iter();
            let arrays = arrays.map(|array| Array { file, ..array });
            input.arrays.extend(arrays);
            input.unreadable.extend(contents.unreadable);
            input.files.push(Arc::new(contents.file));
            if file == 0 {
                input.metadata = contents.metadata;
            }
        }
        Ok(input)
    }
}

/// A file of elements and nothing else.
fn raw(file: &OpenFile, said: Option<&Said>) -> Outcome<Array> {
    let length = file.length;
    let has = exact_bytes(file.length);
    let Some((said, layout)) = said.and_then(|said| Some((said, said.layout.as_ref()?))) else {
        let path = file.path.display();
        let what = format_args!("`{path}` is a raw file: it does not say what is in it");
        let rust = format_args!(
            "give `Input::open` the layout of its {has}: `layout` of `Said` is `Some`"
        );
        let command =
            format_args!("say the shape and the layout of its {has}: --from 'f32[2,3]{{0,1}}'");
        let place = TextSpan::of_whole("", &path);
        let wrong = Error::usage(what).at(place);
        return Err(wrong.help_in(rust, command));
    };
    let needs = layout.bytes() as u64;
    if needs == length {
        return Ok(Array::new(layout.clone(), 0));
    }
    let needed = exact_bytes(needs);
    let takes = format_args!("takes {needed}");
    let wrong = file
        .wrong(format_args!("has {has}"))
        .at(said.place.clone().label(takes));
    Err(wrong.help(match alternatives(&fits(layout, length)) {
        none if none.is_empty() => {
            "nothing was written; look at the shape, or whether the file was cut short".to_owned()
        }
        fit => format!("a file of this length would be {fit}"),
    }))
}

/// The tile of elements of 32 bits on a TPU.
const TPU_TILE: [TileDim; 2] = [TileDim::Size(8), TileDim::Size(128)];

/// Shapes like this one that take `length` bytes: without padding, with another size, with another
/// type.
fn fits(layout: &DynLayout, length: u64) -> Vec<String> {
    use ElementType as P;
    let shape = layout.array_shape();
    let with = |change: &dyn Fn(&mut ArrayShape, &mut Layout)| {
        let mut notation = shape.layout.clone().unwrap_or_default();
        let mut shape = shape.clone();
        change(&mut shape, &mut notation);
        shape.layout = Some(notation);
        DynLayout::new(shape).ok()
    };
    // The same elements without padding, as they are and unpacked.
    let plain = [true, false].map(|packed| {
        with(&|_, notation| {
            let bits = notation.element_size_in_bits * i64::from(packed);
            let plain = Layout::new(notation.minor_to_major.clone());
            *notation = plain.with_element_size_in_bits(bits);
        })
    });
    // The layout on a TPU.
    let tiled = Tiles::from_tiles(&[&TPU_TILE]).ok();
    let tiled = tiled.and_then(|tiles| with(&|_, notation| notation.tiles = tiles.clone()));
    // Another number of rows, or of columns: the least that takes this many bytes.
    let sizes = (0..layout.rank()).filter_map(|dim| {
        let with_size = |size: i64| with(&|shape, _| shape.dims[dim] = Dim::Static(size));
        let mut low = 0;
        let mut high = i64::try_from(length).ok()?.checked_mul(8)?;
        while low < high {
            let middle = low + (high - low) / 2;
            // An array that is too large to be addressed is too large for the file.
            match with_size(middle) {
                Some(found) if (found.bytes() as u64) < length => low = middle + 1,
                _ => high = middle,
            }
        }
        // A size of 0 is not a suggestion.
        if low == 0 { None } else { with_size(low) }
    });
    let types = [P::U8, P::Bf16, P::F16, P::F32, P::F64];
    let types = types.map(|ty| with(&|shape, _| shape.element_type = ty));
    let all = plain.into_iter().chain([tiled]).flatten();
    let all = all.chain(sizes).chain(types.into_iter().flatten());
    let fitting = all.filter(|found| found.bytes() as u64 == length);
    let mut seen = HashSet::new();
    let texts = fitting.map(|found| format!("`{}`", array::text(&found)));
    let texts = texts.filter(|text| seen.insert(text.clone()));
    texts.take(4).collect()
}
