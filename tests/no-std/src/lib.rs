//! A program without std and without a heap: its own panic handler, and an entry for a C program.
//!
//! Built with the profile `no-std`, which aborts on panic; a build that unwinds needs std.
#![no_std]

#[cfg(panic = "unwind")]
extern crate std;

#[cfg(not(panic = "unwind"))]
#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

use xlayout::{
    ArrayLayout, ConstLayout, DynLayout, Index, LayoutError, SliceView, SliceViewMut,
    StridedLayout, index, layout, specialize,
};

layout! {
    /// A layout as an item.
    type Tiled = bf16[16,256]{1,0:T(8,128)(2,1)};
    /// Padded, with a value in the padding.
    type Padding = f32[2,3]<0,1>, padded_dimensions = [3, 5], padding_value = one;
}

/// Typed layouts: constants, indices, views, padding.
fn typed() -> Result<f32, LayoutError> {
    const AT: Index<Padding> = index!(Padding[1, 2]);
    let mut memory = [0.0_f32; <Padding>::BUFFER_LEN];
    let mut view = SliceViewMut::new(Padding, &mut memory[..])?;
    view.fill_padding();
    view[AT] = 2.0;
    let mut sum = 0.0;
    view.for_each_in_memory(|_, item| sum += item);
    for i in <Padding>::axis::<0>() {
        sum += <Padding>::axis::<1>().map(|j| view[(i, j)]).sum::<f32>();
    }
    Ok(sum)
}

/// Layouts that are read at run time: text, errors, index arithmetic, views, `specialize!`.
fn dynamic(text: &str) -> Result<usize, LayoutError> {
    let layout: DynLayout = text.parse()?;
    let linear = specialize!(layout, {
        bf16[16,256]{1,0:T(8,128)(2,1)} => layout.linear_index(&[1, 0]),
        bf16[?,256]{1,0} => layout.linear_index(&[1, 0]),
        _ => {
            let index = layout.multi_index(layout.buffer_len() - 1);
            index.map_or(0, |index| layout.linear_index(&index))
        }
    });
    let rows = layout!(u16[?,3]{0,1})([2, 3])?;
    let narrow = StridedLayout::<[usize; 2]>::of(&rows)?.narrow()?;
    let mut bytes = [0; 4];
    let mut packed = SliceViewMut::packed(layout!(s4[2,3]{1,0:T(2,4)E(4)}), &mut bytes)?;
    packed.set_at(index!(layout!(s4[2,3]{1,0:T(2,4)E(4)})[1, 2]), 7);
    let view = SliceView::new(rows, &[1_u16, 2, 3, 4, 5, 6][..])?;
    Ok(linear
        + narrow.linear_index(&[1, 2]) as usize
        + usize::from(view[[1, 2]] + u16::from(bytes[3])))
}

/// Counts what is written: printing needs no heap.
struct Count(usize);

impl core::fmt::Write for Count {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// The entry: 0 if all is well.
#[allow(unsafe_code, reason = "a C program finds it by this name")]
#[unsafe(no_mangle)]
pub extern "C" fn xlayout_no_std_test() -> usize {
    let mut count = Count(0);
    let text = "bf16[16,256]{1,0:T(8,128)(2,2)";
    if let Err(error) = dynamic(text) {
        let _ = core::fmt::write(&mut count, format_args!("{error} {Tiled}"));
    }
    let answers = (
        typed(),
        dynamic("bf16[16,256]{1,0:T(8,128)(2,1)}"),
        dynamic("f32[2]"),
    );
    match answers {
        (Ok(sum), Ok(tiled), Ok(_)) if sum == 4.0 && tiled == 1 + 5 + 6 + 7 && count.0 > 0 => 0,
        _ => 1,
    }
}
