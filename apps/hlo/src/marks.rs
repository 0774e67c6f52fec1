//! The words that a log puts before a line: marks, of which a line may have several.

/// How many bytes of a line are looked at.
pub(crate) const LONGEST: usize = 512;
/// The most marks before a line.
const MOST_MARKS: usize = 8;

/// What a log puts before a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// `ESC[36m`, and what it looks like without the escape.
    Colour,
    /// `2020-11-21 18:52:46.880432: E    4498 xla/xla_util.cc:76] `, `I1121 18:52:46 1 a.py:3] `
    Source,
    /// `[rank0]: `, `[2024-01-01 10:00:00] `, `[1,0]<stderr>: `
    Brackets,
    /// `(Worker pid=7, ip=10.0.0.1) `
    Process,
    /// `Nov 21 18:52:46 host python[7]: `
    Journal,
    /// `2020-11-21T18:52:46Z `, with the words of Kubernetes behind it: `stderr F `; `18:52:46 `;
    /// `1.06.520.077 E `
    Time,
    /// `ERROR:root:`, ` - train - INFO - `, `| ERROR | `
    Level,
    /// pytest's `E   `
    Letter,
    /// `worker-1  | `, `0: `, `> `, `│ `
    Name,
}

const MARKS: [(Mark, fn(&str) -> Option<usize>); 9] = [
    (Mark::Colour, colour),
    (Mark::Source, source),
    (Mark::Brackets, brackets),
    (Mark::Process, process),
    (Mark::Journal, journal),
    (Mark::Time, time),
    (Mark::Level, level),
    (Mark::Letter, letter),
    (Mark::Name, name),
];

fn colour(text: &str) -> Option<usize> {
    let codes = text.strip_prefix("\x1b[")?;
    let end = codes.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    Some(text.len() - codes.len() + end + 1).filter(|&end| text.is_char_boundary(end))
}

fn source(text: &str) -> Option<usize> {
    let end = text.find(']')?;
    let (place, number) = text[..end].rsplit_once(':')?;
    let file = place.rsplit([' ', '/']).next()?;
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let is_place = is_number && file.contains('.') && !place.contains(['%', '=']);
    is_place.then_some(end + 1)
}

fn brackets(text: &str) -> Option<usize> {
    let end = text.strip_prefix('[')?.find(']')? + 2;
    let rest = &text[end..];
    let stream = ["<stderr>", "<stdout>"]
        .into_iter()
        .find(|stream| rest.starts_with(stream));
    let end = end + stream.map_or(0, str::len);
    match text[end..].chars().next() {
        Some(':') => Some(end + 1),
        // A shape, as in `[2,3]{1,0}`, is no mark.
        None | Some(' ' | '[') => Some(end),
        Some(_) => None,
    }
}

fn process(text: &str) -> Option<usize> {
    let end = text.strip_prefix('(')?.find(')')? + 2;
    text[..end].contains("pid=").then_some(end)
}

fn journal(text: &str) -> Option<usize> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let month = MONTHS.find(text.get(..3)?)?;
    let end = text.find("]: ")?;
    let is_month = month % 3 == 0 && text.as_bytes()[3] == b' ';
    is_month.then_some(end + 2)
}

fn time(text: &str) -> Option<usize> {
    // A digit stands for each digit.
    let is_like = |from: usize, form: &str| {
        let part = text.get(from..from + form.len());
        part.is_some_and(|part| {
            let mut pairs = part.bytes().zip(form.bytes());
            pairs.all(|(b, f)| {
                if f == b'0' {
                    b.is_ascii_digit()
                } else {
                    b == f
                }
            })
        })
    };
    let is_clock = |from: usize| is_like(from, "00:00:00");
    if is_like(0, "0.00.000.000 ") && text.get(14..15) == Some(" ") {
        // llama.cpp's, with the letter of a level.
        return Some(14);
    }
    let word = |from: usize| text[from..].find(' ').map_or(text.len(), |end| from + end);
    let is_date = is_like(0, "0000-00-00") || is_like(0, "0000/00/00");
    let mut end = if is_date && is_like(10, " ") && is_clock(11) {
        // A blank between the date and the time, in place of `T`.
        word(11)
    } else if is_date {
        word(10)
    } else if is_clock(0) {
        word(8)
    } else {
        return None;
    };
    for words in [" stderr F", " stdout F"] {
        end += text[end..].strip_prefix(words).map_or(0, |_| words.len());
    }
    Some(end)
}

