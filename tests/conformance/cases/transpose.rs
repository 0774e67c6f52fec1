//! The copies of XLA's TransposePlan: the vectors `transpose`, and the cases of `transpose_test`.
//!
//! A transpose is a copy between two layouts of one logical array, the input's: the input lies
//! row-major, the output's minor_to_major is the permutation read backwards, and tiles are on the
//! last physical dimensions of their side.

use serde_json::Value;
use xlayout::{ArrayLayout, DynLayout, ElementType};
use xlayout_relayout::Plan;

type Check = Result<(), String>;

/// Checks a line of vectors of a kind, or a case of an op. Returns `None` for other lines.
pub(crate) fn check(kind_or_op: &str, case: &Value) -> Option<Check> {
    // A case names its op as the vectors name their kind, and has what it is given in `in`.
    match (kind_or_op, case.get("op")) {
        ("transpose", None) => Some(line(case)),
        ("transpose", Some(_)) => Some(unit(&case["in"], &case["expect"])),
        ("transpose_strided", Some(_)) => Some(unit_strided(&case["in"], &case["expect"])),
        _ => None,
    }
}

/// The numbers of a list, in JSON or in a text with commas; `-` is an empty list.
fn numbers(value: &Value) -> Result<Vec<i64>, String> {
    let list: Option<Vec<i64>> = match value {
        Value::String(text) if text == "-" || text.is_empty() => Some(vec![]),
        Value::String(text) => text.split(',').map(|number| number.parse().ok()).collect(),
        Value::Array(list) => list.iter().map(Value::as_i64).collect(),
        _ => None,
    };
    list.ok_or_else(|| format!("{value} is no list of numbers"))
}

/// The type that represents elements of this number of bytes.
fn element_type(bytes: i64) -> Result<ElementType, String> {
    Ok(match bytes {
        1 => ElementType::U8,
        2 => ElementType::U16,
        4 => ElementType::U32,
        8 => ElementType::U64,
        16 => ElementType::C128,
        _ => return Err(format!("no element type has {bytes} bytes")),
    })
}

/// The layout of an array with this order of dimensions, the most major first.
fn layout(
    element_type: ElementType,
    dims: &[i64],
    major_to_minor: &[i64],
    tile: &[i64],
) -> Result<DynLayout, String> {
    let list = |numbers: &mut dyn Iterator<Item = &i64>| {
        let texts: Vec<_> = numbers.map(i64::to_string).collect();
        texts.join(",")
    };
    let order = list(&mut major_to_minor.iter().rev());
    let tiles = match tile {
        [] => String::new(),
        tile => format!(":T({})", list(&mut tile.iter())),
    };
    let text = format!(
        "{element_type}[{}]{{{order}{tiles}}}",
        list(&mut dims.iter())
    );
    text.parse().map_err(|error| format!("`{text}`: {error}"))
}

/// Memory with k + 1 in the first bytes of slot k.
fn counted(slots: usize, width: usize) -> Vec<u8> {
    let mut memory = vec![0; slots * width];
    for (slot, element) in memory.chunks_exact_mut(width).enumerate() {
        put(element, slot + 1);
    }
    memory
}

fn put(element: &mut [u8], number: usize) {
    for (byte, value) in element.iter_mut().zip(number.to_le_bytes()) {
        *byte = value;
    }
}

/// Runs a plan, whole and in chunks on threads; both must be the same, and start from zeros.
fn run(plan: &Plan, input: &[u8], threads: usize) -> Result<Vec<u8>, String> {
    let words = |error: xlayout_relayout::RelayoutError| error.to_string();
    let mut output = vec![0; plan.buffers().1];
    plan.run_bytes(input, &mut output).map_err(words)?;
    let mut again = vec![0; output.len()];
    let chunks = plan
        .chunks_bytes(input, &mut again, threads)
        .map_err(words)?;
    std::thread::scope(|scope| {
        for chunk in chunks {
            scope.spawn(|| chunk.run());
        }
    });
    if again != output {
        return Err(format!("{threads} threads copy something else: {plan}"));
    }
    Ok(output)
}

