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

/// How many words a phase has room for.
const MAX_WORDS: usize = 256;
/// How many units a phase of [`best_swizzle`] has room for, and how many phases there are.
const MAX_UNITS: usize = 64;
const MAX_PHASES: usize = 64;
/// How many bits of a unit may select a column.
const MAX_HIGH: usize = 16;

impl Banks {
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
    let lanes = access.size();
    let of_phase = tri!(banks.lanes(lanes, element_bytes));
    let mut result = Wavefronts {
        wavefronts: 0,
        least: 0,
    };
    let mut lane = 0;
    while lane < lanes {
        let end = if lane + of_phase < lanes {
            lane + of_phase
        } else {
            lanes
        };
        let (mut words, mut len) = ([0_i64; MAX_WORDS], 0);
        while lane < end {
            let first = access.value(&access.coordinates(lane)) as i128 * element_bytes as i128;
            let last = first + (element_bytes - 1) as i128;
            if first < 0 || last > i64::MAX as i128 {
                return Err(MapError::Overflow);
            }
            let (mut word, last) = (
                first as i64 / banks.width as i64,
                last as i64 / banks.width as i64,
            );
            while word <= last {
                let mut i = 0;
                while i < len && words[i] != word {
                    i += 1;
                }
                if i == len {
                    if len == MAX_WORDS {
                        return Err(MapError::BadBanks);
                    }
                    words[len] = word;
                    len += 1;
                }
                word += 1;
            }
            lane += 1;
        }
        let (mut counts, mut most, mut i) = ([0_u32; 64], 0, 0);
        while i < len {
            let bank = (words[i] % banks.banks as i64) as usize;
            counts[bank] += 1;
            if counts[bank] > most {
                most = counts[bank];
            }
            i += 1;
        }
        result.wavefronts += most;
        result.least += (len as u32).div_ceil(banks.banks);
    }
    Ok(result)
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

/// The distinct units of each phase.
struct Phases {
    units: [[u32; MAX_UNITS]; MAX_PHASES],
    lens: [usize; MAX_PHASES],
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
/// [`MapError::BadBanks`] for more than 64 units in a phase, 64 phases, or 16 high bits, and widths that are no powers of two.
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
    let unit = if element_bytes > banks.width {
        element_bytes
    } else {
        banks.width
    };
    let shift = (unit / element_bytes).trailing_zeros() as usize;
    let (mut columns, least) = ([0_u32; MAX_HIGH], phases.least());
    let mut most = phases.cost(&columns, MAX_HIGH);
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
                let cost = phases.cost(&named, MAX_HIGH);
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
        let mut phases = Self {
            units: [[0; MAX_UNITS]; MAX_PHASES],
            lens: [0; MAX_PHASES],
            len: 0,
            low: 0,
            high: 0,
        };
        let (mut access, mut all) = (0, 0_u32);
        while access < accesses.len() {
            let map = &accesses[access];
            let lanes = map.size();
            let of_phase = tri!(banks.lanes(lanes, element_bytes));
            let unit = if element_bytes > banks.width {
                element_bytes
            } else {
                banks.width
            };
            let all_banks = banks.banks * banks.width;
            if unit > all_banks {
                return Err(MapError::BadBanks);
            }
            phases.low = (all_banks / unit).trailing_zeros() as usize;
            let mut lane = 0;
            while lane < lanes {
                if phases.len == MAX_PHASES {
                    return Err(MapError::BadBanks);
                }
                let end = if lane + of_phase < lanes {
                    lane + of_phase
                } else {
                    lanes
                };
                while lane < end {
                    let byte = map.value(&map.coordinates(lane)) as i128 * element_bytes as i128;
                    if byte < 0 || byte / unit as i128 > u32::MAX as i128 {
                        return Err(MapError::BadBanks);
                    }
                    let number = (byte / unit as i128) as u32;
                    all |= number;
                    tri!(phases.add(number));
                    lane += 1;
                }
                phases.len += 1;
            }
            access += 1;
        }
        let width = (32 - all.leading_zeros()) as usize;
        phases.high = width.saturating_sub(phases.low);
        if phases.high > MAX_HIGH {
            return Err(MapError::BadBanks);
        }
        Ok(phases)
    }

    /// Adds a unit to the phase that is being made.
    const fn add(&mut self, unit: u32) -> Result<(), MapError> {
        let (phase, mut i) = (self.len, 0);
        while i < self.lens[phase] {
            if self.units[phase][i] == unit {
                return Ok(());
            }
            i += 1;
        }
        if i == MAX_UNITS {
            return Err(MapError::BadBanks);
        }
        self.units[phase][i] = unit;
        self.lens[phase] += 1;
        Ok(())
    }

    /// The least wavefronts of any arrangement.
    const fn least(&self) -> u32 {
        let (mut phase, mut least) = (0, 0);
        while phase < self.len {
            least += self.lens[phase].div_ceil(1 << self.low) as u32;
            phase += 1;
        }
        least
    }

    /// The wavefronts if the high bits of `decided` have these columns; at least as many, whatever columns the others get.
    const fn bound(&self, columns: &[u32; MAX_HIGH], decided: u32) -> u32 {
        let (mut phase, mut total) = (0, 0);
        while phase < self.len {
            let (len, mut keys, mut i) = (self.lens[phase], [0_u32; MAX_UNITS], 0);
            let mut most = len.div_ceil(1 << self.low) as u32;
            while i < len {
                let unit = self.units[phase][i];
                let high = unit >> self.low;
                let (mut bank, mut bit) = (unit & ((1 << self.low) - 1), 0);
                while bit < self.high {
                    if high & decided & 1 << bit != 0 {
                        bank ^= columns[bit];
                    }
                    bit += 1;
                }
                keys[i] = (high & !decided) << self.low | bank;
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
            total += most;
            phase += 1;
        }
        total
    }

    const fn cost(&self, columns: &[u32; MAX_HIGH], decided: usize) -> u32 {
        self.bound(columns, ((1_u64 << decided) - 1) as u32)
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
            while i < self.lens[phase] {
                differ |= (self.units[phase][i] ^ self.units[phase][0]) >> self.low;
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
        let fixed = !differ & (((1_u64 << MAX_HIGH) - 1) as u32);
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
