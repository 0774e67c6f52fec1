//! Machines: what the estimates of a copy ask about one.

/// A machine, as far as the estimates of a plan depend on one: the strategy of its first run, and
/// the number of its threads.
///
/// Copies are made for the machine that runs the program, [`here`](Self::here).
/// [`Plan::on`](crate::Plan::on) describes a copy on any machine, so that what a program prints is
/// the same everywhere.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_relayout::{Machine, Plan};
///
/// let a: DynLayout = "f32[2048,2048]{1,0}".parse().unwrap();
/// let b: DynLayout = "f32[2048,2048]{1,0:T(8,128)}".parse().unwrap();
/// let plan = Plan::new(&a, &b).unwrap();
/// assert!(plan.on(Machine::REFERENCE).to_string().ends_with("writes 16777216 past the cache"));
///
/// // The copy stays in a last cache of 64 MiB.
/// let mut large = Machine::REFERENCE;
/// large.last_cache = 64 << 20;
/// assert!(plan.on(large).to_string().ends_with("writes 16777216"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Machine {
    /// The bytes of a core's second cache.
    pub second_cache: usize,
    /// The bytes of the last cache, which several cores may share; 0 if they are not known.
    pub last_cache: usize,
    /// The number of threads that run at the same time.
    pub cores: usize,
}

/// The bytes of a line of the cache.
pub(crate) const LINE: usize = 64;

const MIB: usize = 1 << 20;

impl Machine {
    /// The machine for descriptions that are the same everywhere: 8 cores, each with a second cache
    /// of 1 MiB, and a last cache of 32 MiB, as a Zen 4 has.
    pub const REFERENCE: Self = Self {
        second_cache: MIB,
        last_cache: 32 * MIB,
        cores: 8,
    };

    /// The machine that is assumed if the processor reports nothing. 1 MiB is the second cache of
    /// most cores of servers since 2017, on x86-64 and aarch64.
    pub(crate) const UNKNOWN: Self = Self {
        second_cache: MIB,
        last_cache: 0,
        cores: 1,
    };

    /// Returns this machine. The processor and the system are asked once.
    #[cfg(feature = "std")]
    #[inline]
    #[must_use]
    pub fn here() -> Self {
        #[cfg(test)]
        if let Some(simulated) = simulated::MACHINE.get() {
            return simulated;
        }
        asked().machine
    }

    /// Returns a machine of which nothing is known: without `std` the processor cannot be asked.
    #[cfg(not(feature = "std"))]
    #[inline]
    #[must_use]
    pub const fn here() -> Self {
        Self::UNKNOWN
    }

    /// The machine with these caches, given by level and bytes. If a cache is missing, or has a
    /// size that no processor has, the size of [`UNKNOWN`](Self::UNKNOWN) stands for it.
    #[cfg(feature = "std")]
    fn of(caches: &[(u8, usize)], cores: usize) -> Self {
        let size = |wanted, least, most, default| {
            let mut caches = caches.iter();
            match caches.find(|(level, _)| *level == wanted) {
                Some(&(_, size)) if (least..=most).contains(&size) => size,
                _ => default,
            }
        };
        Self {
            second_cache: size(2, MIB / 16, MIB * 64, Self::UNKNOWN.second_cache),
            last_cache: size(3, MIB, MIB << 10, Self::UNKNOWN.last_cache),
            cores,
        }
    }
}

/// What the processor and the system say of this machine.
#[cfg(feature = "std")]
struct Asked {
    name: std::string::String,
    machine: Machine,
}

#[cfg(feature = "std")]
#[inline]
fn asked() -> &'static Asked {
    static ASKED: std::sync::OnceLock<Asked> = std::sync::OnceLock::new();
    ASKED.get_or_init(|| {
        let (name, caches) = ask();
        let cores = std::thread::available_parallelism().map_or(1, core::num::NonZero::get);
        let machine = Machine::of(&caches, cores);
        Asked { name, machine }
    })
}

/// Whether to load rows as whole registers and to exchange lanes by shuffles, instead of inserting
/// lanes from memory: `kernels::square` says which cores do it faster. AMD's cores with AVX-512 are
/// Zen 4 and later.
#[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
#[inline]
pub(crate) fn loads_whole_registers() -> bool {
    static IS_AMD: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *IS_AMD.get_or_init(|| {
        let vendor = raw_cpuid::CpuId::new().get_vendor_info();
        vendor.is_some_and(|vendor| vendor.as_str() == "AuthenticAMD")
    })
}

/// The processor cannot be asked.
#[cfg(all(target_arch = "x86_64", any(miri, not(feature = "std"))))]
pub(crate) const fn loads_whole_registers() -> bool {
    false
}

/// The name of this processor with its caches, for texts that are valid only for this kind of
/// processor.
#[cfg(feature = "std")]
pub(crate) fn processor() -> std::string::String {
    let Asked { name, machine, .. } = asked();
    let Machine {
        second_cache: second,
        last_cache: last,
        ..
    } = machine;
    std::format!("{name}, caches of {second} and {last} bytes")
}

