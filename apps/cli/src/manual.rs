//! `xlayout completions` and `xlayout man`: made from the command line itself.

use std::fmt::Display;
use std::io::{self, Write};

use clap_complete::Shell;
use clap_mangen::roff::{Roff, bold, roman};

use xlayout_command::{Code, Failure, Outcome, TextSpan, help};
use xlayout_words as words;

/// The arguments of `xlayout completions`.
#[derive(clap::Args, Debug)]
pub(crate) struct Completions {
    /// Whose completions
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// The arguments of `xlayout man`.
#[derive(clap::Args, Debug)]
pub(crate) struct Page {
    /// The command whose page is printed; without one, that of the program
    command: Option<String>,
}

pub(crate) fn completions(
    arguments: &Completions,
    mut program: clap::Command,
    out: &mut dyn Write,
) -> Outcome {
    // Into a buffer first, because `generate` panics if the writer fails.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "xlayout", &mut script);
    Ok(out.write_all(&script)?)
}

pub(crate) fn man(arguments: &Page, mut program: clap::Command, out: &mut dyn Write) -> Outcome {
    program.build();
    let command = match &arguments.command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let names = program.get_subcommands().map(clap::Command::get_name);
                let names: Vec<_> = names.filter(|name| *name != "help").collect();
                return Err(Failure::usage(format_args!("there is no command `{name}`"))
                    .at(TextSpan::of_whole("", name))
                    .help(format_args!("the commands are {}", words::listed(&names))));
            }
        },
    };
    Ok(page(command, out)?)
}

/// The sections in the sequence of `man-pages(7)`.
fn page(command: clap::Command, out: &mut dyn Write) -> io::Result<()> {
    let whole = command.get_name() == "xlayout";
    let page = clap_mangen::Man::new(command.clone())
        .title(command.get_display_name().unwrap_or("xlayout"))
        .source(concat!("xlayout ", env!("CARGO_PKG_VERSION")));
    let mut text: Vec<u8> = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    if whole {
        page.render_subcommands_section(&mut text)?;
        terms("HOW TO READ A SHAPE", help::parts()).to_writer(&mut text)?;
    }
    terms("EXIT STATUS", Code::MEANINGS.into_iter().enumerate()).to_writer(&mut text)?;
    if whole {
        terms("EXAMPLES", examples()).to_writer(&mut text)?;
    } else if command
        .get_after_long_help()
        .or(command.get_after_help())
        .is_some()
    {
        // The text below the help, under the heading of man-pages(7).
        let mut extra: Vec<u8> = Vec::new();
        page.render_extra_section(&mut extra)?;
        text.extend(
            String::from_utf8_lossy(&extra)
                .replacen(".SH EXTRA", ".SH NOTES", 1)
                .bytes(),
        );
    }
    out.write_all(&text)
}

/// Example commands, each with a line that explains it.
fn examples() -> Vec<(&'static str, &'static str)> {
    let mut sections = help::sections(include_str!("help/xlayout.txt"));
    let examples = sections.find(|(title, _)| *title == "Examples");
    let lines = examples.into_iter().flat_map(|(_, lines)| lines);
    let mut lines = lines.map(str::trim);
    std::iter::from_fn(|| lines.next().zip(lines.next())).collect()
}

/// A section of words, each with its meaning.
fn terms<'a>(section: &str, rows: impl IntoIterator<Item = (impl Display, &'a str)>) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [section]);
    for (term, meaning) in rows {
        let term = term.to_string();
        if !term.is_empty() {
            roff.control("TP", []);
            roff.text([bold(term)]);
        }
        roff.text([roman(meaning)]);
    }
    roff
}
