//! What documents show of the program: README and the [book](../../../book/src/README.md).
//!
//! A session is a block ```` ```console ````. After each line `$ xlayout …` stands what the program
//! answers in the folder `apps`; an answer that ends with a line `…` is shown in part. Where the
//! command writes a picture of the book, the picture is compared, and no answer is shown. A line
//! `$ cat …` shows a file.
//! `UPDATE_EXPECT=1` renews the answers and the pictures.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::program::{PACKAGE, command, words};
use expect_test::expect_file;

fn repository() -> PathBuf {
    Path::new(PACKAGE).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Pictures by their names.
type Pictures = BTreeMap<String, String>;

/// What the program answers to the words of a line, on both streams.
fn answered(words: &[String]) -> String {
    let arguments: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = command(&arguments)
        .current_dir(repository().join("apps"))
        .output()
        .expect("the program was built");
    let code = output.status.code();
    assert!(matches!(code, Some(0..=2)), "{arguments:?}: {code:?}");
    String::from_utf8([output.stdout, output.stderr].concat()).expect("answers are UTF-8")
}

/// The lines of a session behind a command, as the program answers now.
fn renewed_answer(line: &str, shown: &[&str], pictures: &mut Pictures) -> String {
    let mut words = words(line);
    let words = words.split_off(2);
    if line.starts_with("$ cat ") {
        return read(&repository().join("apps").join(&words[0]));
    }
    if let Some(option) = words.iter().position(|word| word == "--svg") {
        let name = words[option + 1].clone();
        let mut to_stdout = words;
        to_stdout[option + 1] = "-".to_owned();
        let picture = answered(&to_stdout);
        assert!(picture.starts_with("<svg "), "{line}: {picture}");
        let replaced = pictures.insert(name, picture);
        assert_eq!(replaced, None, "{line}: there is such a picture");
        return String::new();
    }
    let answer = answered(&words);
    if shown.last() != Some(&"…") {
        return answer;
    }
    let lines: Vec<&str> = answer.lines().take(shown.len() - 1).collect();
    lines.join("\n") + "\n…\n"
}

/// A document with the answers of the program as it is now, its number of sessions, and their
/// pictures.
fn renewed(document: &str) -> (String, usize, Pictures) {
    let mut text = String::new();
    let mut sessions = 0;
    let mut pictures = Pictures::new();
    let mut lines = document.lines().peekable();
    let mut inside = false;
    while let Some(line) = lines.next() {
        text += line;
        text.push('\n');
        if line.starts_with("```") {
            inside = line == "```console";
        }
        let is_command = line.starts_with("$ xlayout ") || line.starts_with("$ cat ");
        if !inside || !line.starts_with("$ ") {
            continue;
        }
        assert!(is_command, "nothing runs this line: {line}");
        sessions += 1;
        let mut shown = Vec::new();
        while let Some(line) =
            lines.next_if(|line| !line.starts_with("```") && !line.starts_with("$ "))
        {
            shown.push(line);
        }
        // A blank line between two commands.
        let blank =
            shown.last() == Some(&"") && lines.peek().is_some_and(|line| line.starts_with("$ "));
        text += &renewed_answer(
            line,
            &shown[..shown.len() - usize::from(blank)],
            &mut pictures,
        );
        if blank {
            text.push('\n');
        }
    }
    (text, sessions, pictures)
}

#[test]
fn the_readme_shows_what_the_program_says() {
    let path = Path::new(PACKAGE).join("README.md");
    let (text, sessions, _) = renewed(&read(&path));
    assert!(sessions >= 6);
    expect_file![path].assert_eq(&text);
}

fn book() -> PathBuf {
    repository().join("book/src")
}

/// The files of the chapters, as the table of contents lists them.
fn chapters() -> Vec<String> {
    let contents = read(&book().join("SUMMARY.md"));
    let links = contents.split("](").skip(1);
    links
        .map(|rest| rest.split(')').next().expect("a link ends").to_owned())
        .collect()
}

fn files(folder: &Path, extension: &str) -> BTreeSet<String> {
    let entries = folder.read_dir().expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|e| e == extension));
    paths
        .map(|path| {
            path.file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect()
}

#[test]
fn the_book_shows_what_the_program_says_and_draws() {
    let mut drawn = BTreeSet::new();
    for chapter in chapters() {
        let path = book().join(&chapter);
        let (text, _, pictures) = renewed(&read(&path));
        expect_file![path].assert_eq(&text);
        for (name, picture) in pictures {
            let link = format!("](pictures/{name})");
            assert!(text.contains(&link), "{chapter} does not show {name}");
            expect_file![book().join("pictures").join(&name)].assert_eq(&picture);
            drawn.insert(name);
        }
    }
    let of_folder = files(&book().join("pictures"), "svg");
    assert_eq!(drawn, of_folder, "a picture that no chapter draws");
}

#[test]
fn the_book_is_complete() {
    let listed = chapters();
    let mut of_folder = files(&book(), "md");
    of_folder.remove("SUMMARY.md");
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), of_folder);
    // All but the introduction and the page for XLA's document have a picture, 100 lines and more,
    // and the next chapter at their end.
    for chapter in listed.windows(2).skip(1) {
        let text = read(&book().join(&chapter[0]));
        let lines = text.lines().count();
        assert!(
            (100..=250).contains(&lines),
            "{}: {lines} lines",
            chapter[0]
        );
        assert!(
            text.contains("](pictures/"),
            "{} has no picture",
            chapter[0]
        );
        let end = text.lines().last().expect("it has lines");
        assert!(
            end.contains(&format!("]({})", chapter[1])),
            "{}: {end}",
            chapter[0]
        );
    }
    let tests = read(&repository().join("book/lib.rs"));
    for chapter in &listed[1..] {
        assert!(
            tests.contains(&format!("\"src/{chapter}\"")),
            "{chapter} is not tested"
        );
    }
}

