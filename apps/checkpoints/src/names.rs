//! The sequence of the files that have the parts of a tensor: from the numbers in their names, or
//! as the specification states it.
//!
//! ```text
//! cut each name into texts and numbers: `tp_2_pp_10.npy` is `tp_`, 2, `_pp_`, 10, `.npy`
//! the texts of all names are equal, or it is not clear which file is the first
//! a number that is equal in all names says nothing
//! one number differs from file to file, and no other one decreases where it increases:
//!     it is the place of the file. Otherwise it is not clear which of several sequences counts
//! the numbers are 0, 1, 2, … or 1, 2, 3, … or those of the devices: none is missing, and none is
//!     there twice
//! where a name says how many files there are (`-of-00012`, `world_size_16`), there are as many
//! ```

mod cut;
mod pattern;

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

pub(crate) use cut::some;
use cut::{Cut, check_all, quoted};
use xlayout_words::{counted, short};

/// How the specification names the files, `files` of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum FileOrder {
    /// A name with `{0}` in place of the number that counts most, `{1}` of the next one, and `{}`
    /// of one that does not count.
    Pattern(String),
    /// The names in their sequence.
    List(Vec<String>),
}

/// The place of each file in the sequence of all of them, from 0. `devices` are the numbers that
/// they may have in place of 0, 1, 2, …
///
/// # Errors
/// When it is not clear, or a file is missing. The text says what to write in the specification.
pub(crate) fn places(
    names: &[&str],
    files: Option<&FileOrder>,
    devices: &[u64],
) -> Result<Vec<usize>, String> {
    match files {
        _ if names.len() < 2 => Ok(vec![0; names.len()]),
        None => by_numbers(names, devices),
        Some(FileOrder::List(list)) => by_list(names, list),
        Some(FileOrder::Pattern(pattern)) => pattern::places(names, pattern, devices),
    }
}

/// The numbers at one place of all names.
struct Column {
    /// Which number of a name it is.
    place: usize,
    /// The number of each file.
    numbers: Vec<u64>,
}

fn by_numbers(names: &[&str], devices: &[u64]) -> Result<Vec<usize>, String> {
    let cuts: Vec<Cut<'_>> = names.iter().map(|name| Cut::new(name)).collect();
    let first = &cuts[0];
    if cuts.iter().any(|cut| cut.texts != first.texts) {
        let example = quoted(names);
        return Err(format!(
            "the names of its files differ in more than their numbers, so that it is not clear \
             which one is the first; write them in their sequence, `files = [{example}]`"
        ));
    }
    let column = |place: usize| Column {
        place,
        numbers: cuts.iter().map(|cut| cut.numbers[place]).collect(),
    };
    let differs = |column: &Column| {
        let mut numbers = column.numbers.iter();
        numbers.any(|number| *number != column.numbers[0])
    };
    let columns = (0..first.numbers.len()).map(column);
    let differing: Vec<Column> = columns.filter(differs).collect();
    // The sequence by the one number that increases from file to file, where no other one
    // decreases.
    let mut answers = Vec::new();
    let mut unsorted = [0, 1];
    for column in &differing {
        let numbers = &column.numbers;
        let mut files: Vec<usize> = (0..numbers.len()).collect();
        files.sort_by_key(|file| numbers[*file]);
        let increases = |pair: &&[usize]| {
            let a = pair[0];
            let b = pair[1];
            let mut all = differing.iter().map(|column| &column.numbers);
            all.all(|numbers| numbers[a] <= numbers[b]) && numbers[a] < numbers[b]
        };
        match files.windows(2).find(|pair| !increases(pair)) {
            None => answers.push(numbered(names, first, column, devices)),
            Some(pair) => unsorted = [pair[0], pair[1]],
        }
    }
    if answers.is_empty() {
        return Err(no_sequence(names, first, &differing, unsorted));
    }
    // All are errors: the first one says what is wrong.
    let answer = answers.iter().position(Result::is_ok).unwrap_or(0);
    answers.swap_remove(answer)
}

