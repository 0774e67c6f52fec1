//! Sums against an elimination of their own, and what is refused.

use std::sync::Mutex;

use proptest::prelude::*;
use xlayout_core::{ArrayShape, Dim, ElementType};

use super::Computed;
use crate::isa::Handlers;
use crate::kernel::{BufferSpec, Declared, Direction, Kernel, Kind, Source};

#[test]
fn a_sum_is_shown_as_it_is_written() {
    for (text, shown) in [
        ("2*H", "2*?H"),
        ("H-K+1", "?H-?K+1"),
        ("-3+höhe", "-3+?höhe"),
        ("-H+2*x1", "-?H+2*?x1"),
    ] {
        assert!(Computed(text).is_sum());
        assert_eq!(Computed(text).to_string(), shown);
    }
    assert!(!Computed("H").is_sum());
}

const NAMES: [&str; 4] = ["A", "B", "C", "D"];

/// A size: the factors of the names, and a number; a name alone is no sum.
#[derive(Clone, Debug)]
struct Declaration {
    factors: [i64; 4],
    number: i64,
}

impl Declaration {
    fn alone(&self) -> Option<usize> {
        let is_name = self.number == 0 && self.factors.iter().map(|f| f.abs()).sum::<i64>() == 1;
        is_name
            .then(|| self.factors.iter().position(|f| *f == 1))
            .flatten()
    }

    fn text(&self) -> String {
        if let Some(name) = self.alone() {
            return NAMES[name].into();
        }
        let mut text = format!("{}", self.number);
        for (factor, name) in self.factors.iter().zip(NAMES) {
            // `2*A` as `+A+A`, for which there is one term.
            match factor {
                0 => {}
                2 => text += &format!("+{name}+{name}"),
                factor => text += &format!("{factor:+}*{name}"),
            }
        }
        if self.factors == [0; 4] {
            text += "+0";
        }
        text
    }

    fn value(&self, sizes: [i64; 4]) -> i64 {
        let products = self.factors.iter().zip(sizes).map(|(f, size)| f * size);
        self.number + products.sum::<i64>()
    }
}