/// A message without its words in backquotes and its numbers: the kind of a mistake.
fn kind(message: &str) -> String {
    let mut kind = String::new();
    let mut quoted = false;
    for c in message.chars() {
        match c {
            '`' => quoted = !quoted,
            _ if quoted => {}
            '0'..='9' => {
                if !kind.ends_with('#') {
                    kind.push('#');
                }
            }
            _ => kind.push(c),
        }
    }
    kind
}

/// A mistake that the macros find: its program, the message, and the advice.
struct Mistake {
    program: String,
    message: String,
    help: String,
}

/// The mistakes of `ui-tests` that the macros find; those that types find have a code, `E0277`.
fn mistakes() -> Vec<Mistake> {
    let folder = repository().join("ui-tests/bad");
    let mut mistakes = Vec::new();
    for name in files(&folder, "stderr") {
        let program = read(&folder.join(&name).with_extension("rs"));
        let text = read(&folder.join(&name));
        for error in text.split("error: ").skip(1) {
            let Some((message, rest)) = error.split_once("\n       help: ") else {
                continue;
            };
            let help = rest
                .split("--> ")
                .next()
                .expect("a place follows")
                .trim_end();
            mistakes.push(Mistake {
                program: program.clone(),
                message: message.to_owned(),
                help: help.to_owned(),
            });
        }
    }
    mistakes
}

/// Each row of the tables of errors is an error of the compiler, and each kind of error has a row.
#[test]
fn the_book_has_every_error_of_the_macros() {
    let chapter = read(&book().join("errors.md"));
    let mistakes = mistakes();
    let mut shown = BTreeSet::new();
    // A row has the text, the message, and what to write.
    for row in chapter.lines().filter(|line| line.starts_with("| `")) {
        let cells = row.replace("\\|", "\u{0}");
        let cells: Vec<String> = cells
            .split('|')
            .map(|cell| cell.trim().replace('\u{0}', "|"))
            .collect();
        let [_, written, message, help, _] = &cells[..] else {
            continue;
        };
        let written = written.trim_matches('`');
        let is = |mistake: &&Mistake| {
            mistake.program.contains(written)
                && mistake.message == *message
                && mistake.help == *help
        };
        assert!(
            mistakes.iter().any(|mistake| is(&mistake)),
            "no such error: {row}"
        );
        shown.insert(kind(message));
    }
    let missing: BTreeMap<String, &str> = mistakes
        .iter()
        .map(|mistake| (kind(&mistake.message), mistake.message.as_str()))
        .filter(|(kind, _)| !shown.contains(kind))
        .collect();
    assert!(missing.is_empty(), "the chapter lacks {missing:#?}");
}