/// Why no number gives a sequence, of which the names of the pair are an example. `first` is the
/// first name.
fn no_sequence(names: &[&str], first: &Cut<'_>, differing: &[Column], pair: [usize; 2]) -> String {
    let [a, b] = pair.map(|file| short(names[file]));
    match differing {
        [] => {
            return format!(
                "the names of two of its files have the same numbers, `{a}` and `{b}`; remove \
                 one, or name it otherwise"
            );
        }
        [column] => {
            let number = column.numbers[pair[0]];
            return format!(
                "two of its files have the number {number}, `{a}` and `{b}`; remove one, or name \
                 it otherwise"
            );
        }
        _ => {}
    }
    let pattern = |forwards: bool| {
        let mut text = String::new();
        for (k, before) in first.texts.iter().enumerate() {
            text += before;
            let place = differing.iter().position(|column| column.place == k);
            match (place, first.numbers.get(k)) {
                (Some(place), _) if forwards => text += &format!("{{{place}}}"),
                (Some(place), _) => text += &format!("{{{}}}", differing.len() - 1 - place),
                (None, Some(_)) => text += "{}",
                (None, None) => {}
            }
        }
        text
    };
    let forwards = pattern(true);
    let backwards = pattern(false);
    format!(
        "several numbers in the names of its files differ, so that they have more than one \
         sequence; write which number counts most, {{0}}, and which is next: `files = \
         \"{forwards}\"` or `files = \"{backwards}\"`"
    )
}

/// The places of files by a number that no two have.
fn numbered(
    names: &[&str],
    cut: &Cut<'_>,
    column: &Column,
    devices: &[u64],
) -> Result<Vec<usize>, String> {
    let all: BTreeSet<u64> = column.numbers.iter().copied().collect();
    check_all(&all, devices, names)?;
    let total = (0..cut.numbers.len()).find(|place| cut.is_total(*place, column.place));
    if let Some(total) = total.map(|total| cut.numbers[total])
        && total != names.len() as u64
    {
        let name = short(names[0]);
        let files = counted(names.len(), "file");
        return Err(format!(
            "the name `{name}` says that there are {total} files, and the tensor is in {files}; \
             bring the others there, or write the files in their sequence, `files = [\"{name}\", \
             …]`"
        ));
    }
    let place = |number: &u64| all.range(..number).count();
    Ok(column.numbers.iter().map(place).collect())
}

/// Items in the sequence of their places.
pub(crate) fn in_sequence<K: Copy + Ord, T>(places: Vec<K>, items: Vec<T>) -> Vec<T> {
    let mut all: Vec<_> = places.into_iter().zip(items).collect();
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, item)| item).collect()
}

fn by_list(names: &[&str], list: &[String]) -> Result<Vec<usize>, String> {
    let place: HashMap<&str, usize> = list.iter().map(String::as_str).zip(0..).collect();
    let place_of = |name: &&str| {
        let found = place.get(name).copied();
        found.ok_or_else(|| format!("`files` does not name `{}`, which has it", short(name)))
    };
    let places: Vec<usize> = names.iter().map(place_of).collect::<Result<_, _>>()?;
    if place.len() != names.len() {
        let unused = list.iter().find(|name| !names.contains(&name.as_str()));
        let example = unused.map_or(String::new(), |name| format!(": not in `{}`", short(name)));
        let [listed, has] = [place.len(), names.len()].map(|n| counted(n, "file"));
        return Err(format!(
            "`files` names {listed}, and the tensor is in {has}{example}"
        ));
    }
    Ok(places)
}

