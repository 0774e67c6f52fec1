//! Encodings of which threads hold which elements.

use crate::maps::map_text::MapText;
use xlayout::algebra::Budget;
use xlayout::interop::Given;

fn read(text: &str) -> Option<Result<MapText, crate::Error>> {
    super::read("A", text, &Given::default())
}

/// The blocked one below of 16 by 16 elements.
const LINEAR: &str = "#linear = #ttg.linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], \
     warp = [[0, 8], [8, 0]], block = []}>";

#[test]
fn a_blocked_layout() {
    let blocked = "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], \
                   warpsPerCTA = [2, 2], order = [1, 0]}>";
    let sizes = |sizes| Given {
        sizes: Some(sizes),
        ..Given::default()
    };
    let of_sizes = |own| super::read("A", blocked, &sizes(own)).unwrap().unwrap();
    let (Some(Ok(map)), same) = (read(LINEAR), of_sizes(&[16, 16])) else {
        panic!("it is a linear layout")
    };
    assert!((0..256).all(|k| map.map().at_index(k) == same.map().at_index(k)));
    // Registers take what is left of the sizes, and threads without any have the first ones.
    assert_eq!(of_sizes(&[16, 32]).map().at_index(2), Some(16));
    let less = of_sizes(&[16, 8]);
    assert_eq!(less.map().at_index(64), less.map().at_index(0));
    let map = map.map();
    for index in 0..256 {
        let register = index % 2;
        let lane = index / 2 % 32;
        let warp = index / 64;
        let row = lane / 4 + 8 * (warp / 2);
        let column = register + 2 * (lane % 4) + 8 * (warp % 2);
        assert_eq!(map.at_index(index), Some((row * 16 + column) as i64));
    }
    assert_eq!(map.is_bijective(Budget::DEFAULT), Ok(true));
}

#[test]
fn a_printed_linear_layout() {
    let text = "layout:\n - register=1 -> (0, 1)\n - lane=1 -> (0, 2)\n   lane=2 -> (0, 4)\n   \
                lane=4 -> (1, 0)\n   lane=8 -> (2, 0)\n   lane=16 -> (4, 0)\n - warp=1 -> (0, 8)\n   \
                warp=2 -> (8, 0)\n - block is a size 1 dimension\nwhere out dims are: [dim0 (size 16), \
                dim1 (size 16)]";
    let (Some(Ok(map)), Some(Ok(same))) = (read(text), read(LINEAR)) else {
        panic!("it is a linear layout")
    };
    assert!((0..256).all(|k| map.map().at_index(k) == same.map().at_index(k)));
    // A line is missing, out of sequence, or of something else.
    for (right, wrong) in [
        ("   lane=2 -> (0, 4)\n", ""),
        ("warp=2", "warp=3"),
        ("warp=1", "cta=1"),
    ] {
        assert!(read(&text.replace(right, wrong)).is_none(), "{wrong}");
    }
    assert!(matches!(read(" - register=1 -> (x)"), Some(Err(_))));
    let listed = "register = [[0, 1]],\nlane = [[0, 2], [0, 4]],\nwarp = [[1, 0]],";
    let whole =
        "#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [0, 4]], warp = [[1, 0]], block = []}>";
    let (Some(Ok(map)), Some(Ok(same))) = (read(listed), read(whole)) else {
        panic!("it is a linear layout")
    };
    assert!((0..16).all(|k| map.map().at_index(k) == same.map().at_index(k)));
}

#[test]
fn what_is_no_linear_layout() {
    assert!(read("(4,8):(8,1)").is_none());
    for cut in 0..LINEAR.len() {
        assert!(!matches!(read(&LINEAR[..cut]), Some(Ok(_))), "{cut}");
    }
    for bad in [
        "#ttg.linear<{register = [[1], [1, 2]], lane = [], warp = [], block = []}>",
        "#ttg.linear<{register = [[4611686018427387904]], lane = [], warp = [], block = []}>",
        "#ttg.linear<{register = [[2305843009213693952, 2]], lane = [], warp = [], block = []}>",
        "#ttg.linear<{register = [[-1]], lane = [], warp = [], block = []}>",
        "#ttg.linear<{register = [], lane = [], warp = [], block = []}> x",
    ] {
        assert!(matches!(read(bad), Some(Err(_))), "{bad}");
    }
}
