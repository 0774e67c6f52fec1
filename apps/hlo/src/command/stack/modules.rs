//! Modules that nest as deeply, or branch as widely, as a test asks for.

/// A chain of computations `%c0` to `%cN`, of which each but the first has `rest`, in which
/// `CALLED` is the one before; the entry is the next one of the chain.
pub(super) fn chain(depth: usize, shape: &str, rest: &str) -> String {
    let mut text = format!(
        "HloModule m, is_scheduled=true\n\n%yes {{\n  %x = {shape} parameter(0)\n  ROOT %p = pred[] constant(true)\n}}\n\n\
         %c0 {{\n  ROOT %x = {shape} parameter(0)\n}}\n"
    );
    for k in 1..=depth {
        let begin = match k == depth {
            true => "ENTRY %e".to_owned(),
            false => format!("%c{k}"),
        };
        let rest = rest.replace("CALLED", &format!("%c{}", k - 1));
        text += &format!("\n{begin} {{\n  %x = {shape} parameter(0)\n{rest}}}\n");
    }
    text
}

pub(super) const ARRAY: &str = "u8[1]{0}";

pub(super) fn innermost_condition(depth: usize, fusion: &str) -> String {
    let mut text = chain(depth, "s32[]", fusion);
    text = text.replacen(
        "%c0 {\n  ROOT %x = s32[] parameter(0)\n",
        "%c0 {\n  %x = s32[] parameter(0)\n  %n = s32[] constant(9)\n  ROOT %y = pred[] compare(%x, %n), direction=LT\n",
        1,
    );
    let entry = text.find("ENTRY").unwrap();
    text.truncate(entry);
    text += &format!(
        "%condition {{\n  %s = (s32[], f32[8,8]{{1,0}}) parameter(0)\n  %i = s32[] get-tuple-element(%s), index=0\n  \
         ROOT %y = pred[] fusion(%i), kind=kLoop, calls=%c{}\n}}\n\n",
        depth - 1
    );
    text + &looped("s32[] constant(1)", "%condition")
}

/// A module with a loop that copies and whose counter grows by `step`.
pub(super) fn looped(step: &str, condition: &str) -> String {
    let state = "(s32[], f32[8,8]{1,0})";
    format!(
        "%body {{\n  %s = {state} parameter(0)\n  %i = s32[] get-tuple-element(%s), index=0\n  \
         %a = f32[8,8]{{1,0}} get-tuple-element(%s), index=1\n  %b = f32[8,8]{{0,1}} copy(%a)\n  %c = f32[8,8]{{1,0}} copy(%b)\n  \
         %step = {step}\n  %j = s32[] add(%i, %step)\n  ROOT %r = {state} tuple(%j, %c)\n}}\n\n\
         ENTRY %e {{\n  %a = f32[8,8]{{1,0}} parameter(0)\n  %zero = s32[] constant(0)\n  %s = {state} tuple(%zero, %a)\n  \
         ROOT %w = {state} while(%s), condition={condition}, body=%body\n}}\n"
    )
}

pub(super) const CONDITION: &str = "%condition {\n  %s = (s32[], f32[8,8]{1,0}) parameter(0)\n  %i = s32[] get-tuple-element(%s), index=0\n  \
                         %n = s32[] constant(12)\n  ROOT %y = pred[] compare(%i, %n), direction=LT\n}\n\n";

/// Sums of sums, each of which adds the one before to itself: 2^N paths lead to the constant.
pub(super) fn sums(count: usize, of: u32) -> String {
    let mut text = format!("s32[] constant({of})\n");
    for k in 0..count {
        let before = match k {
            0 => "step".to_owned(),
            k => format!("k{}", k - 1),
        };
        text += &format!("  %k{k} = s32[] add(%{before}, %{before})\n");
    }
    text.trim_end().to_owned()
}

/// A field of a proto that holds bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut all = vec![number << 3 | 2];
    let mut length = bytes.len();
    while length >= 0x80 {
        all.push(length as u8 | 0x80);
        length >>= 7;
    }
    all.push(length as u8);
    all.extend_from_slice(bytes);
    all
}

/// A binary module of a parameter nested in `depth` tuples. Its instruction has `more` further
/// bytes that no reader needs.
pub(super) fn proto(depth: usize, more: usize) -> Vec<u8> {
    let of_number = |number: u8, value: u8| vec![number << 3, value];
    // `f32[2]{0}`
    let layout = field(5, &field(1, &[0]));
    let mut shape = [of_number(2, 11), field(3, &[2]), layout].concat();
    for _ in 0..depth {
        shape = [of_number(2, 13), field(4, &shape)].concat();
    }
    let instruction = [
        field(1, b"p"),
        field(2, b"parameter"),
        field(3, &shape),
        field(15, &vec![0; more]),
    ];
    let computation = [
        field(1, b"e"),
        field(2, &instruction.concat()),
        of_number(5, 1),
    ];
    let module = [
        field(1, b"m"),
        field(3, &computation.concat()),
        of_number(6, 1),
    ];
    module.concat()
}
