//! HLO in a log: the words that the log puts before each line are taken off.
//!
//! ```text
//! marks: the kinds of words that a log may put before a line
//! in the first 64 KiB, find the first line that is HLO behind a sequence of marks
//! from that line on: if a line begins with the same marks, take them off
//! ```
//!
//! The lines before that one become empty, so that each other line keeps its number. Lines without
//! the marks stay as they are.

use std::io::{self, Read};

/// The number of bytes at the beginning in which HLO is searched.
pub(crate) const SEARCHED: usize = 64 << 10;
/// How many bytes of a line are looked at for a mark.
const LONGEST: usize = 512;

/// What a log puts before a line.
#[derive(Clone, Copy)]
enum Mark {
    /// `2020-11-21 18:52:46.880432: E    4498 xla/xla_util.cc:76] `, `I1121 18:52:46 1 a.py:3] `
    Source,
    /// `[rank0]: `, `[2024-01-01 10:00:00] `
    Brackets,
    /// `(Worker pid=7, ip=10.0.0.1) `
    Process,
    /// `Nov 21 18:52:46 host python[7]: `
    Journal,
    /// `2020-11-21T18:52:46Z `, with the words of Kubernetes behind it: `stderr F `
    Time,
}

const MARKS: [Mark; 5] = [
    Mark::Source,
    Mark::Brackets,
    Mark::Process,
    Mark::Journal,
    Mark::Time,
];

impl Mark {
    /// The length of this mark at the beginning of a line, with a blank after it; `None` if the
    /// line does not begin with it.
    fn length(self, line: &[u8]) -> Option<usize> {
        let text = str::from_utf8(&line[..line.len().min(LONGEST)]);
        let text = match text {
            Ok(text) => text,
            // The text before the first byte that is no UTF-8.
            Err(error) => str::from_utf8(&line[..error.valid_up_to()]).unwrap_or_default(),
        };
        let with_blank = |end: usize| {
            let rest = &text[end..];
            end + usize::from(rest.starts_with(' '))
        };
        match self {
            Self::Source => {
                let end = text.find(']')?;
                let (place, number) = text[..end].rsplit_once(':')?;
                let file = place.rsplit([' ', '/']).next()?;
                let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
                let is_place = is_number && file.contains('.') && !place.contains(['%', '=']);
                is_place.then(|| with_blank(end + 1))
            }
            Self::Brackets => {
                let end = text.strip_prefix('[')?.find(']')? + 2;
                let colon = usize::from(text[end..].starts_with(':'));
                Some(with_blank(end + colon))
            }
            Self::Process => {
                let end = text.strip_prefix('(')?.find(')')? + 2;
                text[..end].contains("pid=").then(|| with_blank(end))
            }
            Self::Journal => {
                const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
                let month = MONTHS.find(text.get(..3)?)?;
                let end = text.find("]: ")?;
                let is_month = month % 3 == 0 && text.as_bytes()[3] == b' ';
                is_month.then(|| with_blank(end + 2))
            }
            Self::Time => {
                let digits = |from: usize, to: usize| {
                    text.get(from..to)
                        .is_some_and(|text| text.bytes().all(|b| b.is_ascii_digit()))
                };
                let is_date = digits(0, 4) && digits(5, 7) && digits(8, 10);
                if !is_date || text.as_bytes()[4] != b'-' {
                    return None;
                }
                let mut end = text.find(' ')?;
                // A blank between the date and the time, in place of `T`.
                if end == 10 && digits(11, 13) {
                    end += 1 + text[11..].find(' ')?;
                }
                for words in [" stderr F", " stdout F"] {
                    end += text[end..].strip_prefix(words).map_or(0, |_| words.len());
                }
                Some(with_blank(end))
            }
        }
    }
}

/// The marks at the beginning of a line, at most five, and their length.
fn marks_of(line: &[u8]) -> (Vec<Mark>, usize) {
    let mut marks = Vec::new();
    let mut at = 0;
    while marks.len() < MARKS.len() {
        let rest = &line[at..];
        let found = MARKS
            .iter()
            .find_map(|mark| Some((*mark, mark.length(rest)?)));
        let Some((mark, length)) = found else {
            break;
        };
        marks.push(mark);
        at += length;
    }
    (marks, at)
}

/// Whether a line begins a module, a computation, or is an instruction.
fn is_hlo(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let has = |part: &[u8]| line.windows(part.len()).any(|window| window == part);
    line.starts_with(b"HloModule ")
        || line.starts_with(b"ENTRY ")
        || (line.starts_with(b"%") || line.starts_with(b"ROOT ")) && (has(b" = ") || has(b" ("))
}

/// A log that holds HLO, without what it puts before each line.
pub(crate) struct Unmarked<R> {
    input: R,
    /// The marks that are taken off.
    marks: Vec<Mark>,
    /// How many of the next lines are left out.
    left_out: usize,
    /// What was read. The bytes before `at` were given or skipped.
    buffer: Vec<u8>,
    at: usize,
    /// Whether the marks of the line at `at` were skipped already.
    in_line: bool,
    /// Whether the input has no more bytes.
    is_ended: bool,
}

