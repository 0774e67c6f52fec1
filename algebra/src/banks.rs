//! Conflicts of banks, and the swizzle with the fewest of them.
//!
//! ```text
//! bank_conflicts: for each phase, the distinct words that its lanes touch; the most words of one bank are its wavefronts
//!
//! best_swizzle, in units of the widest access: bank(unit) = low bits XOR the columns of the high bits
//!   first CuTe's swizzles; then branch and bound over the columns of the high bits that differ within a phase:
//!     least cost of a phase: the fullest bank among units whose high bits without a column are equal, and ceil(units / banks)
//!     stop a branch that is no better; stop at the sum of ceil(units / banks)
//! ```
//!
//! The finished search proves that no XOR swizzle that keeps rows has fewer wavefronts. Where the accesses are a row and one more
//! subspace of distinct units, a swizzle without conflicts always exists: two subspaces of one dimension have a common complement.

use crate::{Bits, Budget, Map, MapError, Swizzle};

/// Memory that is divided into banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Banks {
    /// How many banks there are: a power of two, at most 64.
    pub banks: u32,
    /// How many bytes of a bank are next to each other: a power of two.
    pub width: u32,
    /// How many bytes the lanes of a phase ask for at most: a power of two.
    pub phase_bytes: u32,
}

impl Banks {
    /// 32 banks of 4 bytes, phases of 128 bytes: shared memory of NVIDIA's GPUs.
    pub const B32: Self = Self {
        banks: 32,
        width: 4,
        phase_bytes: 128,
    };
    /// 64 banks of 4 bytes, phases of 256 bytes: 64 lanes of 4 bytes.
    pub const B64: Self = Self {
        banks: 64,
        width: 4,
        phase_bytes: 256,
    };
}

/// How often memory is asked for an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wavefronts {
    /// Over all phases, the sum of the most distinct words of one bank.
    pub wavefronts: u32,
    /// The least number that any arrangement of these words could have.
    pub least: u32,
}

impl Wavefronts {
    /// Whether no bank is asked for more than it must be.
    #[must_use]
    pub const fn is_free(&self) -> bool {
        self.wavefronts == self.least
    }
}

/// How many units a phase has room for, and how many phases [`best_swizzle`] has room for.
const MAX_UNITS: usize = 256;
const MAX_PHASES: usize = 64;
/// How many bits of a unit may select a column.
const MAX_HIGH: usize = 16;

impl Banks {
    /// How many bytes one lane asks one bank for: a swizzle keeps them together.
    const fn unit(&self, element_bytes: u32) -> u32 {
        if element_bytes > self.width {
            element_bytes
        } else {
            self.width
        }
    }

    /// How many lanes a phase has.
    const fn lanes(&self, lanes: u64, element_bytes: u32) -> Result<u64, MapError> {
        let sane = self.banks.is_power_of_two()
            && self.banks <= 64
            && self.width.is_power_of_two()
            && self.width <= 1 << 16;
        if !sane
            || element_bytes == 0
            || lanes > 1024
            || self.phase_bytes == 0
            || element_bytes > 1 << 16
        {
            return Err(MapError::BadBanks);
        }
        let of_phase = (self.phase_bytes / element_bytes) as u64;
        let of_phase = if of_phase < 1 { 1 } else { of_phase };
        Ok(if of_phase < lanes { of_phase } else { lanes })
    }
}

