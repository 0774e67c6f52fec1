//! Conflicts of banks, and the swizzle with the fewest of them.
//!
//! ```text
//! bank_conflicts: for each phase, the distinct words that its lanes touch; the most words of one
//!     bank are its wavefronts
//!
//! best_swizzle, in units of the widest access: bank(unit) = low bits XOR the columns of the high
//!     bits
//!   first CuTe's swizzles; then branch and bound over the columns of the high bits that differ
//!       within a phase:
//!     least cost of a phase: the fullest bank among units whose high bits without a column are
//!         equal, and ceil(units / banks)
//!     stop a branch that is no better; stop at the sum of ceil(units / banks)
//! ```
//!
//! The finished search proves that no XOR swizzle that keeps rows has fewer wavefronts. Where the
//! accesses are a row and one more subspace of distinct units, a swizzle without conflicts always
//! exists: two subspaces of one dimension have a common complement.

use crate::equal::Work;
use crate::list::List;
use crate::map::at_least_one;
use crate::{Bits, Budget, Map, MapError, Result, Swizzle};

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

    /// How many bytes one lane asks one bank for: a swizzle keeps them together.
    const fn unit(&self, element_bytes: u32) -> u32 {
        if element_bytes > self.width {
            element_bytes
        } else {
            self.width
        }
    }

    /// How many lanes a phase has.
    const fn lanes(&self, lanes: u64, element_bytes: u32) -> Result<u64> {
        let banks = self.banks.is_power_of_two() && self.banks <= 64;
        let width = self.width.is_power_of_two() && self.width <= 1 << 16;
        let access = element_bytes > 0 && element_bytes <= 1 << 16 && lanes <= 1024;
        ensure!(banks && width && access && self.phase_bytes > 0, BadBanks);
        let of_phase = at_least_one((self.phase_bytes / element_bytes) as u64);
        Ok(if of_phase < lanes { of_phase } else { lanes })
    }
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

/// How many wavefronts an access takes. The access maps a lane to the offset of its element, in
/// elements.
///
/// ```
/// use xlayout_algebra::{Banks, Map, Swizzle, bank_conflicts};
/// // A column of f32[32,32]: all lanes ask bank 0. With the swizzle, each asks another one. The
/// // compiler checks it.
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
    let mut lane = 0;
    let of_phase = tri!(banks.lanes(lanes, element_bytes));
    let mut wavefronts = 0;
    let mut least = 0;
    let low = banks.banks.trailing_zeros() as usize;
    let width = banks.width;
    while lane < lanes {
        let phase = tri!(Phase::of(access, lane, of_phase, element_bytes, width));
        wavefronts += phase.wavefronts(&[0; MAX_HIGH], u64::MAX, low);
        least += phase.least(low);
        lane += of_phase;
    }
    Ok(Wavefronts { wavefronts, least })
}

/// The distinct units of memory that the lanes of a phase ask for.
type Phase = List<u64, MAX_UNITS>;

impl Phase {
    /// The units of the lanes from `lane` on.
    const fn of<const T: usize>(
        access: &Map<T>,
        lane: u64,
        lanes: u64,
        element_bytes: u32,
        unit: u32,
    ) -> Result<Self> {
        let mut phase = Self::new(0);
        let unit = unit as u64;
        let size = access.size();
        let end = lane + lanes;
        each!(lane, lane..if end < size { end } else { size }, {
            let first = access.value(&access.coordinates(lane)) as i128 * element_bytes as i128;
            let last = first + (element_bytes - 1) as i128;
            ensure!(first >= 0 && last <= i64::MAX as i128, Overflow);
            let first = first as u64 / unit;
            let end = last as u64 / unit + 1;
            each!(next, first..end, {
                tri!(phase.ask(next));
            });
        });
        Ok(phase)
    }

    const fn ask(&mut self, unit: u64) -> Result<()> {
        each!(known, &self.as_slice(), {
            if *known == unit {
                return Ok(());
            }
        });
        ensure!(self.push(unit).is_ok(), BadBanks);
        Ok(())
    }

    /// The least wavefronts of any arrangement in `2^low` banks.
    const fn least(&self, low: usize) -> u32 {
        self.len.div_ceil(1 << low) as u32
    }

    /// The wavefronts if the high bits of `decided` have these columns; at least as many, whatever
    /// columns the others get.
    const fn wavefronts(&self, columns: &[u32; MAX_HIGH], decided: u64, low: usize) -> u32 {
        let mut keys = [0; MAX_UNITS];
        let mut largest = self.least(low);
        each!(i, 0..self.len, {
            let unit = self.list[i];
            let mut same = 1;
            let high = unit >> low;
            let mut bank = unit & ((1 << low) - 1);
            each!(bit, 0..MAX_HIGH, {
                if high & decided & 1 << bit != 0 {
                    bank ^= columns[bit] as u64;
                }
            });
            keys[i] = (high & !decided) << low | bank;
            each!(j, 0..i, {
                same += (keys[j] == keys[i]) as u32;
            });
            if same > largest {
                largest = same;
            }
        });
        largest
    }
}

/// The best swizzle that was found.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// The swizzle of element offsets, as a matrix. Offsets of more bits are not swizzled beyond
    /// it: [`Bits::at`] takes the lower bits only.
    pub bits: Bits,
    /// CuTe's swizzle of element offsets that is as good, if there is one.
    pub swizzle: Option<Swizzle>,
    /// The wavefronts of all accesses together, and the least number that any arrangement could
    /// have.
    pub wavefronts: Wavefronts,
    /// Whether no XOR swizzle that keeps rows has fewer wavefronts. Otherwise the budget ran out.
    pub optimal: bool,
}

