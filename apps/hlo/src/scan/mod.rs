//! The statements of HLO text, one after the other: modules, computations, instructions.
//!
//! Only a buffer of fixed size is in memory: an instruction may be 50 MB long. The result and the
//! opcode of an instruction are read; operands and attributes are skipped, with the strings and
//! brackets in them. A line break ends an instruction, unless a bracket is open or the text shows
//! that it continues.

mod capture;
mod complaint;
mod graph;
mod instruction;
mod last;
mod lines;
mod module;
mod result;
mod skip;

use std::io::{self, Read};

use super::arrays::Arrays;
use super::findings::{Extent, Findings};
use super::graph::Table;
use super::mistake::Mistake;
use super::source::{AHEAD, Mark, Source, is_blank, run};

pub(crate) use instruction::counted;

/// A brace that is open inside an instruction, where XLA prints the computations that it calls.
#[derive(Clone, Copy)]
enum Brace {
    /// `branch_computations={`
    List,
    /// The braces of a body.
    Body,
}

/// Why a statement was not read completely.
enum Stop {
    Input(io::Error),
    Mistake(Box<Mistake>),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Input(error)
    }
}

type Step<T = ()> = Result<T, Stop>;

struct Computation {
    name: String,
    /// Where it begins.
    mark: Mark,
    entry: bool,
}

pub(crate) struct Scanner<'a, 'b, R> {
    source: Source<R>,
    findings: &'a mut Findings<'b>,
    computation: Option<Computation>,
    /// The position of the ENTRY computation of this module, if it was read.
    entry: Option<Mark>,
    /// The last computation, while none is ENTRY.
    last: last::Last,
    /// The open bodies that repeat a computation, and the open lists of them, inside the last
    /// instruction.
    bodies: Vec<Brace>,
    /// Whether the next statement may be a body.
    body_may_follow: bool,
    /// The position at which the statement begins.
    begin: Mark,
    /// The table of source locations, before the computations, whose numbered lines follow.
    in_table: Option<Table>,
    /// Builds the graph, if it is wanted.
    graph: capture::Capture,
    /// The last word that was read, up to a limited length.
    word: Vec<u8>,
    /// The last shape that was read.
    arrays: Arrays,
    extent: Extent,
}

impl<'a, 'b, R: Read> Scanner<'a, 'b, R> {
    pub(crate) fn new(source: Source<R>, findings: &'a mut Findings<'b>) -> Self {
        Self {
            begin: source.mark(),
            source,
            findings,
            computation: None,
            entry: None,
            last: last::Last::default(),
            bodies: Vec::new(),
            body_may_follow: false,
            in_table: None,
            graph: capture::Capture::default(),
            word: Vec::new(),
            arrays: Arrays::default(),
            extent: Extent::default(),
        }
    }

    /// Reads to the end. A part that cannot be read is a reported mistake and does not end the
    /// reading.
    ///
    /// # Errors
    /// If reading the input fails.
    pub(crate) fn run(mut self) -> io::Result<Extent> {
        loop {
            match self.statement() {
                Ok(true) => self.bad_byte()?,
                Ok(false) => break,
                Err(Stop::Input(error)) => return Err(error),
                Err(Stop::Mistake(mistake)) => {
                    self.findings.mistakes.add(*mistake);
                    // At most one mistake a line is reported.
                    self.recover()?;
                    self.source.take_bad();
                }
            }
        }
        self.bad_byte()?;
        self.end_module()?;
        if let Some(open) = &self.computation {
            let message = format!("the text ends inside of the computation `{}`", open.name);
            let help = format!(
                "it begins on line {} and has no closing `}}`: was the file cut short?",
                open.mark.line
            );
            self.note((self.source.mark(), 0), message, &help)?;
        }
        self.extent.bytes = self.source.mark().offset;
        Ok(self.extent)
    }

    /// Reads one statement; returns whether there was one.
    fn statement(&mut self) -> Step<bool> {
        self.blanks(true)?;
        let Some(byte) = self.source.peek()? else {
            return Ok(false);
        };
        let mark = self.source.mark();
        self.begin = mark;
        if self.open_body()? {
            self.graph_open_body()?;
            return Ok(true);
        }
        if byte == b'}' {
            self.close()?;
            return Ok(true);
        }
        if let (true, Some(table)) = (byte.is_ascii_digit(), self.in_table) {
            self.table_line(table)?;
            return Ok(true);
        }
        self.read_word()?;
        match self.word.as_slice() {
            b"HloModule" => self.module(mark)?,
            b"ENTRY" => {
                self.blanks(false)?;
                self.read_word()?;
                self.header(mark, true)?;
            }
            b"ROOT" => {
                self.blanks(false)?;
                self.read_word()?;
                self.blanks(false)?;
                self.instruction(true)?;
            }
            name if self.computation.is_none() && Table::of_name(name).is_some() => {
                self.in_table = Table::of_name(name);
                self.source.skip_line()?;
            }
            b"" => self.expected(
                match self.computation {
                    Some(_) => "an instruction or `}`",
                    None => "a module, a computation or an instruction",
                },
                "an instruction is `%name = SHAPE operation(operands), attributes`",
            )?,
            _ => {
                self.blanks(false)?;
                match self.source.peek()? {
                    Some(b'(' | b'{') => self.header(mark, false)?,
                    _ => self.instruction(false)?,
                }
            }
        }
        Ok(true)
    }