/// How many wavefronts an access takes. The access maps a lane to the offset of its element, in elements.
///
/// ```
/// use xlayout_algebra::{Banks, Map, Swizzle, bank_conflicts};
/// // A column of f32[32,32]: all lanes ask bank 0. With the swizzle, each asks another one. The compiler checks it.
/// const COLUMN: Map = Map::expect(Map::strided(&[32], &[32]));
/// const SWIZZLE: Swizzle = Swizzle::expect(Swizzle::new(5, 0, 5));
/// const {
///     let plain = bank_conflicts(&COLUMN, 4, Banks::B32);
///     assert!(matches!(plain, Ok(found) if found.wavefronts == 32));
///     let swizzled = Map::expect(COLUMN.swizzle(SWIZZLE));
///     assert!(matches!(bank_conflicts(&swizzled, 4, Banks::B32), Ok(found) if found.is_free()));
/// }
/// ```
///
/// # Errors
/// [`MapError::BadBanks`]; negative offsets.
pub const fn bank_conflicts<const T: usize>(
    access: &Map<T>,
    element_bytes: u32,
    banks: Banks,
) -> Result<Wavefronts, MapError> {
    let (lanes, mut lane) = (access.size(), 0);
    let of_phase = tri!(banks.lanes(lanes, element_bytes));
    let mut result = Wavefronts {
        wavefronts: 0,
        least: 0,
    };
    while lane < lanes {
        let mut phase = Phase::EMPTY;
        tri!(phase.fill(access, lane, of_phase, element_bytes, banks.width));
        let low = banks.banks.trailing_zeros() as usize;
        result.wavefronts += phase.wavefronts(&[0; MAX_HIGH], u64::MAX, low);
        result.least += phase.least(low);
        lane += of_phase;
    }
    Ok(result)
}

/// The distinct units of memory that the lanes of a phase ask for.
#[derive(Clone, Copy)]
struct Phase {
    units: [u64; MAX_UNITS],
    len: usize,
}

impl Phase {
    const EMPTY: Self = Self {
        units: [0; MAX_UNITS],
        len: 0,
    };

    /// Adds the units of the lanes from `lane` on.
    const fn fill<const T: usize>(
        &mut self,
        access: &Map<T>,
        mut lane: u64,
        lanes: u64,
        element_bytes: u32,
        unit: u32,
    ) -> Result<(), MapError> {
        let end = lane + lanes;
        while lane < end && lane < access.size() {
            let first = access.value(&access.coordinates(lane)) as i128 * element_bytes as i128;
            let last = first + (element_bytes - 1) as i128;
            if first < 0 || last > i64::MAX as i128 {
                return Err(MapError::Overflow);
            }
            let (mut next, last) = (first as u64 / unit as u64, last as u64 / unit as u64);
            while next <= last {
                tri!(self.add(next));
                next += 1;
            }
            lane += 1;
        }
        Ok(())
    }

    const fn add(&mut self, unit: u64) -> Result<(), MapError> {
        let mut i = 0;
        while i < self.len {
            if self.units[i] == unit {
                return Ok(());
            }
            i += 1;
        }
        if i == MAX_UNITS {
            return Err(MapError::BadBanks);
        }
        self.units[i] = unit;
        self.len += 1;
        Ok(())
    }

    /// The least wavefronts of any arrangement in `2^low` banks.
    const fn least(&self, low: usize) -> u32 {
        self.len.div_ceil(1 << low) as u32
    }

    /// The wavefronts if the high bits of `decided` have these columns; at least as many, whatever columns the others get.
    const fn wavefronts(&self, columns: &[u32; MAX_HIGH], decided: u64, low: usize) -> u32 {
        let (mut keys, mut most, mut i) = ([0; MAX_UNITS], self.least(low), 0);
        while i < self.len {
            let high = self.units[i] >> low;
            let (mut bank, mut bit) = (self.units[i] & ((1 << low) - 1), 0);
            while bit < MAX_HIGH {
                if high & decided & 1 << bit != 0 {
                    bank ^= columns[bit] as u64;
                }
                bit += 1;
            }
            keys[i] = (high & !decided) << low | bank;
            let (mut j, mut same) = (0, 1);
            while j < i {
                if keys[j] == keys[i] {
                    same += 1;
                }
                j += 1;
            }
            if same > most {
                most = same;
            }
            i += 1;
        }
        most
    }
}

