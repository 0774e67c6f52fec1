//! The sizes of the processor's caches, which the estimate depends on.

/// The bytes of a core's second cache, and of the last one, which several cores may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Machine {
    pub(crate) l2: usize,
    /// Zero if the processor does not report it.
    pub(crate) l3: usize,
    /// Whether to load rows as whole registers and to exchange lanes by shuffles, instead of inserting
    /// lanes from memory: `kernels::square` says which cores do it faster.
    pub(crate) whole: bool,
}

/// A last cache of less than this, or of more than 1024 times as much, is taken as unknown.
#[cfg(feature = "std")]
const MIB: usize = 1 << 20;

impl Machine {
    /// The machine that is assumed if the processor reports nothing. 1 MiB is the second cache of most cores of servers
    /// since 2017, on x86-64 and aarch64.
    pub(crate) const DEFAULT: Self = Self {
        l2: 1 << 20,
        l3: 0,
        whole: false,
    };

    /// Returns this machine. The processor is asked once.
    #[cfg(feature = "std")]
    #[inline]
    pub(crate) fn get() -> Self {
        #[cfg(test)]
        if let Some(simulated) = simulated::MACHINE.get() {
            return simulated;
        }
        static MACHINE: std::sync::OnceLock<Machine> = std::sync::OnceLock::new();
        *MACHINE.get_or_init(|| {
            let (_, caches, whole) = asked();
            Self::of(&caches, whole)
        })
    }

    /// Returns the default machine: without `std` the processor cannot be asked.
    #[cfg(not(feature = "std"))]
    #[inline]
    pub(crate) const fn get() -> Self {
        Self::DEFAULT
    }

    /// The machine with these caches, given by level and bytes. A cache that is missing, or has a
    /// size that no processor has, has its default size.
    #[cfg(feature = "std")]
    fn of(caches: &[(u8, usize)], whole: bool) -> Self {
        let size = |level, least, most, default| match caches.iter().find(|cache| cache.0 == level)
        {
            Some(&(_, size)) if (least..=most).contains(&size) => size,
            _ => default,
        };
        Self {
            l2: size(2, MIB / 16, MIB * 64, Self::DEFAULT.l2),
            l3: size(3, MIB, MIB << 10, Self::DEFAULT.l3),
            whole,
        }
    }
}

/// The name of this processor with its caches, for texts that are valid only for this kind of
/// processor.
#[cfg(feature = "std")]
pub(crate) fn processor() -> std::string::String {
    let Machine { l2, l3, .. } = Machine::get();
    std::format!("{}, caches of {l2} and {l3} bytes", asked().0)
}

/// The name of a processor, its caches that hold data, and whether to load rows as whole registers.
#[cfg(feature = "std")]
type Asked = (std::string::String, std::vec::Vec<(u8, usize)>, bool);

/// Asks the instruction `cpuid`.
#[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
fn asked() -> Asked {
    use raw_cpuid::{CacheType, CpuId};

    let cpu = CpuId::new();
    let brand = cpu.get_processor_brand_string();
    let brand = brand.as_ref().map_or("x86-64", |of| of.as_str().trim());
    let model = cpu.get_feature_info();
    let (family, model) = model.map_or((0, 0), |of| (of.family_id(), of.model_id()));
    let name = std::format!("{brand} (family {family}, model {model})");
    let caches = cpu.get_cache_parameters().into_iter().flatten();
    let data = caches.filter(|of| matches!(of.cache_type(), CacheType::Data | CacheType::Unified));
    let sizes = data.map(|cache| {
        let lines = cache.sets() * cache.associativity() * cache.physical_line_partitions();
        (cache.level(), lines * cache.coherency_line_size())
    });
    // AMD's cores with AVX-512 are Zen 4 and later.
    let vendor = cpu.get_vendor_info();
    let whole = vendor.is_some_and(|vendor| vendor.as_str() == "AuthenticAMD");
    (name, sizes.collect(), whole)
}

/// Returns the architecture, and the caches that Linux lists in files.
#[cfg(all(feature = "std", any(miri, not(target_arch = "x86_64"))))]
fn asked() -> Asked {
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
    (std::env::consts::ARCH.into(), caches, false)
}

/// Other machines than this one, so that tests of choices do not depend on the machine.
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
    /// Several chips that report one last cache.
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
            let found = Machine::of(caches, false);
            assert_eq!((found.l2, found.l3), expected, "{caches:?}");
        }
    }

    /// The caches that the processor reports are used if their sizes are plausible.
    #[test]
    fn this_machine_has_caches() {
        let machine = Machine::get();
        assert!((64 << 10..=64 << 20).contains(&machine.l2), "{machine:?}");
    }
}
