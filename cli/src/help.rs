//! The texts of `--help`. Those of each command are in a file of `help/`: what it does, then sections, each with a heading `# …`,
//! below the arguments. In a section, lines with two blanks before them are to be typed, and lines with more say what they mean.

use std::fmt::Write;

use anstyle::Style;

use crate::failure::Code;

/// The headings of clap's own sections.
const HEADING: Style = Style::new().bold().underline();
/// What is to be typed.
const LITERAL: Style = Style::new().bold();

/// The text of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text(&'static str);

pub(crate) const XLAYOUT: Text = Text(include_str!("help/xlayout.txt"));
pub(crate) const EXPLAIN: Text = Text(include_str!("help/explain.txt"));
pub(crate) const EXPLAIN_SHAPE: Text = Text(include_str!("help/explain_shape.txt"));
pub(crate) const DRAW: Text = Text(include_str!("help/draw.txt"));
pub(crate) const DIFF: Text = Text(include_str!("help/diff.txt"));
pub(crate) const EMIT: Text = Text(include_str!("help/emit.txt"));
pub(crate) const ALGEBRA: Text = Text(include_str!("help/algebra.txt"));
pub(crate) const HLO: Text = Text(include_str!("help/hlo.txt"));
pub(crate) const HLO_COPIES: Text = Text(include_str!("help/hlo_copies.txt"));
pub(crate) const HLO_DIFF: Text = Text(include_str!("help/hlo_diff.txt"));
pub(crate) const HLO_MEMORY: Text = Text(include_str!("help/hlo_memory.txt"));
pub(crate) const ADVISE: Text = Text(include_str!("help/advise.txt"));
pub(crate) const CONVERT: Text = Text(include_str!("help/convert.txt"));
pub(crate) const CONVERT_FROM: Text = Text(include_str!("help/convert_from.txt"));
pub(crate) const CONVERT_TO: Text = Text(include_str!("help/convert_to.txt"));
pub(crate) const CONVERT_OPAQUE: Text = Text(include_str!("help/convert_opaque.txt"));
pub(crate) const RESHARD: Text = Text(include_str!("help/reshard.txt"));
pub(crate) const RESHARD_PLAN: Text = Text(include_str!("help/reshard_plan.txt"));
pub(crate) const RESHARD_RUN: Text = Text(include_str!("help/reshard_run.txt"));
pub(crate) const RESHARD_VERIFY: Text = Text(include_str!("help/reshard_verify.txt"));
pub(crate) const RELAYOUT: Text = Text(include_str!("help/relayout.txt"));
pub(crate) const COMPLETIONS: Text = Text(include_str!("help/completions.txt"));
pub(crate) const MAN: Text = Text(include_str!("help/man.txt"));

/// What the parts of a shape mean; each line has the part in its first ten columns.
const PARTS: &str = include_str!("help/parts.txt");

impl Text {
    /// What the command does.
    pub(crate) fn about(self) -> &'static str {
        let end = self.0.find("\n\n# ").unwrap_or(self.0.len());
        self.0[..end].trim_end()
    }

    fn sections(self) -> impl Iterator<Item = (&'static str, std::str::Lines<'static>)> {
        self.0.split("\n\n# ").skip(1).map(|section| {
            let mut lines = section.lines();
            (lines.next().unwrap_or_default(), lines)
        })
    }

    /// What is below the arguments, in the styles of clap's own sections.
    pub(crate) fn below(self) -> String {
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

    /// Commands to copy, each with a line that says what it shows.
    pub(crate) fn examples(self) -> Vec<(&'static str, &'static str)> {
        let examples = self.sections().find(|(title, _)| *title == "Examples");
        let mut lines = examples
            .map_or("".lines(), |(_, lines)| lines)
            .map(str::trim);
        std::iter::from_fn(|| lines.next().zip(lines.next())).collect()
    }
}

/// The parts of a shape, each with its meaning; a part of no text goes on with the one before it.
pub(crate) fn parts() -> impl Iterator<Item = (&'static str, &'static str)> {
    PARTS
        .lines()
        .map(|line| (line[..10].trim_end(), &line[10..]))
}

/// Below `xlayout -h`.
pub(crate) fn shortly() -> String {
    format!(
        "Try {LITERAL}xlayout explain 'f32[2,3]{{0,1}}'{LITERAL:#}, and {LITERAL}--help{LITERAL:#} for more: \
         how to read a shape, examples, exit codes."
    )
}