/// The best swizzle that was found.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// The swizzle of element offsets, as a matrix. Offsets of more bits are not swizzled beyond it: [`Bits::at`] takes the lower bits only.
    pub bits: Bits,
    /// CuTe's swizzle of element offsets that is as good, if there is one.
    pub swizzle: Option<Swizzle>,
    /// The wavefronts of all accesses together, and the least number that any arrangement could have.
    pub wavefronts: Wavefronts,
    /// Whether no XOR swizzle that keeps rows has fewer wavefronts. Otherwise the budget ran out.
    pub optimal: bool,
}

/// All phases of all accesses, whose units have `low` bits for the bank and `high` bits above them.
struct Phases {
    list: [Phase; MAX_PHASES],
    len: usize,
    low: usize,
    high: usize,
}

/// The XOR swizzle of offsets with the fewest wavefronts for all of these accesses, each a map from lanes to element offsets.
/// A bank is the low bits of a unit XOR a matrix times its high bits, so rows stay rows.
///
/// Complexity: exponential in the bits, so the budget counts nodes of the search. What ran out of the budget is not `optimal`.
///
/// ```
/// use xlayout_algebra::{Banks, Budget, Map, MapError, best_swizzle};
/// let row = Map::<64>::strided(&[32], &[1])?;
/// let column = Map::strided(&[32], &[32])?;
/// let best = best_swizzle(&[row, column], 4, Banks::B32, Budget::DEFAULT)?;
/// assert!(best.wavefronts.is_free());
/// assert_eq!(best.swizzle.map(|swizzle| swizzle.numbers()), Some((5, 0, 5)));
/// # Ok::<(), MapError>(())
/// ```
///
/// # Errors
/// [`MapError::BadBanks`] for more than 256 units in a phase, 64 phases, or 16 high bits, and widths that are no powers of two.
pub const fn best_swizzle<const T: usize>(
    accesses: &[Map<T>],
    element_bytes: u32,
    banks: Banks,
    budget: Budget,
) -> Result<Best, MapError> {
    if !element_bytes.is_power_of_two() {
        return Err(MapError::BadBanks);
    }
    let phases = tri!(Phases::of(accesses, element_bytes, banks));
    let unit = banks.unit(element_bytes);
    let shift = (unit / element_bytes).trailing_zeros() as usize;
    let (mut columns, least) = ([0_u32; MAX_HIGH], phases.least());
    let mut most = phases.bound(&columns, u64::MAX);
    // CuTe's swizzles, the shortest first.
    let (mut bits, mut swizzle) = (1, None);
    while bits <= phases.low && most > least {
        let mut base = 0;
        while base + bits <= phases.low {
            let mut from = 0;
            while from + bits <= phases.high {
                let (mut named, mut i) = ([0; MAX_HIGH], 0);
                while i < bits {
                    named[from + i] = 1 << (base + i);
                    i += 1;
                }
                let cost = phases.bound(&named, u64::MAX);
                if cost < most {
                    most = cost;
                    columns = named;
                    let distance = (phases.low + from - base) as i8;
                    swizzle = match Swizzle::new(bits as u8, (base + shift) as u8, distance) {
                        Ok(swizzle) => Some(swizzle),
                        Err(_) => None,
                    };
                }
                from += 1;
            }
            base += 1;
        }
        bits += 1;
    }
    let mut optimal = true;
    if most > least {
        let (found, finished) = phases.search(most, least, budget);
        optimal = finished;
        if let Some((better, cost)) = found {
            (columns, most, swizzle) = (better, cost, None);
        }
    }
    let (mut matrix, mut i) = ([0_u64; 62], 0);
    let len = shift + phases.low + phases.high;
    while i < len {
        matrix[i] = 1 << i;
        if i >= shift + phases.low {
            matrix[i] |= (columns[i - shift - phases.low] as u64) << shift;
        }
        i += 1;
    }
    Ok(Best {
        bits: tri!(Bits::new(matrix.split_at(len).0)),
        swizzle,
        wavefronts: Wavefronts {
            wavefronts: most,
            least,
        },
        optimal,
    })
}