impl FileOrder {
    /// # Errors
    /// When it can name no files.
    pub(crate) fn check(&self) -> Result<(), String> {
        match self {
            Self::Pattern(pattern) => pattern::tokens(pattern).map(drop),
            Self::List(list) => {
                let mut seen = BTreeSet::new();
                match list.iter().find(|name| !seen.insert(*name)) {
                    Some(twice) => Err(format!("`{}` is there twice", short(twice))),
                    None => Ok(()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str], files: Option<FileOrder>) -> Result<Vec<usize>, String> {
        let devices: Vec<u64> = (0..names.len() as u64).collect();
        places(names, files.as_ref(), &devices)
    }

    /// Names of `count` files in the sequence of their bytes, as a folder is listed, and the place
    /// of each.
    fn listed(count: usize, name: impl Fn(usize) -> String) -> (Vec<String>, Vec<usize>) {
        let mut all: Vec<(String, usize)> = (0..count).map(|k| (name(k), k)).collect();
        all.sort();
        all.into_iter().unzip()
    }

    #[test]
    fn numbers_are_numbers() {
        type Name = fn(usize, usize) -> String;
        let schemes: [Name; 9] = [
            |k, n| format!("model_world_size_{n}_rank_{k}.safetensors"),
            |k, n| format!("rank_{k}_of_{n}.safetensors"),
            |k, _| format!("part-{}.npy", k + 1),
            |k, _| format!("{k}.safetensors"),
            |k, n| format!("model-{:05}-of-{n:05}.safetensors", k + 1),
            |k, _| format!("rank_{k}/model.safetensors"),
            |k, _| format!("step_100/node_{}/rank_{k}.safetensors", k / 4),
            |k, _| format!("tp_{k}_pp_3.safetensors"),
            // Some with zeros before them, some without.
            |k, _| format!("w{:0width$}.npy", k, width = 1 + k % 3),
        ];
        for (scheme, name) in schemes.iter().enumerate() {
            for count in 1..=40 {
                let (names, expected) = listed(count, |k| name(k, count));
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                assert_eq!(of(&names, None), Ok(expected), "{scheme}: {names:?}");
            }
        }
        // A number that is longer than any count of files.
        let long = [
            "run99999999999999999999999_0",
            "run99999999999999999999999_1",
        ];
        assert_eq!(of(&long, None), Ok(vec![0, 1]));
        // The numbers of devices that do not begin with 0.
        assert_eq!(
            places(&["rank_10", "rank_9"], None, &[9, 10]),
            Ok(vec![1, 0])
        );
    }

    #[test]
    fn what_is_not_clear_is_an_error() {
        for (names, part) in [
            (&["a.npy", "b.npy"][..], "`files = [\"a.npy\", \"b.npy\"]`"),
            (&["rank_0", "part_1"], "differ in more than their numbers"),
            (&["r1", "r01", "r2"], "have the number 1, `r1` and `r01`"),
            (&["r1", "r01"], "the same numbers, `r1` and `r01`"),
            (&["r0", "r1", "r3"], "none of its files has the number 2"),
            (&["r4", "r5"], "begin with 4"),
            (
                &["r18446744073709551614", "r18446744073709551615"],
                "begin with 18446744073709551614",
            ),
            (&["r0_of_3", "r1_of_3"], "says that there are 3 files"),
            (&["world_size_3_r0", "world_size_3_r1"], "there are 3 files"),
            (
                &["tp_0_pp_0", "tp_0_pp_1", "tp_1_pp_0", "tp_1_pp_1"],
                "`files = \"tp_{0}_pp_{1}\"` or `files = \"tp_{1}_pp_{0}\"`",
            ),
            // One sequence forwards and one backwards.
            (
                &["v7_a0_b1", "v7_a1_b0"],
                "`files = \"v{}_a{0}_b{1}\"` or `files = \"v{}_a{1}_b{0}\"`",
            ),
        ] {
            let said = of(names, None).unwrap_err();
            assert!(said.contains(part), "{names:?}: {said}");
        }
    }

    #[test]
    fn as_the_specification_says() {
        let names = ["tp_0_pp_0", "tp_0_pp_1", "tp_1_pp_0", "tp_1_pp_1"];
        let pattern = |text: &str| Some(FileOrder::Pattern(text.to_owned()));
        assert_eq!(of(&names, pattern("tp_{0}_pp_{1}")), Ok(vec![0, 1, 2, 3]));
        assert_eq!(of(&names, pattern("tp_{1}_pp_{0}")), Ok(vec![0, 2, 1, 3]));
        let list = |names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned());
            Some(FileOrder::List(names.collect()))
        };
        assert_eq!(of(&["a", "b"], list(&["b", "a"])), Ok(vec![1, 0]));
        for (names, files, part) in [
            (&names[..], pattern("tp_{0}_pp_{}"), "a number `{}` of"),
            (
                &names[..],
                pattern("tp_{0}_dp_{1}"),
                "`tp_0_pp_0` has no name",
            ),
            (
                &names[..3],
                pattern("tp_{0}_pp_{1}"),
                "a part is missing: none of its files have the numbers 1, 1 of",
            ),
            (
                &["a0_b0_c0", "a1_b1_c1"],
                pattern("a{0}_b{1}_c{2}"),
                "numbers 0, 0, 1 of",
            ),
            (
                &["r01", "r1"],
                pattern("r{0}"),
                "several of its files have the numbers 1",
            ),
            (&["a", "b"], list(&["a"]), "does not name `b`"),
            (&["a", "b"], list(&["a", "c", "b"]), "not in `c`"),
        ] {
            let said = of(names, files).unwrap_err();
            assert!(said.contains(part), "{names:?}: {said}");
        }
        for text in ["tp", "{1}", "{0}{0}", "{a}", "{0", "{0}{2}"] {
            assert!(
                FileOrder::Pattern(text.to_owned()).check().is_err(),
                "{text}"
            );
        }
        assert!(list(&["a", "a"]).unwrap().check().is_err());
    }
}
