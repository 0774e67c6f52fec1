//! The texts of `--help`. Those of each command are in a file of `help/`: what it does, then sections, each with a heading `# …`, below
//! the arguments. In a section, a line after two blanks is a command to type, and a line after more blanks explains it.

use std::fmt::Write;

use anstyle::Style;
use clap::Command;
use xlayout_hlo::device::Device;

use crate::failure::Code;
use crate::words::{bytes, listed, wrapped};

/// The headings of clap's own sections.
const HEADING: Style = Style::new().bold().underline();
/// Text to type.
const LITERAL: Style = Style::new().bold();

macro_rules! texts {
    ($($name:ident)*) => {
        &[$((stringify!($name), include_str!(concat!("help/", stringify!($name), ".txt")))),*]
    };
}

/// The texts, each with the words of its command or argument.
const TEXTS: &[(&str, &str)] = texts! {
    xlayout explain explain_shape draw diff emit algebra hlo hlo_copies hlo_diff hlo_memory advise
    convert convert_from convert_to convert_opaque reshard reshard_plan reshard_run reshard_verify
    completions man
};

/// The text of a command.
#[derive(Clone, Copy, Debug)]
struct Text(&'static str);

/// A command with its text, and the commands and arguments inside of it with theirs.
pub(crate) fn taught(mut command: Command, name: &str) -> Command {
    if let Some(text) = Text::of(name) {
        // Without a subcommand it is an error that lists them, and not the help.
        command = (command.long_about(text.about())).arg_required_else_help(false);
        command = match text.note() {
            Some(note) => command.after_help(note).after_long_help(text.below()),
            None => command.after_help(text.below()),
        };
    }
    let command = command.mut_args(|arg| match Text::of(&format!("{name}_{}", arg.get_id())) {
        Some(text) => arg.long_help(text.about()),
        None => arg,
    });
    let inner = command.get_subcommands();
    let inner: Vec<_> = inner.map(|inner| inner.get_name().to_owned()).collect();
    inner.iter().fold(command, |command, inner| {
        let inside = match name {
            "xlayout" => inner.clone(),
            _ => format!("{name}_{inner}"),
        };
        command.mut_subcommand(inner, |inner| taught(inner, &inside))
    })
}

/// What the parts of a shape mean; each line has the part in its first ten columns.
const PARTS: &str = include_str!("help/parts.txt");

impl Text {
    fn of(name: &str) -> Option<Self> {
        let found = TEXTS.iter().find(|(of, _)| *of == name)?;
        Some(Self(found.1))
    }

    /// What the command does.
    fn about(self) -> &'static str {
        let end = self.0.find("\n\n# ").unwrap_or(self.0.len());
        let text = &self.0[..end];
        text.split("\n\n> ").next().unwrap_or(text).trim_end()
    }

    /// The text below the short help. Text to type is between `**`.
    fn note(self) -> Option<String> {
        let (_, note) = self.0.split_once("\n\n> ")?;
        let parts = note.lines().next()?.split("**").enumerate();
        Some(parts.fold(String::new(), |note, (k, part)| match k % 2 {
            0 => note + part,
            _ => format!("{note}{LITERAL}{part}{LITERAL:#}"),
        }))
    }

    fn sections(self) -> impl Iterator<Item = (&'static str, std::str::Lines<'static>)> {
        self.0.split("\n\n# ").skip(1).map(|section| {
            let mut lines = section.lines();
            (lines.next().unwrap_or_default(), lines)
        })
    }

    /// The text below the arguments, in the styles of clap's own sections.
    fn below(self) -> String {
        let mut text = String::new();
        for (k, (title, lines)) in self.sections().enumerate() {
            let gap = if k == 0 { "" } else { "\n\n" };
            let _ = write!(text, "{gap}{HEADING}{title}:{HEADING:#}");
            for line in lines {
                let _ = match line.strip_prefix("  ") {
                    _ if line == "{parts}" => parts().try_for_each(|(part, meaning)| {
                        let blanks = 10 - part.len();
                        write!(
                            text,
                            "\n  {LITERAL}{part}{LITERAL:#}{:blanks$}{meaning}",
                            ""
                        )
                    }),
                    _ if line.contains("{devices}") => write!(text, "\n{}", devices(line)),
                    _ if line == "{codes}" => {
                        (Code::MEANINGS.iter().enumerate()).try_for_each(|(k, code)| {
                            write!(text, "\n  {LITERAL}{k}{LITERAL:#}  {code}")
                        })
                    }
                    Some(item) if !item.starts_with(' ') => {
                        write!(text, "\n  {LITERAL}{item}{LITERAL:#}")
                    }
                    _ => write!(text, "\n{line}"),
                };
            }
        }
        text
    }
}

/// Example commands, each with a line that explains it.
pub(crate) fn examples() -> Vec<(&'static str, &'static str)> {
    let sections = Text::of("xlayout").map(Text::sections);
    let examples = sections.and_then(|mut all| all.find(|(title, _)| *title == "Examples"));
    let lines = examples.into_iter().flat_map(|(_, lines)| lines);
    let mut lines = lines.map(str::trim);
    std::iter::from_fn(|| lines.next().zip(lines.next())).collect()
}

/// The parts of a shape, each with its meaning. A line without a part continues the part before it.
pub(crate) fn parts() -> impl Iterator<Item = (&'static str, &'static str)> {
    PARTS
        .lines()
        .map(|line| (line[..10].trim_end(), &line[10..]))
}

/// Replaces `{devices}` by the devices with their memory.
fn devices(line: &str) -> String {
    let names = Device::ALL.iter();
    let names = names.map(|device| format!("{} {}", device.name, bytes(device.memory)));
    let names = listed(&names.collect::<Vec<_>>());
    wrapped(&line.replace("{devices}", &names), 80, 6)
}