/// Compares memory with the numbers of its slots. Bytes beyond these numbers are padding, and zero.
fn compare(found: &[u8], width: usize, expected: &[i64]) -> Check {
    let mut wanted = vec![0; found.len().max(expected.len() * width)];
    for (element, &number) in wanted.chunks_exact_mut(width).zip(expected) {
        put(element, number as usize);
    }
    if wanted == found {
        return Ok(());
    }
    let at = |memory: &[u8], slot: usize| {
        memory
            .get(slot * width..(slot + 1) * width)
            .map(<[u8]>::to_vec)
    };
    let slot = (0..).find(|slot| at(&wanted, *slot) != at(found, *slot));
    let slot = slot.unwrap_or(0);
    Err(format!(
        "the bytes of slot {slot}: expected {:?}, found {:?}",
        at(&wanted, slot),
        at(found, slot)
    ))
}

/// There and back is the identity, and the way back leaves the input's padding alone.
fn back(src: &DynLayout, dst: &DynLayout, input: &[u8], output: &[u8], width: usize) -> Check {
    let plan = Plan::new(dst, src).map_err(|error| error.to_string())?;
    let found = run(&plan, output, 2)?;
    let mut expected = vec![0; input.len()];
    src.for_each_in_memory(|_, linear| {
        let element = linear * width..(linear + 1) * width;
        expected[element.clone()].copy_from_slice(&input[element]);
    });
    if found == expected {
        Ok(())
    } else {
        Err(format!("the way back gives something else: {plan}"))
    }
}

fn line(line: &Value) -> Check {
    match (answer(line), line.get("err").and_then(Value::as_str)) {
        // Plans that XLA does not support yet need not be refused.
        (Ok(()), Some(words)) if words.starts_with("UNIMPLEMENTED") => Ok(()),
        (Ok(()), Some(words)) => Err(format!("expected an error ({words}), found a copy")),
        (Ok(()), None) => Ok(()),
        (Err(_), Some(words)) if !words.starts_with("UNIMPLEMENTED") => Ok(()),
        (Err(error), _) => Err(error),
    }
}

fn answer(line: &Value) -> Check {
    let bytes = line["elem"].as_i64().unwrap_or(0);
    let element_type = element_type(bytes)?;
    let width = bytes as usize;
    let dims = numbers(&line["dims"])?;
    let dst = layout(
        element_type,
        &dims,
        &numbers(&line["perm"])?,
        &numbers(&line["ot"])?,
    )?;
    let strides = numbers(&line["st"])?;
    let (plan, input, src) = if strides.is_empty() {
        let rows: Vec<i64> = (0..dims.len() as i64).collect();
        let src = layout(element_type, &dims, &rows, &numbers(&line["it"])?)?;
        let plan = Plan::new(&src, &dst).map_err(|error| error.to_string())?;
        (plan, counted(src.buffer_len(), width), Some(src))
    } else {
        let strides: Vec<isize> = strides.iter().map(|stride| *stride as isize).collect();
        let back = dst.dims().iter().zip(&strides);
        let before: isize = back
            .map(|(size, stride)| (*size as isize - 1) * (-stride).max(0))
            .sum();
        let plan = Plan::from_strided(dst.dims(), &strides, before as usize, element_type, &dst)
            .map_err(|error| error.to_string())?;
        let slots = plan.buffers().0 / width;
        (plan, counted(slots, width), None)
    };
    let output = run(&plan, &input, 3)?;
    if let Some(expected) = line.get("out") {
        if let Some(slots) = line["in"].as_u64()
            && slots as usize > input.len() / width
        {
            return Err(format!(
                "the input: expected {slots} slots, found {}",
                input.len() / width
            ));
        }
        compare(&output, width, &numbers(expected)?)?;
    }
    match src {
        Some(src) => back(&src, &dst, &input, &output, width),
        None => Ok(()),
    }
}

