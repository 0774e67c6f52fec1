//! A text that may be a log: its lines of HLO, without the words that the log puts before each,
//! and the other lines, in which reports of running out of memory are searched.
//!
//! ```text
//! if the text begins with HLO: all of it is HLO, but for other lines behind a computation
//! otherwise it is a log: HLO begins at a module, or at HLO behind marks, and is then what
//!     looks like HLO, or is inside of a computation, behind the same marks
//! each line of HLO goes to its reader, each other line to the reader of reports
//! ```
//!
//! The lines that are no HLO become empty, so that each line of HLO keeps its number.

use std::io::{self, Read};

use super::marks::{LONGEST, Mark, length_of, marks_of};
use super::oom::Parser;
use super::source::read_some;

/// The number of bytes at the beginning that decide what a text is.
pub(crate) const SEARCHED: usize = 64 << 10;
/// What a line without marks is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Module,
    /// The first line of a computation, up to its brace or longer.
    Header,
    Instruction,
    /// The end of a computation.
    End,
    /// What may be between computations: nothing, a comment, a line of a table.
    Between,
    Other,
}

fn kind_of(line: &[u8]) -> Line {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let line = line[..line.len().min(LONGEST)].trim_ascii();
    let has = |part: &[u8]| line.windows(part.len()).any(|window| window == part);
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || b"%_.-$@:".contains(b);
    let rest = line.strip_prefix(b"ROOT ").unwrap_or(line);
    let end = rest.iter().position(|b| !is_name(b)).unwrap_or(rest.len());
    let (first, behind) = rest.split_at(end);
    let behind = behind.trim_ascii_start();
    let is_shape = |text: &[u8]| {
        let array = text.trim_ascii_start();
        let array = &array[array.iter().take_while(|&&b| b == b'(').count()..];
        let end = array.iter().position(|b| !b.is_ascii_alphanumeric());
        end.is_some_and(|end| end > 0 && array[end] == b'[') || text.starts_with(b"()")
    };
    let value = behind.strip_prefix(b"=").map(<[u8]>::trim_ascii_start);
    let is_percent = first.starts_with(b"%");
    match line {
        _ if line.starts_with(b"HloModule ") => Line::Module,
        _ if line.starts_with(b"ENTRY ") => Line::Header,
        _ if value.is_some_and(is_shape) || is_percent && value.is_some() => Line::Instruction,
        _ if is_percent && behind.starts_with(b"(") => Line::Header,
        _ if end > 0 && behind == b"{" => Line::Header,
        _ if behind.starts_with(b"(") && line.ends_with(b"{") && has(b") -> ") => Line::Header,
        [b'}', ..] => Line::End,
        [] | [b'{'] | [b'/', b'/' | b'*', ..] => Line::Between,
        b"FileNames" | b"FunctionNames" | b"FileLocations" | b"StackFrames" => Line::Between,
        [b'0'..=b'9', ..] if has(b" \"") || has(b" {") => Line::Between,
        _ => Line::Other,
    }
}

/// Where the first line of a module begins behind other words: `Host 3: HloModule m, …`.
fn module_behind(line: &[u8]) -> Option<usize> {
    const MODULE: &[u8] = b"HloModule ";
    let places = line.get(1..)?.windows(MODULE.len());
    let is_module =
        |(at, part): (usize, &[u8])| part == MODULE && matches!(line[at], b' ' | b'\'' | b'"');
    let at = places.enumerate().position(is_module)?;
    let name = &line[at + 1 + MODULE.len()..];
    let end = name
        .iter()
        .position(|b| b.is_ascii_whitespace() || *b == b',');
    // Sentences go on behind the name.
    let rest = end.map_or(&[][..], |end| &name[end..]);
    (rest.trim_ascii().is_empty() || rest[0] == b',').then_some(at + 1)
}

/// How a text is read.
enum Text {
    /// It is HLO.
    Hlo,
    /// It is a log, and the marks of the HLO in it, if it has begun.
    Log(Option<Vec<Mark>>),
}