/// The name of a processor, and its caches that hold data: the level and the bytes of each.
#[cfg(feature = "std")]
type Answer = (std::string::String, std::vec::Vec<(u8, usize)>);

/// Asks the instruction `cpuid`.
#[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
fn ask() -> Answer {
    use raw_cpuid::{CacheType, CpuId};

    let cpu = CpuId::new();
    let brand = cpu.get_processor_brand_string();
    let brand = brand
        .as_ref()
        .map_or("x86-64", |brand| brand.as_str().trim());
    let info = cpu.get_feature_info();
    let (family, model) = info.map_or((0, 0), |info| (info.family_id(), info.model_id()));
    let name = std::format!("{brand} (family {family}, model {model})");
    let caches = cpu.get_cache_parameters().into_iter().flatten();
    let data_caches =
        caches.filter(|cache| matches!(cache.cache_type(), CacheType::Data | CacheType::Unified));
    let sizes = data_caches.map(|cache| {
        let line_count = cache.sets() * cache.associativity() * cache.physical_line_partitions();
        (cache.level(), line_count * cache.coherency_line_size())
    });
    (name, sizes.collect())
}

/// Returns the architecture, and the caches that Linux lists in files.
#[cfg(all(feature = "std", any(miri, not(target_arch = "x86_64"))))]
fn ask() -> Answer {
    // `None` for a cache of instructions, for one that Linux does not list, and under Miri.
    let cache = |index: u8| {
        let read = |name| {
            let path = std::format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}");
            std::fs::read_to_string(path).ok()
        };
        if cfg!(miri) || read("type")?.trim() == "Instruction" {
            return None;
        }
        let level = read("level")?.trim().parse().ok()?;
        let kibibytes: usize = read("size")?.trim().strip_suffix('K')?.parse().ok()?;
        Some((level, kibibytes << 10))
    };
    let caches = (0..8).filter_map(cache).collect();
    (std::env::consts::ARCH.into(), caches)
}

/// Other machines than this one, so that tests of choices do not depend on the machine.
#[cfg(all(test, feature = "std"))]
pub(crate) mod simulated {
    use core::cell::Cell;

    use super::Machine;

    std::thread_local! {
        pub(super) static MACHINE: Cell<Option<Machine>> = const { Cell::new(None) };
    }

    const fn caches(kib_of_second: usize, mib_of_last: usize) -> Machine {
        Machine {
            second_cache: kib_of_second << 10,
            last_cache: mib_of_last << 20,
            cores: 8,
        }
    }

    pub(crate) const ZEN_3: Machine = caches(512, 32);
    pub(crate) const ZEN_4: Machine = Machine::REFERENCE;
    /// Golden Cove.
    pub(crate) const XEON: Machine = caches(2048, 32);
    /// Neoverse V2, which has no AVX.
    pub(crate) const ARM: Machine = caches(2048, 114);
    /// Several chips that report one last cache.
    pub(crate) const LARGE_LAST_CACHE: Machine = caches(1024, 512);

    pub(crate) const ALL: [(&str, Machine); 6] = [
        ("Zen 3", ZEN_3),
        ("Zen 4 and Zen 5", ZEN_4),
        ("a Xeon", XEON),
        ("ARM", ARM),
        ("a large last cache", LARGE_LAST_CACHE),
        ("unknown caches", Machine::UNKNOWN),
    ];

    impl Machine {
        /// Calls a function as if this thread ran on this machine.
        pub(crate) fn simulate<R>(self, call: impl FnOnce() -> R) -> R {
            struct Back(Option<Machine>);
            impl Drop for Back {
                fn drop(&mut self) {
                    MACHINE.set(self.0);
                }
            }
            let _back = Back(MACHINE.replace(Some(self)));
            call()
        }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::Machine;

    #[test]
    fn sizes_that_no_processor_has_are_not_believed() {
        let unknown = Machine::UNKNOWN.second_cache;
        for (caches, expected) in [
            (&[][..], (unknown, 0)),
            (&[(2, 2 << 20), (3, 32 << 20)], (2 << 20, 32 << 20)),
            (&[(2, 512 << 10)], (512 << 10, 0)),
            (&[(2, usize::MAX), (3, usize::MAX)], (unknown, 0)),
        ] {
            let found = Machine::of(caches, 3);
            assert_eq!(
                (found.second_cache, found.last_cache),
                expected,
                "{caches:?}"
            );
            assert_eq!(found.cores, 3);
        }
    }

    /// Whatever the processor reports, the machine has sizes that a processor can have.
    #[test]
    fn this_machine_has_caches() {
        let machine = Machine::here();
        let second = machine.second_cache;
        assert!((64 << 10..=64 << 20).contains(&second), "{machine:?}");
        assert!(machine.cores > 0, "{machine:?}");
    }
}