/// The linear index of each element, in row-major sequence.
fn places_of(layout: &DynLayout) -> Vec<usize> {
    let mut places = Vec::with_capacity(layout.elements());
    layout.for_each_index(|index| places.push(layout.linear_index(index)));
    places
}

fn unit(input: &Value, expect: &Value) -> Check {
    let dims = numbers(&input["dims"])?;
    let permutation = numbers(&input["permutation"])?;
    let output_dims: Vec<i64> = permutation.iter().map(|dim| dims[*dim as usize]).collect();
    if numbers(&expect["output_dims"])? != output_dims {
        return Err(format!("output_dims: found {output_dims:?}"));
    }
    let rows: Vec<i64> = (0..dims.len() as i64).collect();
    // The linear index of an element does not depend on its width.
    let mut places: Option<[Vec<usize>; 2]> = None;
    for bytes in numbers(&input["elem_sizes"])? {
        let element_type = element_type(bytes)?;
        let width = bytes as usize;
        let src = layout(
            element_type,
            &dims,
            &rows,
            &numbers(&input["input_tiling"])?,
        )?;
        let dst = layout(
            element_type,
            &dims,
            &permutation,
            &numbers(&input["output_tiling"])?,
        )?;
        let [of_src, of_dst] = places.get_or_insert_with(|| [places_of(&src), places_of(&dst)]);
        // The element with row-major index n has the value n + 1; padding is 0.
        let memory = |layout: &DynLayout, places: &[usize]| {
            let mut memory = vec![0; layout.bytes()];
            let len = width.min(8);
            for (number, place) in places.iter().enumerate() {
                let bytes = (number as u64 + 1).to_le_bytes();
                memory[place * width..][..len].copy_from_slice(&bytes[..len]);
            }
            memory
        };
        let from = memory(&src, of_src);
        let expected = memory(&dst, of_dst);
        for (memory, name) in [(&from, "input_buffer"), (&expected, "output_buffer")] {
            if let Some(buffer) = expect.get(name) {
                let numbers: Vec<i64> = numbers(buffer)?.iter().map(|number| number + 1).collect();
                compare(memory, width, &numbers).map_err(|what| format!("{name}: {what}"))?;
            }
        }
        let plan = Plan::new(&src, &dst).map_err(|error| error.to_string())?;
        for threads in numbers(&input["threads"])? {
            if run(&plan, &from, threads as usize)? != expected {
                return Err(format!("the copy differs: {plan}"));
            }
        }
        // There and back is the identity; the padding was zero before, too.
        let way_back = Plan::new(&dst, &src).map_err(|error| error.to_string())?;
        if run(&way_back, &expected, 2)? != from {
            return Err(format!("the way back differs: {way_back}"));
        }
    }
    Ok(())
}

fn unit_strided(input: &Value, expect: &Value) -> Check {
    let dst = layout(
        ElementType::S32,
        &numbers(&input["dims"])?,
        &numbers(&input["permutation"])?,
        &[],
    )?;
    let strides: Vec<isize> = numbers(&input["input_strides_bytes"])?
        .iter()
        .map(|stride| *stride as isize)
        .collect();
    let base = 4 * input["base_element"].as_u64().unwrap_or(0) as usize;
    let storage: Vec<i32> = numbers(&input["input_storage"])?
        .iter()
        .map(|number| *number as i32)
        .collect();
    let plan = Plan::from_strided(dst.dims(), &strides, base, ElementType::S32, &dst)
        .map_err(|error| error.to_string())?;
    let mut found = vec![0_i32; dst.buffer_len()];
    plan.run(&storage, &mut found)
        .map_err(|error| error.to_string())?;
    let expected: Vec<i32> = numbers(expect)?
        .iter()
        .map(|number| *number as i32)
        .collect();
    if found == expected {
        Ok(())
    } else {
        Err(format!("expected {expected:?}, found {found:?}"))
    }
}