fn level(text: &str) -> Option<usize> {
    const LEVELS: [&str; 8] = [
        "DEBUG", "INFO", "WARNING", "WARN", "ERROR", "CRITICAL", "FATAL", "NOTICE",
    ];
    let is_inside = |c: char| c.is_ascii_alphanumeric() || "-_.:,| ".contains(c);
    let begin = text.find(|c| !is_inside(c)).unwrap_or(text.len());
    let is_between = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let mut at = 0;
    let found = text[..begin].split_inclusive(is_between).find_map(|part| {
        let word = part.trim_end_matches(is_between);
        let end = at + word.len();
        at += part.len();
        LEVELS.contains(&word).then_some(end)
    })?;
    // `INFO:tensorflow:`
    let rest = &text[found..];
    let logger = rest.strip_prefix(':').and_then(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.')?;
        (end > 0 && rest[end..].starts_with(':')).then_some(found + end + 2)
    });
    let blanks = rest.len() - rest.trim_start_matches(' ').len();
    let is_divided = rest[blanks..].starts_with(['-', ':', '|', ']']);
    logger.or(Some(if is_divided {
        found + blanks + 1
    } else {
        found
    }))
}

fn letter(text: &str) -> Option<usize> {
    (text == "E" || text.starts_with("E  ")).then_some(text.len().min(3))
}

fn name(text: &str) -> Option<usize> {
    if let Some(quote) = ["> ", "| ", "│ "]
        .into_iter()
        .find(|quote| text.starts_with(quote))
    {
        return Some(quote.len() - 1);
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let end = text.find(|c| !is_name(c)).filter(|&end| end > 0)?;
    let blanks = text[end..].len() - text[end..].trim_start_matches(' ').len();
    if text[end + blanks..].starts_with("| ") {
        return Some(end + blanks + 1);
    }
    let is_rank = text[..end].bytes().all(|b| b.is_ascii_digit());
    (is_rank && text[end..].starts_with(": ")).then_some(end + 1)
}

/// A line without colours.
pub(crate) fn without_colours(line: &str) -> String {
    let mut parts = line.split('\x1b');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = format!("\x1b{part}");
        text += &code[colour(&code).unwrap_or(1)..];
    }
    text
}

/// The marks at the beginning of a line, and their length with a blank behind each.
pub(crate) fn marks_of(line: &[u8]) -> (Vec<Mark>, usize) {
    let line = &line[..line.len().min(LONGEST)];
    let text = match str::from_utf8(line) {
        Ok(text) => text,
        // The text before the first byte that is no UTF-8.
        Err(error) => str::from_utf8(&line[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut marks = Vec::new();
    let mut at = 0;
    while marks.len() < MOST_MARKS && at < text.len() {
        let found = MARKS
            .iter()
            .find_map(|(mark, length)| Some((*mark, length(&text[at..])?)));
        let Some((mark, length)) = found else {
            break;
        };
        if mark != Mark::Colour {
            marks.push(mark);
        }
        at += length;
        at += usize::from(text[at..].starts_with(' '));
    }
    (marks, at)
}

/// The length of these words at the beginning of a line, in which digits may differ; 0 if the line
/// does not begin so.
pub(crate) fn length_of(words: &[u8], line: &[u8]) -> usize {
    let words = words.trim_ascii_end();
    let is_same = |(a, b): (&u8, &u8)| a == b || a.is_ascii_digit() && b.is_ascii_digit();
    let has_words = line.len() >= words.len() && words.iter().zip(line).all(is_same);
    if has_words { words.len() } else { 0 }
}
