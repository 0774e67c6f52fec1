#![deny(unused_braces)]

use xlayout::{ArrayLayout, DynLayout, layout, specialize};

layout! { type Tiled = bf16[16,256]{1,0:T(8,128)}; }

fn name(layout: &DynLayout) -> String {
    const N: usize = 5;
    specialize!(layout, {
        f32[2,3]{0,1} => format!("column-major, {} bytes", <layout!(f32[2,3])>::BYTES),
        f32[?,3]{1,0} => {
            let [rows, three] = layout.shape();
            format!("{rows} rows of {three}")
        }
        f32[N,N] | f64[N,N] => format!("square, {} bytes", layout.bytes()),
        Tiled => String::from("tiled"),
        f32[2,2], padded_dimensions = [4, 4] => format!("{} places", layout.buffer_len()),
        _ => format!("{layout}"),
    })
}

/// Bodies are no closures: whatever leaves a function or a loop leaves it from them.
fn control_flow(layouts: &[DynLayout]) -> Option<usize> {
    let mut rows = 0;
    for layout in layouts {
        rows += specialize!(layout, {
            f32[2,3] => continue,
            f32[?,3] => layout.shape()[0],
            f32[4,4] => break,
            f32[5,5] => return None,
            _ => "not a number".parse().ok()?,
        });
    }
    Some(rows)
}

#[test]
fn works() {
    let named = |text: &str| name(&text.parse().unwrap());
    assert_eq!(named("f32[2,3]{0,1}"), "column-major, 24 bytes");
    assert_eq!(named("f32[7,3]"), "7 rows of 3");
    assert_eq!(named("f64[5,5]"), "square, 200 bytes");
    assert_eq!(named("bf16[16,256]{1,0:T(8,128)}"), "tiled");
    assert_eq!(named("f32[2,2], padded_dimensions = [4, 4]"), "16 places");
    assert_eq!(named("u8[7]"), "u8[7]{0}");
    let bytes = specialize!(x = "u8[7]".parse::<DynLayout>().unwrap(), {
        u8[7] => x.bytes(),
        _ => 0,
    });
    assert_eq!(bytes, 7);

    let flow = |texts: &[&str]| {
        let layouts: Vec<_> = texts.iter().map(|text| text.parse().unwrap()).collect();
        control_flow(&layouts)
    };
    assert_eq!(flow(&["f32[7,3]", "f32[2,3]", "f32[8,3]"]), Some(15));
    assert_eq!(flow(&["f32[7,3]", "f32[4,4]", "f32[8,3]"]), Some(7));
    assert_eq!(flow(&["f32[7,3]", "f32[5,5]"]), None);
    assert_eq!(flow(&["f32[7,3]", "u8[7]"]), None);
}
