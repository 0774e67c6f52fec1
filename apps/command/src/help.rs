//! The texts of `--help`, each in a file `help/NAME.txt`.
//!
//! A file has parts with an empty line between them:
//!
//! - What the command does.
//! - Perhaps a line `> …`: the short help, `-h`, shows it below the arguments in place of the
//!   sections. Text to type is between `**`.
//! - Sections, each with a heading `# …`: the help shows them below the arguments. A line after two
//!   blanks is a command to type, and a line after more blanks explains it. The line `{parts}`
//!   becomes a list of the parts of a shape, and the line `{codes}` one of the exit codes.

use anstyle::Style;
use clap::Command;

use crate::failure::Code;

/// The headings of clap's own sections.
const HEADING: Style = Style::new().bold().underline();
/// Text to type.
const LITERAL: Style = Style::new().bold();

/// The texts of these names, from the folder `help` beside the file that calls this: a list of
/// names and texts. A name has the words of a command, or of an argument, with `_` between them.
#[macro_export]
macro_rules! texts {
    ($($name:ident)*) => {
        [$((stringify!($name), include_str!(concat!("help/", stringify!($name), ".txt")))),*]
    };
}

/// A command with its text, and the commands and arguments inside of it with theirs.
#[must_use]
pub fn with_texts(mut command: Command, name: &str, texts: &[(&str, impl AsRef<str>)]) -> Command {
    let text_of = |name: &str| {
        let found = texts.iter().find(|(title, _)| *title == name);
        found.map(|(_, text)| text.as_ref())
    };
    if let Some(text) = text_of(name) {
        // A call without a subcommand is an error that lists the subcommands; it does not show the
        // help.
        command = (command.long_about(about(text).to_owned())).arg_required_else_help(false);
        let sections = styled_sections(text);
        command = match note(text) {
            Some(note) => command.after_help(note).after_long_help(sections),
            None => command.after_help(sections),
        };
    }
    let command = command.mut_args(|arg| match text_of(&format!("{name}_{}", arg.get_id())) {
        Some(text) => arg.long_help(about(text).to_owned()),
        None => arg,
    });
    let subcommands = command.get_subcommands();
    let subcommand_names: Vec<_> = subcommands
        .map(|subcommand| subcommand.get_name().to_owned())
        .collect();
    subcommand_names.iter().fold(command, |command, inner| {
        command.mut_subcommand(inner, |subcommand| {
            with_texts(subcommand, &format!("{name}_{inner}"), texts)
        })
    })
}

/// What the parts of a shape mean; each line has the part in its first ten columns.
const PARTS: &str = include_str!("parts.txt");

/// What the command does.
fn about(text: &str) -> &str {
    let end = text.find("\n\n# ").unwrap_or(text.len());
    let text = &text[..end];
    text.split("\n\n> ").next().unwrap_or(text).trim_end()
}

/// The text below the short help, if there is one, in the styles of clap's own sections.
fn note(text: &str) -> Option<String> {
    let (_, note) = text.split_once("\n\n> ")?;
    let mut styled = String::new();
    let mut is_literal = false;
    for part in note.lines().next()?.split("**") {
        if is_literal {
            styled += &format!("{LITERAL}{part}{LITERAL:#}");
        } else {
            styled += part;
        }
        is_literal = !is_literal;
    }
    Some(styled)
}

/// The sections of a text: each has a title and lines.
pub fn sections(text: &str) -> impl Iterator<Item = (&str, std::str::Lines<'_>)> {
    text.split("\n\n# ").skip(1).map(|section| {
        let mut lines = section.lines();
        (lines.next().unwrap_or_default(), lines)
    })
}

/// The sections of a text, in the styles of clap's own sections.
fn styled_sections(help: &str) -> String {
    let mut text = String::new();
    for (k, (title, lines)) in sections(help).enumerate() {
        let gap = if k == 0 { "" } else { "\n\n" };
        text += &format!("{gap}{HEADING}{title}:{HEADING:#}");
        for line in lines {
            if line == "{parts}" {
                for (part, meaning) in parts() {
                    let blanks = " ".repeat(10 - part.len());
                    text += &format!("\n  {LITERAL}{part}{LITERAL:#}{blanks}{meaning}");
                }
                continue;
            }
            if line == "{codes}" {
                for (code, meaning) in Code::MEANINGS.iter().enumerate() {
                    text += &format!("\n  {LITERAL}{code}{LITERAL:#}  {meaning}");
                }
                continue;
            }
            text += &match line.strip_prefix("  ") {
                Some(item) if !item.starts_with(' ') => {
                    format!("\n  {LITERAL}{item}{LITERAL:#}")
                }
                _ => format!("\n{line}"),
            };
        }
    }
    text
}

/// The parts of a shape, each with its meaning. A line without a part continues the part before it.
pub fn parts() -> impl Iterator<Item = (&'static str, &'static str)> {
    PARTS
        .lines()
        .map(|line| (line[..10].trim_end(), &line[10..]))
}
