//! For every minor_to_major of rank 2 to 4 a kernel that takes it and one that returns it; the
//! other array is row-major. Both also return the elements in the sequence in which memory has
//! them. Their bodies are compiled once: there are many, and sets of instructions are tested with
//! other kernels.

use xlayout::layout;
use xlayout_kernel::{In, Out};

macro_rules! orders {
    ($dims:tt $row:tt $($from:ident $to:ident $order:tt)*) => {$(
        /// Returns x row-major, and its memory as it is.
        #[xlayout_kernel::kernel(isa = "baseline")]
        fn $from(
            x: In<layout!(f32$dims $order)>,
            mut y: Out<layout!(f32$dims $row)>,
            mut memory: Out<layout!(f32[?_]{0})>,
        ) {
            y.for_each_in_memory_mut(|index, y| *y = x[*index]);
            memory.memory_mut().copy_from_slice(x.memory());
        }

        /// Returns row-major x in another sequence, and the memory of that.
        #[xlayout_kernel::kernel(isa = "baseline")]
        fn $to(
            x: In<layout!(f32$dims $row)>,
            mut y: Out<layout!(f32$dims $order)>,
            mut memory: Out<layout!(f32[?_]{0})>,
        ) {
            y.for_each_in_memory_mut(|index, y| *y = x[*index]);
            memory.memory_mut().copy_from_slice(y.memory());
        }
    )*};
}

orders! { [?,?] {1,0}
    from_01 to_01 {0,1}
    from_10 to_10 {1,0}
}
orders! { [?,?,?] {2,1,0}
    from_012 to_012 {0,1,2}
    from_021 to_021 {0,2,1}
    from_102 to_102 {1,0,2}
    from_120 to_120 {1,2,0}
    from_201 to_201 {2,0,1}
    from_210 to_210 {2,1,0}
}
orders! { [?,?,?,?] {3,2,1,0}
    from_0123 to_0123 {0,1,2,3}
    from_0132 to_0132 {0,1,3,2}
    from_0213 to_0213 {0,2,1,3}
    from_0231 to_0231 {0,2,3,1}
    from_0312 to_0312 {0,3,1,2}
    from_0321 to_0321 {0,3,2,1}
    from_1023 to_1023 {1,0,2,3}
    from_1032 to_1032 {1,0,3,2}
    from_1203 to_1203 {1,2,0,3}
    from_1230 to_1230 {1,2,3,0}
    from_1302 to_1302 {1,3,0,2}
    from_1320 to_1320 {1,3,2,0}
    from_2013 to_2013 {2,0,1,3}
    from_2031 to_2031 {2,0,3,1}
    from_2103 to_2103 {2,1,0,3}
    from_2130 to_2130 {2,1,3,0}
    from_2301 to_2301 {2,3,0,1}
    from_2310 to_2310 {2,3,1,0}
    from_3012 to_3012 {3,0,1,2}
    from_3021 to_3021 {3,0,2,1}
    from_3102 to_3102 {3,1,0,2}
    from_3120 to_3120 {3,1,2,0}
    from_3201 to_3201 {3,2,0,1}
    from_3210 to_3210 {3,2,1,0}
}