/// What a declaration of these tests borrows for ever. Valgrind calls it lost if nothing has its
/// address.
fn kept<T: ?Sized>(leaked: &'static T) -> &'static T {
    static ADDRESSES: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let address = std::ptr::from_ref(leaked).cast::<u8>().addr();
    ADDRESSES.lock().unwrap().push(address);
    leaked
}

fn parameter(declaration: &Declaration) -> Declared {
    let name: &'static str = kept(declaration.text().leak());
    let spec = BufferSpec {
        element_type: ElementType::F32,
        bits: 32,
        align: 4,
        dims: &[Dim::Unbounded],
        names: kept(vec![Some(name)].leak()),
        minor_to_major: &[0],
        shape: || ArrayShape::new(ElementType::F32, &[0]).unwrap(),
        converted: None,
        by_items: false,
        sharding: None,
        refused: None,
    };
    Declared::new("x", Kind::Buffer(Direction::In, spec))
}

fn kernel(declarations: &[Declaration]) -> Kernel {
    let parameters: Vec<Declared> = declarations.iter().map(parameter).collect();
    Kernel::new(Source {
        name: "k",
        doc: "",
        module: "",
        file: "",
        line: 1,
        batch: false,
        parameters: kept(parameters.leak()),
        independent: &[],
        vjp: "",
        handlers: Handlers::baseline(HANDLER),
    })
}

const HANDLER: crate::abi::Handler = {
    extern "C" fn handler(_: *mut crate::abi::CallFrame) -> *mut crate::abi::XlaError {
        core::ptr::null_mut()
    }
    handler
};

/// The sizes that make each sum the size of its dimension, by elimination of one name after the
/// other: `Err` if there are none, and `None` for a name of which there are several.
fn solved(declarations: &[Declaration], found: &[i64]) -> Result<[Option<(i128, i128)>; 4], ()> {
    let rows = declarations.iter().zip(found);
    let mut rows: Vec<[i128; 5]> = rows
        .map(|(of, size)| {
            let [a, b, c, d] = of.factors.map(i128::from);
            [a, b, c, d, i128::from(size - of.number)]
        })
        .collect();
    let mut pivots = [None; 4];
    for name in 0..4 {
        let is_free = |at: &usize| !pivots.contains(&Some(*at));
        let Some(pivot) = (0..rows.len()).find(|at| is_free(at) && rows[*at][name] != 0) else {
            continue;
        };
        pivots[name] = Some(pivot);
        let by = rows[pivot];
        for (at, row) in rows.iter_mut().enumerate() {
            let factor = row[name];
            if at != pivot && factor != 0 {
                for (number, by_number) in row.iter_mut().zip(by) {
                    *number = *number * by[name] - by_number * factor;
                }
            }
        }
    }
    if rows.iter().any(|row| row[..4] == [0; 4] && row[4] != 0) {
        return Err(());
    }
    let mut sizes = [None; 4];
    for name in 0..4 {
        if let Some(pivot) = pivots[name]
            && (0..4).all(|other| other == name || rows[pivot][other] == 0)
        {
            sizes[name] = Some((rows[pivot][4], rows[pivot][name]));
        }
    }
    Ok(sizes)
}

/// Whether one name after the other follows from a sum whose other names are known, as a mask
/// of the names.
fn each_is_told(declarations: &[Declaration]) -> bool {
    let masks: Vec<u32> = declarations
        .iter()
        .map(|of| {
            (0..4)
                .map(|name| u32::from(of.factors[name] != 0) << name)
                .sum()
        })
        .collect();
    let mut known = 0_u32;
    for _ in 0..4 {
        for mask in &masks {
            if (mask & !known).count_ones() == 1 {
                known |= mask;
            }
        }
    }
    masks.iter().all(|mask| mask & !known == 0)
}

fn declaration() -> impl Strategy<Value = Declaration> {
    let factor = || prop_oneof![4 => Just(0_i64), 2 => Just(1), 1 => Just(2), 1 => -3_i64..4];
    let factors = [factor(), factor(), factor(), factor()];
    let sum = (factors, -1_i64..3).prop_map(|(factors, number)| Declaration { factors, number });
    let alone = (0_usize..4).prop_map(|name| {
        let mut factors = [0; 4];
        factors[name] = 1;
        Declaration { factors, number: 0 }
    });
    prop_oneof![3 => sum, 1 => alone]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 20 } else { 3000 }))]

    #[test]
    fn relations_hold_where_there_are_sizes(
        declarations in prop::collection::vec(declaration(), 1..6),
        sizes in [0_i64..5, 0_i64..5, 0_i64..5, 0_i64..5],
        off in prop::collection::vec(prop_oneof![9 => Just(0_i64), 1 => -2_i64..3], 6),
    ) {
        let is_solvable = each_is_told(&declarations);
        let made = std::panic::catch_unwind(|| kernel(&declarations));
        prop_assert_eq!(made.is_ok(), is_solvable, "{:?}", declarations);
        let Ok(kernel) = made else {
            return Ok(());
        };
        let found: Vec<i64> = declarations
            .iter()
            .zip(off)
            .map(|(of, off)| of.value(sizes) + off)
            .collect();
        let is_right = match solved(&declarations, &found) {
            Err(()) => false,
            Ok(sizes) => sizes.iter().flatten().all(|(size, by)| size % by == 0 && size / by >= 0),
        };
        let size = |(parameter, _): (usize, usize)| Some(found[parameter]);
        let relations = &kernel.relations[..kernel.relations_len];
        let holds = relations.iter().all(|relation| relation.holds(&kernel.relations, size));
        let pairs = &kernel.pairs[..kernel.pairs_len];
        let are_equal = pairs.iter().all(|(first, second)| size(*first) == size(*second));
        // The check of a call refuses a negative size itself.
        let names = declarations.iter().zip(&found).filter(|(of, _)| of.alone().is_some());
        let are_sizes = names.clone().all(|(_, size)| *size >= 0);
        prop_assert_eq!(holds && are_equal && are_sizes, is_right, "{:?} {:?}", declarations, found);
        // A relation has what it needs when its last parameter is checked, and so have those
        // before it.
        for (place, relation) in relations.iter().enumerate() {
            let known = |(parameter, _): (usize, usize)| {
                (parameter <= relation.last).then(|| found[parameter])
            };
            prop_assert_eq!(
                relation.holds(&kernel.relations, known),
                relation.holds(&kernel.relations, size),
                "{}", place
            );
        }
    }
}
