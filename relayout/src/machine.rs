//! What the processor says of its caches: the estimate depends on their sizes.

/// The second cache of a core, and the last one, which several may share, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Machine {
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
    /// What is assumed of a processor that does not say: 1 MiB, as most cores of servers since 2017 have, on x86-64 and
    /// aarch64.
    pub(crate) const DEFAULT: Self = Self {
        l2: 1 << 20,
        l3: 0,
        whole: false,
    };

    /// This machine. It is asked once.
    #[cfg(feature = "std")]
    #[inline]
    pub(crate) fn get() -> Self {
        #[cfg(test)]
        if let Some(simulated) = simulated::MACHINE.get() {
            return simulated;
        }
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
        let size = |level, least, most, default| match caches.iter().find(|cache| cache.0 == level)
        {
            Some(&(_, size)) if (least..=most).contains(&size) => size,
            _ => default,
        };
        Self {
            l2: size(2, MIB / 16, MIB * 64, Self::DEFAULT.l2),
            l3: size(3, MIB, MIB << 10, Self::DEFAULT.l3),
            whole: Self::DEFAULT.whole,
        }
    }
}

/// The name of this processor with its caches, for texts that hold for this kind of processor only.
#[cfg(feature = "std")]
pub(crate) fn processor() -> std::string::String {
    let Machine { l2, l3, .. } = Machine::get();
    std::format!("{}, caches of {l2} and {l3} bytes", name())
}

/// What the processor calls itself.
#[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
fn name() -> std::string::String {
    let cpu = raw_cpuid::CpuId::new();
    let brand = cpu.get_processor_brand_string();
    let brand = brand
        .as_ref()
        .map_or("x86-64", |brand| brand.as_str().trim());
    match cpu.get_feature_info() {
        Some(of) => std::format!(
            "{brand} (family {}, model {})",
            of.family_id(),
            of.model_id()
        ),
        None => brand.into(),
    }
}

/// Only the architecture is known.
#[cfg(all(feature = "std", any(miri, not(target_arch = "x86_64"))))]
fn name() -> std::string::String {
    std::env::consts::ARCH.into()
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

/// Other machines than this one: what is chosen must not depend on where the tests run.
#[cfg(all(test, feature = "std"))]
pub(crate) mod simulated {
    use core::cell::Cell;

    use super::Machine;

    std::thread_local! {
        pub(super) static MACHINE: Cell<Option<Machine>> = const { Cell::new(None) };
    }

    const fn caches(l2: usize, l3: usize) -> Machine {
        Machine {
            l2: l2 << 10,
            l3: l3 << 20,
            whole: false,
        }
    }

    const fn amd(machine: Machine) -> Machine {
        Machine {
            whole: true,
            ..machine
        }
    }

    pub(crate) const ZEN_3: Machine = amd(caches(512, 32));
    pub(crate) const ZEN_4: Machine = amd(caches(1024, 32));
    /// Golden Cove.
    pub(crate) const XEON: Machine = caches(2048, 32);
    /// Neoverse V2, which has no AVX.
    pub(crate) const ARM: Machine = caches(2048, 114);
    /// Several chips of which the processor reports one last cache.
    pub(crate) const LARGE_LAST_CACHE: Machine = amd(caches(1024, 512));

    pub(crate) const ALL: [(&str, Machine); 6] = [
        ("Zen 3", ZEN_3),
        ("Zen 4 and Zen 5", ZEN_4),
        ("a Xeon", XEON),
        ("ARM", ARM),
        ("a large last cache", LARGE_LAST_CACHE),
        ("unknown caches", Machine::DEFAULT),
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
        let default = Machine::DEFAULT;
        for (caches, expected) in [
            (&[][..], (default.l2, 0)),
            (&[(2, 2 << 20), (3, 32 << 20)], (2 << 20, 32 << 20)),
            (&[(2, 512 << 10)], (512 << 10, 0)),
            (&[(2, usize::MAX), (3, usize::MAX)], (default.l2, 0)),
        ] {
            let found = Machine::of(caches);
            assert_eq!((found.l2, found.l3), expected, "{caches:?}");
        }
    }

    /// Whatever the processor says, sizes that are believed are used.
    #[test]
    fn this_machine_has_caches() {
        let machine = Machine::get();
        assert!((64 << 10..=64 << 20).contains(&machine.l2), "{machine:?}");
    }
}