/// A text whose lines of HLO are read from here. The parser gets the others.
pub(crate) struct Lines<R> {
    input: R,
    parser: Parser,
    text: Text,
    /// What stands before the module in the log, and is no mark. The lines behind it begin so, too.
    words: Vec<u8>,
    /// Whether the last lines were inside of a computation.
    in_computation: bool,
    /// Whether a computation has ended.
    has_ended: bool,
    /// Whether the line at `at` goes to the reader of HLO, and whether the parser gets it, if it
    /// has begun.
    line: Option<(bool, bool)>,
    /// The number of lines of a log that are not empty and no HLO.
    pub(crate) others: u64,
    /// What was read. The bytes before `at` were given or skipped.
    buffer: Vec<u8>,
    at: usize,
    /// Whether the input has no more bytes.
    is_ended: bool,
}

impl<R: Read> Lines<R> {
    /// The lines of an input with these first bytes.
    pub(crate) fn new(input: R, first: &[u8]) -> Self {
        Self {
            input,
            parser: Parser::default(),
            text: text_of(first),
            words: Vec::new(),
            in_computation: false,
            has_ended: false,
            line: None,
            others: 0,
            buffer: Vec::new(),
            at: 0,
            is_ended: false,
        }
    }

    /// The reports in the lines that are no HLO.
    pub(crate) fn finish(self) -> super::oom::Reports {
        self.parser.finish()
    }

    /// Decides about a line at its beginning, and skips its marks.
    fn begin_line(&mut self) -> io::Result<(bool, bool)> {
        self.fill(LONGEST)?;
        let rest = &self.buffer[self.at..];
        let rest = &rest[..rest.len().min(LONGEST)];
        let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let (marks, length) = match self.text {
            Text::Hlo => (Vec::new(), 0),
            Text::Log(_) => marks_of(line),
        };
        let module = module_behind(&line[length..]);
        if let (Text::Log(_), Some(at)) = (&self.text, module) {
            self.words = line[length..length + at].to_vec();
        }
        let length = length + length_of(&self.words, &line[length..]);
        let kind = kind_of(&line[length..]);
        let is_empty = line[length..].trim_ascii().is_empty();
        let is_hlo = match &self.text {
            Text::Hlo => kind != Line::Other || !self.has_ended || self.in_computation,
            Text::Log(None) => match kind {
                Line::Module | Line::Header => true,
                kind => kind == Line::Instruction && !marks.is_empty(),
            },
            Text::Log(Some(_)) if kind == Line::Module => true,
            // A log may mark the first line of a message only.
            Text::Log(Some(of_module)) if marks.is_empty() || marks == *of_module => {
                self.in_computation || kind != Line::Other
            }
            Text::Log(Some(_)) => false,
        };
        if let Text::Log(begun) = &mut self.text {
            if is_hlo && (begun.is_none() || kind == Line::Module) {
                *begun = Some(marks);
            } else if !is_hlo && !self.in_computation {
                *begun = None;
            }
        }
        if is_hlo {
            self.enter(kind);
            self.at += length;
        }
        self.others += u64::from(!is_hlo && !is_empty);
        let is_report = !is_hlo || kind == Line::Other;
        if !is_report {
            self.parser.push(b"\n");
        }
        Ok((is_hlo, is_report))
    }

    fn enter(&mut self, kind: Line) {
        match kind {
            Line::Header => self.in_computation = true,
            Line::Module => self.in_computation = false,
            Line::End => {
                self.in_computation = false;
                self.has_ended = true;
            }
            Line::Instruction | Line::Between | Line::Other => {}
        }
    }