impl<R: Read> Unmarked<R> {
    /// Returns the input without marks, if its first bytes are a log with HLO in it; otherwise the
    /// input itself.
    pub(crate) fn of(input: R, first: &[u8]) -> Result<Self, R> {
        for (number, line) in first.split(|&byte| byte == b'\n').enumerate() {
            let (marks, length) = marks_of(line);
            let is_hlo = is_hlo(&line[length..]);
            if is_hlo && marks.is_empty() {
                break;
            }
            if is_hlo {
                return Ok(Self {
                    input,
                    marks,
                    left_out: number,
                    buffer: Vec::new(),
                    at: 0,
                    in_line: false,
                    is_ended: false,
                });
            }
        }
        Err(input)
    }

    /// Skips the marks at the beginning of a line. Of a line that is left out, it skips all but the
    /// line break.
    fn begin_line(&mut self) -> io::Result<()> {
        if self.left_out > 0 {
            self.left_out -= 1;
            while !self.buffer[self.at..].contains(&b'\n') && !self.is_ended {
                self.at = self.buffer.len();
                self.fill(1)?;
            }
            self.at += self.buffer[self.at..]
                .iter()
                .take_while(|&&byte| byte != b'\n')
                .count();
            return Ok(());
        }
        self.fill(LONGEST)?;
        let rest = &self.buffer[self.at..];
        let end = rest.iter().position(|&byte| byte == b'\n');
        let line = &rest[..end.unwrap_or(rest.len())];
        let mut length = 0;
        for mark in &self.marks {
            match mark.length(&line[length..]) {
                Some(more) => length += more,
                // A line of another source.
                None => return Ok(()),
            }
        }
        self.at += length.min(line.len());
        Ok(())
    }

    /// Reads until `wanted` bytes are in the buffer, or the input ends.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        self.buffer.drain(..self.at);
        self.at = 0;
        while self.buffer.len() < wanted && !self.is_ended {
            let before = self.buffer.len();
            self.buffer.resize(before + SEARCHED, 0);
            let read = self.input.read(&mut self.buffer[before..]);
            self.buffer.truncate(before + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => self.is_ended = true,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Unmarked<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut given = 0;
        while given < out.len() {
            if self.at == self.buffer.len() {
                if given > 0 {
                    break;
                }
                self.fill(1)?;
                if self.buffer.is_empty() {
                    break;
                }
            }
            if !self.in_line {
                self.begin_line()?;
                self.in_line = true;
                continue;
            }
            let rest = &self.buffer[self.at..];
            let end = rest.iter().position(|&byte| byte == b'\n');
            let length = end.map_or(rest.len(), |end| end + 1).min(out.len() - given);
            out[given..given + length].copy_from_slice(&rest[..length]);
            self.in_line = !rest[..length].ends_with(b"\n");
            given += length;
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
    const BEFORE: [&str; 8] = [
        "2020-11-21 18:52:46.880432: E    4498 tensorflow/compiler/xla/xla_client/xla_util.cc:76] ",
        "I1121 18:52:46.880432  4498 pjrt_client.cc:1234] ",
        "[rank0]: ",
        "(Worker pid=7, ip=10.0.0.1) ",
        "Nov 21 18:52:46 host python3[4498]: ",
        "2020-11-21T18:52:46.880432Z stderr F ",
        "[2020-11-21 18:52:46] [7] ",
        "(pid=7) [rank1]: I1121 18:52:46 4498 a.cc:1] ",
    ];

    fn unmarked(text: &str) -> Option<String> {
        let first = &text.as_bytes()[..text.len().min(SEARCHED)];
        let mut read = String::new();
        let mut input = Unmarked::of(text.as_bytes(), first).ok()?;
        input.read_to_string(&mut read).unwrap();
        Some(read)
    }

    #[test]
    fn the_words_of_a_log_are_taken_off() {
        for before in BEFORE {
            let lines = MODULE.lines().map(|line| format!("{before}{line}\n"));
            let log: String = lines.collect();
            assert_eq!(unmarked(&log).as_deref(), Some(MODULE), "{before}");
            let log = format!("{before}>>> Dumping\nstep 1\n{log}");
            let expected = format!("\n\n{MODULE}");
            assert_eq!(unmarked(&log), Some(expected), "{before}");
        }
        assert_eq!(unmarked(MODULE), None);
        assert_eq!(unmarked("[rank0]: no HLO\n"), None);
    }

    #[test]
    fn lines_of_any_length_are_read_in_pieces() {
        let long = MODULE.replace("op_name", &format!("a=\"{}\" op_name", "x".repeat(200_000)));
        let log: String = long
            .lines()
            .map(|line| format!("{}{line}\n", BEFORE[0]))
            .collect();
        let first = &log.as_bytes()[..SEARCHED];
        let Ok(mut input) = Unmarked::of(log.as_bytes(), first) else {
            panic!("a log")
        };
        let mut read = Vec::new();
        let mut piece = [0; 7];
        while let length @ 1.. = input.read(&mut piece).unwrap() {
            read.extend_from_slice(&piece[..length]);
        }
        assert_eq!(String::from_utf8(read).unwrap(), long);
    }
}