/// All phases of all accesses, whose units have `low` bits for the bank and `high` bits above them.
struct Phases {
    list: List<Phase, MAX_PHASES>,
    low: usize,
    high: usize,
    /// The high bits that differ within a phase; columns of others change nothing.
    differ: u64,
    /// The least wavefronts of any arrangement.
    least: u32,
}

/// The best columns of the high bits so far, their wavefronts, and CuTe's swizzle if it is one.
struct Found {
    columns: [u32; MAX_HIGH],
    wavefronts: u32,
    swizzle: Option<Swizzle>,
}

/// The XOR swizzle of offsets with the fewest wavefronts for all of these accesses, each a map from
/// lanes to element offsets. A bank is the low bits of a unit XOR a matrix times its high bits, so
/// rows stay rows.
///
/// Complexity: exponential in the bits, so the budget counts nodes of the search. What ran out of
/// the budget is not `optimal`.
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
/// [`MapError::BadBanks`] for more than 256 units in a phase, 64 phases, or 16 high bits, and
/// widths that are no powers of two.
pub const fn best_swizzle<const T: usize>(
    accesses: &[Map<T>],
    element_bytes: u32,
    banks: Banks,
    budget: Budget,
) -> Result<Best, MapError> {
    ensure!(element_bytes.is_power_of_two(), BadBanks);
    let phases = tri!(Phases::of(accesses, element_bytes, banks));
    let unit = banks.unit(element_bytes);
    let shift = (unit / element_bytes).trailing_zeros() as usize;
    let none = [0; MAX_HIGH];
    let least = phases.least;
    let low = phases.low;
    let mut found = Found {
        columns: none,
        wavefronts: phases.bound(&none, u64::MAX),
        swizzle: None,
    };
    // CuTe's swizzles, the shortest first.
    let mut bits = 1;
    while bits <= low && found.wavefronts > least {
        each!(base, 0..low + 1 - bits, {
            each!(from, 0..(phases.high + 1).saturating_sub(bits), {
                let mut columns = none;
                each!(i, 0..bits, {
                    columns[from + i] = 1 << (base + i);
                });
                let distance = (low + from - base) as i8;
                let wavefronts = phases.bound(&columns, u64::MAX);
                if wavefronts < found.wavefronts
                    && let Ok(swizzle) = Swizzle::new(bits as u8, (base + shift) as u8, distance)
                {
                    found = Found {
                        columns,
                        wavefronts,
                        swizzle: Some(swizzle),
                    };
                }
            });
        });
        bits += 1;
    }
    let search = phases.search(&mut found, none, 0, &mut budget.work());
    let mut bits = tri!(Bits::identity(shift + low + phases.high));
    each!(i, 0..phases.high, {
        bits.columns[shift + low + i] |= (found.columns[i] as u64) << shift;
    });
    let Found {
        wavefronts,
        swizzle,
        ..
    } = found;
    Ok(Best {
        bits,
        swizzle,
        wavefronts: Wavefronts { wavefronts, least },
        optimal: search.is_ok(),
    })
}

impl Phases {
    const fn of<const T: usize>(accesses: &[Map<T>], bytes: u32, banks: Banks) -> Result<Self> {
        let unit = banks.unit(bytes);
        let mut all = 0;
        let mut phases = Self {
            list: List::new(Phase::new(0)),
            low: 0,
            high: 0,
            differ: 0,
            least: 0,
        };
        each!(map, &accesses, {
            let of_phase = tri!(banks.lanes(map.size(), bytes));
            let row = banks.banks * banks.width;
            ensure!(unit <= row, BadBanks);
            phases.low = (row / unit).trailing_zeros() as usize;
            let mut lane = 0;
            while lane < map.size() {
                let phase = tri!(Phase::of(map, lane, of_phase, bytes, unit));
                each!(unit, &phase.as_slice(), {
                    all |= *unit;
                    phases.differ |= (*unit ^ phase.list[0]) >> phases.low;
                });
                phases.least += phase.least(phases.low);
                ensure!(phases.list.push(phase).is_ok(), BadBanks);
                lane += of_phase;
            }
        });
        phases.high = ((64 - all.leading_zeros()) as usize).saturating_sub(phases.low);
        ensure!(phases.high <= MAX_HIGH, BadBanks);
        Ok(phases)
    }

    /// The sum of [`Phase::wavefronts`].
    const fn bound(&self, columns: &[u32; MAX_HIGH], decided: u64) -> u32 {
        let mut bound = 0;
        each!(phase, &self.list.as_slice(), {
            bound += phase.wavefronts(columns, decided, self.low);
        });
        bound
    }

    /// Tries all columns of the high bits from `bit` on, as long as they may be better than what
    /// was found.
    const fn search(
        &self,
        found: &mut Found,
        mut columns: [u32; MAX_HIGH],
        mut bit: usize,
        work: &mut Work,
    ) -> Result<()> {
        while bit < self.high && self.differ >> bit & 1 == 0 {
            bit += 1;
        }
        let decided = !(self.differ & u64::MAX << bit);
        let wavefronts = self.bound(&columns, decided);
        if wavefronts >= found.wavefronts {
            return Ok(());
        }
        if bit == self.high {
            *found = Found {
                columns,
                wavefronts,
                swizzle: None,
            };
            return Ok(());
        }
        // The columns of a plain swizzle come first.
        let level = (self.differ & decided).count_ones();
        let first = 1 << (level % at_least_one(self.low as u64) as u32) & ((1 << self.low) - 1);
        each!(tried, 0..1 << self.low, {
            if found.wavefronts > self.least {
                tri!(work.step());
                columns[bit] = tried ^ first;
                tri!(self.search(found, columns, bit + 1, work));
            }
        });
        Ok(())
    }
}