    /// Reads until `wanted` bytes are in the buffer, or the input ends.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        if self.buffer.len() - self.at >= wanted || self.is_ended {
            return Ok(());
        }
        self.buffer.drain(..self.at);
        self.at = 0;
        while self.buffer.len() < wanted && !self.is_ended {
            let before = self.buffer.len();
            self.buffer.resize(before + SEARCHED, 0);
            let read = read_some(&mut self.input, &mut self.buffer[before..]);
            self.buffer.truncate(before + *read.as_ref().unwrap_or(&0));
            self.is_ended = read? == 0;
        }
        Ok(())
    }
}

/// What a text is, by its first bytes.
fn text_of(first: &[u8]) -> Text {
    let mut is_first = true;
    let mut at = 0;
    for line in first.split_inclusive(|&byte| byte == b'\n') {
        let (marks, length) = marks_of(line);
        let is_log = match kind_of(&line[length..]) {
            Line::Module | Line::Header => !marks.is_empty() || !is_first,
            Line::Instruction => {
                let mut parser = Parser::default();
                parser.push(&first[..at]);
                !marks.is_empty() || parser.has_begun()
            }
            // The first line of a module with a mistake in it.
            Line::Other => {
                is_first &= line.trim_ascii_start().starts_with(b"Hlo");
                at += line.len();
                continue;
            }
            Line::Between | Line::End => {
                at += line.len();
                continue;
            }
        };
        return if is_log { Text::Log(None) } else { Text::Hlo };
    }
    Text::Log(None)
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut given = 0;
        while given < out.len() {
            if self.at == self.buffer.len() {
                if given > 0 {
                    break;
                }
                self.fill(1)?;
                if self.at == self.buffer.len() {
                    break;
                }
            }
            let (is_hlo, is_report) = match self.line {
                Some(line) => line,
                None => self.begin_line()?,
            };
            let rest = &self.buffer[self.at..];
            let end = rest.iter().position(|&byte| byte == b'\n');
            let room = if is_hlo {
                out.len() - given
            } else {
                rest.len()
            };
            let length = end.map_or(rest.len(), |end| end + 1).min(room);
            let part = &rest[..length];
            self.line = (!part.ends_with(b"\n")).then_some((is_hlo, is_report));
            if is_report {
                self.parser.push(part);
            }
            // Of a line that is no HLO, the line break is left.
            let kept = if is_hlo {
                part
            } else {
                &part[length - usize::from(self.line.is_none())..]
            };
            out[given..given + kept.len()].copy_from_slice(kept);
            given += kept.len();
            self.at += length;
        }
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = "HloModule m\n\nENTRY %e (p: f32[2]) -> f32[2] {\n  %p = f32[2]{0} parameter(0)\n  \
        ROOT %c = f32[2]{0} copy(%p), metadata={op_name=\"[a] (pid=1) x.cc:7] \"}\n}\n";

    /// The words before a line in the logs of several programs.
    const BEFORE: [&str; 17] = [
        "2020-11-21 18:52:46.880432: E    4498 tensorflow/compiler/xla/xla_client/xla_util.cc:76] ",
        "I1121 18:52:46.880432  4498 pjrt_client.cc:1234] ",
        "[rank0]: ",
        "(Worker pid=7, ip=10.0.0.1) ",
        "Nov 21 18:52:46 host python3[4498]: ",
        "2020-11-21T18:52:46.880432Z stderr F ",
        "[2020-11-21 18:52:46] [7] ",
        "(pid=7) [rank1]: I1121 18:52:46 4498 a.cc:1] ",
        "E   ",
        "2020-11-21T18:52:46.8804321Z ",
        "1.06.520.077 E ",
        "(EngineCore pid=106339) ERROR 06-03 07:41:11 [core.py:1184] ",
        "E0000 00:00:1605984766.880432    4498 a.cc:1] ",
        "2020-11-21 18:52:46,880 - train - ERROR - ",
        "worker-1  | ",
        "\x1b[36m(RayTrainWorker pid=1, ip=10.0.0.1)\x1b[0m ",
        "[1,0]<stderr>: ",
    ];

    /// The HLO of a text, read in pieces of this length, and the number of its reports.
    fn read(text: &str, piece: usize) -> (String, usize) {
        let first = &text.as_bytes()[..text.len().min(SEARCHED)];
        let mut lines = Lines::new(text.as_bytes(), first);
        let mut read = Vec::new();
        let mut buffer = vec![0; piece];
        while let length @ 1.. = lines.read(&mut buffer).unwrap() {
            read.extend_from_slice(&buffer[..length]);
        }
        (
            String::from_utf8(read).unwrap(),
            lines.finish().reports.len(),
        )
    }

    const REPORT: &str = "RESOURCE_EXHAUSTED: Out of memory allocating 5 bytes.\n";

    #[test]
    fn a_log_is_divided() {
        for before in BEFORE {
            let marked = |text: &str| {
                text.lines()
                    .map(|line| format!("{before}{line}\n"))
                    .collect::<String>()
            };
            let module = marked(MODULE);
            assert_eq!(read(&module, 1000), (MODULE.to_owned(), 0), "{before}");
            let log = format!(
                "{before}>>> Dumping\nstep 1\n{module}{before}done\n{}{module}",
                marked(REPORT)
            );
            let expected = format!("\n\n{MODULE}\n\n{MODULE}");
            assert_eq!(read(&log, 1000), (expected, 1), "{before}");
        }
        assert_eq!(read(MODULE, 1000), (MODULE.to_owned(), 0));
        // Words that are no mark: the blank behind them stays.
        let strange = MODULE.lines().map(|line| format!("Host 3: {line}\n"));
        let (hlo, _) = read(
            &format!("Host 1: step\n{}", strange.collect::<String>()),
            1000,
        );
        let expected = MODULE.lines().map(|line| format!(" {line}\n"));
        assert_eq!(hlo, format!("\n{}", expected.collect::<String>()));
        let (hlo, _) = read("Look at HloModule m in this text\n", 1000);
        assert_eq!(hlo, "\n");
        // A message of several lines, of which the first one is marked.
        let message = format!("{}{MODULE}step 2\n", BEFORE[1]);
        assert_eq!(read(&message, 1000), (format!("{MODULE}\n"), 0));
        // A module in the middle of other lines, and behind 64 KiB of them.
        for lines in [1, 10_000] {
            let before = "INFO step 1 = done\n".repeat(lines);
            let log = format!("{before}{MODULE}\nTraceback:\n{REPORT}");
            let expected = format!("{}{MODULE}\n\n\n", "\n".repeat(lines));
            assert_eq!(read(&log, 1000), (expected, 1));
        }
    }

    /// What looks like HLO in other text hides no report, and no computation.
    #[test]
    fn other_text_may_look_like_hlo() {
        for before in [
            "config = (a, b)\n",
            "x = 5\n}\n",
            "ROOT cause = f32[2]: {\n",
        ] {
            let (_, reports) = read(&format!("{before}{REPORT}"), 1000);
            assert_eq!(reports, 1, "{before}");
        }
        let kernel = "RESOURCE_EXHAUSTED: Ran out of memory in memory space vmem while allocating on stack for\n\
            %k = bf16[2,3]{1,0} custom-call(%a)\n";
        assert_eq!(read(kernel, 1000), ("\n\n".to_owned(), 1));
        let (_, computation) = MODULE.split_once('\n').unwrap();
        let text = format!("What is this?\n{computation}```\n");
        assert_eq!(read(&text, 1000), (format!("\n{computation}\n"), 0));
        // A mistake in the first line is told by who reads HLO.
        let typo = MODULE.replace("HloModule", "HloModul");
        assert_eq!(read(&typo, 1000), (typo.clone(), 0));
    }

    #[test]
    fn lines_of_any_length_are_read_in_pieces() {
        let long = MODULE.replace("op_name", &format!("a=\"{}\" op_name", "x".repeat(200_000)));
        let lines = long.lines().map(|line| format!("{}{line}\n", BEFORE[0]));
        assert_eq!(read(&lines.collect::<String>(), 7), (long, 0));
    }
}
