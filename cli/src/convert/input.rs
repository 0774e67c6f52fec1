//! The file that is read, and the arrays in it.

use std::fs::File;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use xlayout::shape::{Dim, TileDim, Tiles};
use xlayout::{ArrayLayout, DynLayout, PrimitiveType};

use super::arrays::{self, Array};
use super::ask::Ask;
use super::copy::Named;
use super::positioned::Contents;
use super::{Format, npy, npz, safetensors, shards};
use crate::failure::{Code, Failure, Outcome, TextSpan};
use crate::words;

pub(super) struct Input {
    /// An array says which of them it is in.
    files: Vec<(File, PathBuf)>,
    pub(super) arrays: Vec<Array>,
    /// Of a safetensors file.
    pub(super) metadata: Vec<(String, String)>,
}

impl Input {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// When it cannot be opened, is not what its format says, or has another length.
    pub(super) fn open(path: &Path, format: Format, from: Option<(&Ask, &str)>) -> Outcome<Self> {
        if super::is_standard(path) {
            return Self::of_standard_input(format, from);
        }
        let failed = |error: &std::io::Error| Failure::of_file("read", path, error);
        let file = File::open(path).map_err(|error| failed(&error))?;
        let found = file.metadata().map_err(|error| failed(&error))?;
        let wrong = |what: &str| {
            Failure::new(
                Code::File,
                format_args!("cannot read `{}`: {what}", path.display()),
            )
        };
        if found.is_dir() {
            return Err(wrong("it is a folder").help("name one file in it"));
        }
        if !found.is_file() {
            return Err(wrong("it is no regular file")
                .help("files are read by position: write what comes from a pipe to a file first, or send it to `-`"));
        }
        Self::of_file(file, path, found.len(), format, from)
    }

    /// The standard input, which cannot be read by position: it is copied to a file without a name first.
    fn of_standard_input(format: Format, from: Option<(&Ask, &str)>) -> Outcome<Self> {
        let path = Path::new("standard input");
        if std::io::stdin().is_terminal() {
            return Err(
                Failure::new(Code::Usage, "the standard input is a terminal, not a file")
                    .help("name a file, or send one: `xlayout convert - OUTPUT … < INPUT`"),
            );
        }
        let mut file = tempfile::tempfile().map_err(|error| {
            let folder = std::env::temp_dir();
            Failure::of_file("write", &folder, &error)
        })?;
        let length = std::io::copy(&mut std::io::stdin().lock(), &mut file)
            .map_err(|error| Failure::of_file("read", path, &error))?;
        Self::of_file(file, path, length, format, from)
    }

    fn of_file(
        file: File,
        path: &Path,
        length: u64,
        format: Format,
        from: Option<(&Ask, &str)>,
    ) -> Outcome<Self> {
        let contents = Contents {
            bytes: &file,
            length,
            path,
        };
        let (files, arrays, metadata) = match format {
            Format::Npz => {
                let npz::Arrays { arrays, unpacked } =
                    npz::read(&file, path, length, from.map(|from| from.0))?;
                let mut files = vec![(file, path.to_owned())];
                files.extend(unpacked.map(|unpacked| (unpacked, path.to_owned())));
                (files, arrays, Vec::new())
            }
            Format::SafetensorsIndex => {
                let all = shards::read(&file, path)?;
                (all.files, all.arrays, all.metadata)
            }
            Format::Npy | Format::Raw | Format::Safetensors => {
                let (arrays, metadata) = read(contents, format, from)?;
                (vec![(file, path.to_owned())], arrays, metadata)
            }
        };
        Ok(Self {
            files,
            arrays,
            metadata,
        })
    }

    /// The file of this number.
    pub(super) fn named(&self, number: usize) -> Named<'_> {
        let (file, path) = &self.files[number];
        Named { file, path }
    }
}

/// The arrays of a file, and the metadata of a safetensors file.
///
/// # Errors
/// When the contents are not what the format says, or have another length.
pub(super) fn read(
    contents: Contents<'_>,
    format: Format,
    from: Option<(&Ask, &str)>,
) -> Outcome<(Vec<Array>, Vec<(String, String)>)> {
    let Contents { length, path, .. } = contents;
    match format {
        Format::Raw => Ok((vec![raw(path, length, from)?], Vec::new())),
        Format::Npy => {
            let array = npy::read(contents, from.map(|from| from.0))?;
            if let Some((from, _)) = from {
                from.check(&array.layout)?;
            }
            check_length(path, length, &array)?;
            Ok((vec![array], Vec::new()))
        }
        Format::Safetensors => {
            let header = safetensors::read(contents)?;
            Ok((header.tensors, header.metadata))
        }
        Format::Npz | Format::SafetensorsIndex => {
            unreachable!("these formats have files of their own: `Input` reads them")
        }
    }
}