impl Phases {
    const fn of<const T: usize>(
        accesses: &[Map<T>],
        element_bytes: u32,
        banks: Banks,
    ) -> Result<Self, MapError> {
        let unit = banks.unit(element_bytes);
        let mut phases = Self {
            list: [Phase::EMPTY; MAX_PHASES],
            len: 0,
            low: 0,
            high: 0,
        };
        let (mut access, mut all) = (0, 0);
        while access < accesses.len() {
            let (map, mut lane) = (&accesses[access], 0);
            let of_phase = tri!(banks.lanes(map.size(), element_bytes));
            let all_banks = banks.banks * banks.width;
            if unit > all_banks {
                return Err(MapError::BadBanks);
            }
            phases.low = (all_banks / unit).trailing_zeros() as usize;
            while lane < map.size() {
                if phases.len == MAX_PHASES {
                    return Err(MapError::BadBanks);
                }
                let phase = &mut phases.list[phases.len];
                tri!(phase.fill(map, lane, of_phase, element_bytes, unit));
                let mut i = 0;
                while i < phase.len {
                    all |= phase.units[i];
                    i += 1;
                }
                phases.len += 1;
                lane += of_phase;
            }
            access += 1;
        }
        let width = (64 - all.leading_zeros()) as usize;
        phases.high = width.saturating_sub(phases.low);
        if phases.high > MAX_HIGH {
            return Err(MapError::BadBanks);
        }
        Ok(phases)
    }

    /// The least wavefronts of any arrangement.
    const fn least(&self) -> u32 {
        let (mut phase, mut least) = (0, 0);
        while phase < self.len {
            least += self.list[phase].least(self.low);
            phase += 1;
        }
        least
    }

    /// The sum of [`Phase::wavefronts`].
    const fn bound(&self, columns: &[u32; MAX_HIGH], decided: u64) -> u32 {
        let (mut phase, mut total) = (0, 0);
        while phase < self.len {
            total += self.list[phase].wavefronts(columns, decided, self.low);
            phase += 1;
        }
        total
    }

    /// Columns with a cost below `most`, if there are any, the best ones; and whether the search was finished.
    const fn search(
        &self,
        most: u32,
        least: u32,
        budget: Budget,
    ) -> (Option<([u32; MAX_HIGH], u32)>, bool) {
        // The high bits that differ within a phase; other columns change nothing.
        let (mut differ, mut phase) = (0, 0);
        while phase < self.len {
            let mut i = 1;
            let Phase { units, len } = self.list[phase];
            while i < len {
                differ |= (units[i] ^ units[0]) >> self.low;
                i += 1;
            }
            phase += 1;
        }
        let (mut order, mut levels, mut bit) = ([0_usize; MAX_HIGH], 0, 0);
        while bit < self.high {
            if differ >> bit & 1 == 1 {
                order[levels] = bit;
                levels += 1;
            }
            bit += 1;
        }
        let (mut columns, mut tried) = ([0_u32; MAX_HIGH], [0_u32; MAX_HIGH]);
        // Bits of no consequence have the column 0, and are decided.
        let fixed = !differ;
        let (mut level, mut left, mut most, mut found) = (0, budget.0, most, None);
        if levels == 0 {
            return (None, true);
        }
        loop {
            if tried[level] == 1 << self.low {
                columns[order[level]] = 0;
                if level == 0 {
                    return (found, true);
                }
                level -= 1;
                continue;
            }
            if left == 0 {
                return (found, false);
            }
            left -= 1;
            // The columns of a plain swizzle come first.
            let first = if self.low == 0 {
                0
            } else {
                1 << (level % self.low)
            };
            columns[order[level]] = tried[level] ^ first;
            tried[level] += 1;
            let (mut decided, mut i) = (fixed, 0);
            while i <= level {
                decided |= 1 << order[i];
                i += 1;
            }
            let bound = self.bound(&columns, decided);
            if bound >= most {
                continue;
            }
            if level + 1 == levels {
                most = bound;
                found = Some((columns, bound));
                if most == least {
                    return (found, true);
                }
                continue;
            }
            level += 1;
            tried[level] = 0;
        }
    }
}