    /// Skips blanks and comments, and insignificant line breaks.
    fn blanks(&mut self, lines: bool) -> Step {
        loop {
            match self.source.peek()? {
                Some(b'\n') if !lines => return Ok(()),
                Some(b'/') => {
                    if !self.comment()? {
                        return Ok(());
                    }
                }
                Some(byte) if is_blank(byte) || byte == b'\n' => self.source.bump()?,
                _ => return Ok(()),
            }
        }
    }

    /// Skips a comment, but not the line break after it; returns whether there was one.
    fn comment(&mut self) -> Step<bool> {
        let mark = self.source.mark();
        match self.source.rest(2)? {
            [b'/', b'*', ..] => {
                self.source.skip(2);
                loop {
                    match self.source.rest(2)? {
                        [b'*', b'/', ..] => {
                            self.source.skip(2);
                            return Ok(true);
                        }
                        [] | [b'\n', ..] => {
                            let message = "the comment has no end on its line".to_owned();
                            return self.mistake((mark, 2), message, "it ends with `*/`");
                        }
                        _ => self.source.bump()?,
                    }
                }
            }
            [b'/', b'/', ..] => {
                while self.source.peek()?.is_some_and(|byte| byte != b'\n') {
                    self.source.bump()?;
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Reads a name into `word`. Without a name, `word` is empty.
    fn read_word(&mut self) -> Step {
        self.word.clear();
        loop {
            let rest = self.source.rest(1)?;
            let len = run(rest, is_name);
            let more = len > 0 && len == rest.len();
            self.word
                .extend_from_slice(&rest[..len.min(AHEAD.saturating_sub(self.word.len()))]);
            self.source.skip(len);
            if !more {
                return Ok(());
            }
        }
    }

    /// Begins a computation after its name: `%f (p: f32[2]) -> f32[2] {`.
    fn header(&mut self, mark: Mark, entry: bool) -> Step {
        let name = String::from_utf8_lossy(&self.word).into_owned();
        self.in_table = None;
        let signature = self.signature();
        if signature.is_err() && !entry && !name.starts_with('%') {
            return signature;
        }
        // Only a name with `%` is surely HLO; another one may come from other text.
        if entry || name.len() > 1 && name.starts_with('%') {
            self.findings.mistakes.found_hlo();
        }
        self.extent.computations += 1;
        self.bodies.clear();
        let entry = entry && self.first_entry(mark)?;
        self.last.begin(true);
        self.graph_computation(&name, entry, mark)?;
        let before = self.computation.replace(Computation { name, mark, entry });
        self.not_closed(before, "a computation", mark)?;
        signature
    }

    /// Reports that a computation is still open where something else begins.
    fn not_closed(&mut self, open: Option<Computation>, begins: &str, mark: Mark) -> Step {
        let Some(Computation { name, mark: at, .. }) = open else {
            return Ok(());
        };
        let message = format!("{begins} begins inside of the computation `{name}`");
        let help = format!(
            "that one begins on line {} and has no closing `}}`",
            at.line
        );
        Ok(self.note((mark, 0), message, &help)?)
    }

    /// Returns whether this ENTRY computation is the first of the module. A further one is a
    /// mistake, and not an entry.
    fn first_entry(&mut self, mark: Mark) -> Step<bool> {
        let Some(first) = self.entry else {
            self.entry = Some(mark);
            return Ok(true);
        };
        let message = "the module has a second ENTRY computation".to_owned();
        let help = format!(
            "the first one begins on line {}: did two modules get into one text without their first lines?",
            first.line
        );
        self.note((mark, b"ENTRY".len()), message, &help)?;
        Ok(false)
    }

    /// Ends a computation.
    fn close(&mut self) -> Step {
        let mark = self.source.mark();
        self.source.bump()?;
        match (self.bodies.pop(), self.computation.as_ref()) {
            (Some(Brace::List), _) => self.graph.keep(b"}"),
            (Some(Brace::Body), _) => self.graph_close(mark)?,
            (None, Some(computation)) => {
                let begin = computation.mark;
                self.computation = None;
                self.graph_close(begin)?;
            }
            (None, None) => {
                let message = "`}` closes nothing".to_owned();
                return self.mistake((mark, 1), message, "no computation is open here");
            }
        }
        // `}, execution_thread="host"`
        self.blanks(false)?;
        if self.source.peek()? == Some(b',') {
            self.attributes()?;
        }
        Ok(())
    }
}

/// Whether a byte may be in a name.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"%_.-$@:".contains(&byte)
}
