//! What the processor says of its caches: the cost model depends on their sizes.

/// The data caches of one core, and the last one, which several may share, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Machine {
    pub(crate) l1: usize,
    pub(crate) l2: usize,
    /// Zero where the processor does not say.
    pub(crate) l3: usize,
    /// Whether to load rows as whole registers and to exchange lanes by shuffles, instead of inserting
    /// lanes from memory: `kernels::square` says which cores do it faster.
    pub(crate) whole: bool,
}

/// Last caches of less than this, or of more than 1024 times as much, are not believed.
#[cfg(feature = "std")]
const MIB: usize = 1 << 20;

impl Machine {
    /// What is assumed of a processor that does not say: 32 KiB and 1 MiB, as most cores of servers
    /// since 2017 have, on x86-64 and aarch64.
    pub(crate) const DEFAULT: Self = Self {
        l1: 32 << 10,
        l2: 1 << 20,
        l3: 0,
        whole: false,
    };

    /// This machine. It is asked once.
    #[cfg(feature = "std")]
    #[inline]
    pub(crate) fn get() -> Self {
        static MACHINE: std::sync::OnceLock<Machine> = std::sync::OnceLock::new();
        *MACHINE.get_or_init(|| Self {
            whole: whole(),
            ..Self::of(&found())
        })
    }

    /// This machine: nothing can be asked without `std`.
    #[cfg(not(feature = "std"))]
    #[inline]
    pub(crate) const fn get() -> Self {
        Self::DEFAULT
    }

    /// The machine with these caches: levels, and sizes in bytes. Those that are not among them, or
    /// that no processor has, are the default ones.
    #[cfg(feature = "std")]
    fn of(caches: &[(u8, usize)]) -> Self {
        let size = |level, default: usize| {
            let found = caches.iter().find(|cache| cache.0 == level);
            match found {
                Some(&(_, size)) if (default / 16..=default * 64).contains(&size) => size,
                _ => default,
            }
        };
        Self {
            l1: size(1, Self::DEFAULT.l1),
            l2: size(2, Self::DEFAULT.l2),
            l3: match caches.iter().find(|cache| cache.0 == 3) {
                Some(&(_, size)) if (MIB..=MIB << 10).contains(&size) => size,
                _ => Self::DEFAULT.l3,
            },
            whole: Self::DEFAULT.whole,
        }
    }
}

/// The caches that hold data, by the instruction `cpuid`.
#[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
fn found() -> std::vec::Vec<(u8, usize)> {
    use raw_cpuid::{CacheType, CpuId};

    let caches = CpuId::new().get_cache_parameters();
    let data = |kind| matches!(kind, CacheType::Data | CacheType::Unified);
    caches
        .into_iter()
        .flatten()
        .filter(|cache| data(cache.cache_type()))
        .map(|cache| {
            let lines = cache.sets() * cache.associativity() * cache.physical_line_partitions();
            (cache.level(), lines * cache.coherency_line_size())
        })
        .collect()
}

/// AMD's cores with AVX-512 are Zen 4 and later.
#[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
fn whole() -> bool {
    raw_cpuid::CpuId::new()
        .get_vendor_info()
        .is_some_and(|vendor| vendor.as_str() == "AuthenticAMD")
}

/// Only registers of four lanes are loaded whole.
#[cfg(all(feature = "std", any(miri, not(target_arch = "x86_64"))))]
fn whole() -> bool {
    false
}

/// The caches that hold data, by the files in which Linux lists them.
#[cfg(all(
    feature = "std",
    not(target_arch = "x86_64"),
    target_os = "linux",
    not(miri)
))]
fn found() -> std::vec::Vec<(u8, usize)> {
    let cache = |index: u8| {
        let read = |name| {
            let path = std::format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}");
            std::fs::read_to_string(path).ok()
        };
        if read("type")?.trim() == "Instruction" {
            return None;
        }
        let level = read("level")?.trim().parse().ok()?;
        let kibibytes: usize = read("size")?.trim().strip_suffix('K')?.parse().ok()?;
        Some((level, kibibytes << 10))
    };
    (0..8).filter_map(cache).collect()
}

/// Nothing is known of the caches.
#[cfg(all(
    feature = "std",
    any(miri, not(any(target_arch = "x86_64", target_os = "linux")))
))]
fn found() -> std::vec::Vec<(u8, usize)> {
    std::vec::Vec::new()
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::Machine;

    #[test]
    fn sizes_that_no_processor_has_are_not_believed() {
        let default = Machine::DEFAULT;
        for (caches, expected) in [
            (&[][..], (default.l1, default.l2, 0)),
            (
                &[(1, 48 << 10), (2, 2 << 20), (3, 32 << 20)],
                (48 << 10, 2 << 20, 32 << 20),
            ),
            (&[(2, 512 << 10)], (default.l1, 512 << 10, 0)),
            (
                &[(1, 0), (2, usize::MAX), (3, usize::MAX)],
                (default.l1, default.l2, 0),
            ),
        ] {
            let found = Machine::of(caches);
            assert_eq!((found.l1, found.l2, found.l3), expected, "{caches:?}");
        }
    }

    /// Whatever the processor says, it is used.
    #[test]
    fn this_machine_has_caches() {
        let machine = Machine::get();
        assert!(
            machine.l1 >= 2 << 10 && machine.l2 >= machine.l1,
            "{machine:?}"
        );
    }
}
