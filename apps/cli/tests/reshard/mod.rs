//! `xlayout reshard`, run as the built program. The files are written and read here by a few lines
//! of their own, so that what the program says of them is compared with something else.

mod bad_input;
mod model;
#[cfg(unix)]
mod runs;
mod stores;
mod zarr;

use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Map, Value, json};

/// A folder for a test, which vanishes with it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for the test"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder of a test");
        std::fs::write(path, bytes).expect("the file of a test");
    }

    /// Without its pages of zeros, which take no room on a disk.
    fn write_with_holes(&self, name: &str, bytes: &[u8]) {
        self.write(name, "");
        let file = std::fs::File::options().write(true).open(self.path(name));
        let mut file = file.expect("the file of a test");
        for (page, bytes) in (0..).zip(bytes.chunks(4096)) {
            if bytes.iter().any(|byte| *byte != 0) {
                let placed = file.seek(SeekFrom::Start(4096 * page));
                placed.and_then(|_| file.write_all(bytes)).expect("a page");
            }
        }
        file.set_len(bytes.len() as u64).expect("the whole file");
    }

    fn command(&self, words: &str) -> std::process::Command {
        let words = crate::program::words(&format!("reshard {words}"));
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let mut command = crate::program::command(&words);
        command.current_dir(self.0.path());
        command
    }

    fn run(&self, words: &str) -> Output {
        self.command(words).output().expect("the program runs")
    }

    fn works(&self, words: &str) -> String {
        let output = self.run(words);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            (output.status.code(), error.as_str()),
            (Some(0), ""),
            "{words}"
        );
        String::from_utf8(output.stdout).expect("text")
    }

    fn fails(&self, words: &str, code: i32) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(code), "{words}: {output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// The names of the files in a folder and below, but for the records.
    fn names(&self, folder: &str) -> Vec<String> {
        let root = self.path(folder);
        let mut folders = vec![root.clone()];
        let mut names = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten() {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.extend((!path.ends_with(".xlayout")).then_some(path));
                } else {
                    let name = path.strip_prefix(&root).expect("a file in it");
                    names.push(name.to_string_lossy().replace('\\', "/"));
                }
            }
        }
        names.sort();
        names
    }
}

/// A part of a tensor of 32-bit words: name, origin, sizes, elements row-major.
#[derive(Clone, Debug, PartialEq)]
struct Piece {
    name: String,
    origin: Vec<usize>,
    sizes: Vec<usize>,
    words: Vec<u32>,
}

/// All of a tensor.
fn whole(name: &str, sizes: &[usize]) -> Piece {
    let count: usize = sizes.iter().product();
    let seed = name
        .bytes()
        .fold(7_u32, |seed, byte| seed.wrapping_mul(31) + u32::from(byte));
    Piece {
        name: name.to_owned(),
        origin: vec![0; sizes.len()],
        sizes: sizes.to_vec(),
        words: (0..count as u32)
            .map(|k| k.wrapping_mul(2_654_435_761).wrapping_add(seed))
            .collect(),
    }
}

/// All of a matrix of which one row in 96 has other numbers than 0.
fn mostly_zeros(name: &str, sizes: &[usize; 2]) -> Piece {
    let mut all = whole(name, sizes);
    for (k, word) in all.words.iter_mut().enumerate() {
        if !(k / sizes[1]).is_multiple_of(96) {
            *word = 0;
        }
    }
    all
}

/// The indices of a box, row-major.
fn indices(sizes: &[usize]) -> Vec<Vec<usize>> {
    let count: usize = sizes.iter().product();
    let index = |mut k: usize| {
        let mut index = vec![0; sizes.len()];
        for dim in (0..sizes.len()).rev() {
            (index[dim], k) = (k % sizes[dim], k / sizes[dim]);
        }
        index
    };
    (0..count).map(index).collect()
}

fn place(sizes: &[usize], index: &[usize]) -> usize {
    sizes
        .iter()
        .zip(index)
        .fold(0, |place, (size, k)| place * size + k)
}

impl Piece {
    /// A part of it.
    fn part(&self, origin: &[usize], sizes: &[usize]) -> Self {
        let words = indices(sizes).into_iter().map(|index| {
            let index: Vec<_> = index
                .iter()
                .zip(origin)
                .map(|(k, origin)| k + origin)
                .collect();
            self.words[place(&self.sizes, &index)]
        });
        Self {
            name: self.name.clone(),
            origin: origin.to_vec(),
            sizes: sizes.to_vec(),
            words: words.collect(),
        }
    }
}

/// A safetensors file; `offsets` as PyTorch writes them.
fn safetensors(pieces: &[Piece], offsets: bool) -> Vec<u8> {
    let mut header = Map::new();
    if offsets {
        let entry = |piece: &Piece| (piece.name.clone(), json!({"saved_offsets": piece.origin}));
        let all: Map<String, Value> = pieces.iter().map(entry).collect();
        let text = Value::Object(all).to_string();
        header.insert(
            "__metadata__".into(),
            json!({"DCP_SHARDING_INFO": text, "DCP_VERSION": "1.0"}),
        );
    }
    let mut at = 0;
    for piece in pieces {
        let end = at + 4 * piece.words.len();
        let entry = json!({"dtype": "U32", "shape": piece.sizes, "data_offsets": [at, end]});
        header.insert(piece.name.clone(), entry);
        at = end;
    }
    let text = Value::Object(header).to_string();
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text.bytes());
    bytes.extend(
        pieces
            .iter()
            .flat_map(|piece| &piece.words)
            .flat_map(|word| word.to_le_bytes()),
    );
    bytes
}

/// What a file holds.
fn read(path: &Path) -> Vec<Piece> {
    let bytes = std::fs::read(path).expect("a file that was written");
    let length = u64::from_le_bytes(bytes[..8].try_into().expect("8 bytes")) as usize;
    let header: Map<String, Value> =
        serde_json::from_slice(&bytes[8..8 + length]).expect("a header");
    let offsets: Value = match header
        .get("__metadata__")
        .and_then(|all| all.get("DCP_SHARDING_INFO"))
    {
        Some(text) => serde_json::from_str(text.as_str().expect("a text")).expect("offsets"),
        None => Value::Null,
    };
    let numbers = |value: &Value| -> Vec<usize> {
        let list = value.as_array().into_iter().flatten();
        list.map(|number| number.as_u64().expect("a number") as usize)
            .collect()
    };
    let entries = header.iter().filter(|(name, _)| *name != "__metadata__");
    let piece = |(name, entry): (&String, &Value)| {
        let sizes = numbers(&entry["shape"]);
        let place = numbers(&entry["data_offsets"]);
        let data = &bytes[8 + length + place[0]..8 + length + place[1]];
        let origin = match &offsets {
            Value::Null => vec![0; sizes.len()],
            offsets => numbers(&offsets[name]["saved_offsets"]),
        };
        Piece {
            name: name.clone(),
            origin,
            words: data
                .chunks(4)
                .map(|word| u32::from_le_bytes(word.try_into().expect("a word")))
                .collect(),
            sizes,
        }
    };
    entries.map(piece).collect()
}