/// Whether an array is all that follows a header.
pub(super) fn check_length(path: &Path, length: u64, array: &Array) -> Outcome {
    let (has, needs) = (length - array.offset, array.layout.bytes() as u64);
    let shape = arrays::text(&array.layout);
    let failure = |what: String| {
        Failure::new(
            Code::File,
            format_args!(
                "`{}` {what}: `{shape}` takes {}, and {} follow the header",
                path.display(),
                words::exact_bytes(needs),
                words::exact_bytes(has)
            ),
        )
    };
    match has.cmp(&needs) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Less => {
            Err(failure("ends too early".to_owned())
                .help("it was cut short; copy or save it again"))
        }
        std::cmp::Ordering::Greater => Err(failure("goes on after its array".to_owned())
            .help("several arrays in one file are not read: save each to a file of its own")),
    }
}

/// A file of elements and nothing else.
fn raw(path: &Path, length: u64, from: Option<(&Ask, &str)>) -> Outcome<Array> {
    let Some((from, text)) = from else {
        return Err(Failure::new(
            Code::Usage,
            format_args!(
                "`{}` is a raw file: it does not say what is in it",
                path.display()
            ),
        )
        .at(TextSpan::of_whole("", path.display()))
        .help(format_args!(
            "say the shape and the layout of its {}: --from 'f32[2,3]{{0,1}}'",
            words::exact_bytes(length)
        )));
    };
    let layout = from.full()?;
    let needs = layout.bytes() as u64;
    if needs != length {
        let place = TextSpan::of_argument("--from", text, 0..text.len())
            .label(format_args!("takes {}", words::exact_bytes(needs)));
        let failure = Failure::new(
            Code::File,
            format_args!("`{}` has {}", path.display(), words::exact_bytes(length)),
        )
        .at(place);
        let fit = fits(&layout, length);
        return Err(match fit.as_slice() {
            [] => failure
                .help("nothing was written; look at the shape, or whether the file was cut short"),
            _ => failure.help(format_args!(
                "a file of this length would be {}",
                words::listed(&fit).replace(" and ", " or ")
            )),
        });
    }
    Ok(Array {
        name: None,
        layout,
        offset: 0,
        file: 0,
        swap: None,
    })
}

/// The tile of elements of 32 bits on a TPU.
const TPU_TILE: [TileDim; 2] = [TileDim::Size(8), TileDim::Size(128)];

/// Shapes like this one that take `length` bytes: without padding, with another size, with another type.
fn fits(layout: &DynLayout, length: u64) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut offer = |candidate: Option<DynLayout>| {
        if let Some(candidate) = candidate.filter(|candidate| candidate.bytes() as u64 == length) {
            let text = format!("`{}`", arrays::text(&candidate));
            if !found.contains(&text) {
                found.push(text);
            }
        }
    };
    let shape = layout.array_shape();
    // The same elements without padding, then unpacked.
    let mut bare = shape.clone();
    if let Some(layout) = bare.layout.take() {
        let plain = xlayout::Layout::new(layout.minor_to_major.clone());
        for bits in [layout.element_size_in_bits, 0] {
            let layout = plain.clone().with_element_size_in_bits(bits);
            offer(
                DynLayout::new(xlayout::ArrayShape::from_parts(
                    bare.element_type,
                    bare.dims.clone(),
                    Some(layout),
                ))
                .ok(),
            );
        }
    }
    // As a TPU has it.
    let mut tiled = shape.clone();
    if let (Some(layout), Ok(tiles)) = (&mut tiled.layout, Tiles::from_tiles(&[&TPU_TILE])) {
        layout.tiles = tiles;
        offer(DynLayout::new(tiled).ok());
    }
    // Another number of rows, or of columns: as many as fit, if any number does.
    for dim in 0..layout.rank() {
        offer(with_size(layout, dim, length));
    }
    let types = [
        PrimitiveType::U8,
        PrimitiveType::Bf16,
        PrimitiveType::F16,
        PrimitiveType::F32,
        PrimitiveType::F64,
    ];
    for element_type in types {
        let mut shape = shape.clone();
        shape.element_type = element_type;
        offer(DynLayout::new(shape).ok());
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
