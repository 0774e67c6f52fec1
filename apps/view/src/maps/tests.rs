//! What people paste: one small text for each form of a map, and where elements lie.

use xlayout::algebra::Swizzle;
use xlayout::interop::Given;

use super::MapText;
use crate::Error;

fn read(text: &str, given: &Given<'_>) -> Option<Result<MapText, Error>> {
    MapText::read("SHAPE", text, given)
}

const GIVEN: Given<'_> = Given {
    sizes: Some(&[64, 64]),
    element_type: None,
    axes: None,
};

/// 64 by 64 elements of 2 bytes whose rows of 128 bytes are swizzled.
#[test]
fn each_form_of_a_swizzle_is_read() {
    for text in [
        "Sw<3,4,3> o smem_ptr[16b](unset) o (_64,_64):(_64,_1)",
        "Sw<3,4,3>_smem_ptr[16b](0x7f00) o (64,64):(64,1)",
        "Sw<3,3,3> o 0 o (64,64):(64,1)",
        "S<3,3,3> o _0 o (64,(8,8)):(64,(1,8))",
        "ptr[16b](0x7f00) o Sw<3,3,3> o (_0,_0) o (64,64):(64,1)",
        "tensor<ptr<f16, smem, align<1024>, S<3,4,3>> o (64,64):(64,1)>",
        "composition(Swizzle<3,3,3>{}, Layout<Shape<_64,_64>, Stride<_64,_1>>{})",
        "cute::make_composed_layout(cute::Swizzle<3,3,3>{}, cute::Int<0>{}, cute::make_layout(\
         cute::make_shape(cute::Int<64>{}, cute::Int<64>{}), cute::make_stride(cute::Int<64>{}, cute::Int<1>{})))",
        "cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, cute.make_layout((64, 64), stride=(64, 1)))",
        "ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, Layout<Shape<_64,_64>,Stride<_64,_1>>>",
        "Swizzle<3,3,3>",
        "tlx.swizzled_layout(3, 3, 3)",
        "using A = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, make_shape(_64{}, Int<64>{})));",
        "tile_to_shape(UMMA::Layout_K_SW128_Atom<cutlass::bfloat16_t>{}, Shape<_64,_64>{}, Step<_2,_1>{})",
        "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
        "gl.SwizzledSharedLayout(8, 1, 8, order=[1, 0])",
        "ttgl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2, transposed=False)",
        "#triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], hasLeadingOffset = false}>",
        "!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, \
         elementBitWidth = 16}>, #smem, mutable>",
        "#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>\n\
         !ttg.memdesc<64x64xf16, #shared, #smem>",
    ] {
        let map = read(text, &GIVEN).expect(text).expect(text);
        for row in 0..64 {
            for column in 0..64 {
                let chunk = (column / 8) ^ (row % 8);
                let place = row * 64 + chunk * 8 + column % 8;
                assert_eq!(map.map().at(&[row, column]), Some(place as i64), "{text}");
            }
        }
        let (_, swizzle) = map.parts();
        assert_eq!(
            swizzle.map(|swizzle| swizzle.numbers()),
            Some((3, 3, 3)),
            "{text}"
        );
        // Cut anywhere, nothing panics.
        for (cut, _) in text.char_indices() {
            let cut = read(&text[..cut], &GIVEN);
            if let Some(Ok(map)) = cut {
                assert!(map.explain(80, &[]).is_ok());
            }
        }
    }
}

#[test]
fn other_maps() {
    let at = |text: &str, index: &[u64]| {
        let map = read(text, &GIVEN).expect(text).expect(text);
        map.map().at(index)
    };
    // 16 bytes behind each 512 elements.
    let padded = "#ttg.padded_shared<[512:+16] {order = [1, 0], shape = [64, 64]}>";
    assert_eq!(at(padded, &[8, 3]), Some(512 + 16 + 3));
    // Atoms of 64 by 8, four of them along dimension 0, which CuTe prints as below.
    let tiles = "tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>{}, Shape<_256,_64,_3>{})";
    let printed = "Sw<3,4,3> o smem_ptr[16b](unset) o ((_64,_4),(_8,_8),(_1,_3)):((_1,_512),(_64,_2048),(_0,_16384))";
    let turned = "Sw<3,4,3> o smem_ptr[16b](unset) o ((_64,_4),(_8,_8),(_1,_3)):((_1,_4096),(_64,_512),(_0,_16384))";
    for index in [[0, 0, 0], [255, 63, 2], [70, 9, 1], [8, 1, 0]] {
        assert_eq!(at(tiles, &index), at(printed, &index));
        let stepped = tiles.replace("{})", "{}, Step<_2,_1,_3>{})");
        assert_eq!(at(&stepped, &index), at(turned, &index));
    }
    let atom =
        "warpgroup.make_smem_layout_atom(warpgroup.SmemLayoutAtomKind.MN_SW32, cutlass.Float32)";
    assert_eq!(at(atom, &[7, 4]), Some(4 * 8 + 7 - 4));
    for python in [
        "Layout((8, (2, 4)), (1, (32, 8)))",
        "Layout(IntTuple(8, IntTuple(2, 4)), IntTuple(1, IntTuple(32, 8)))",
    ] {
        assert_eq!(at(python, &[3, 5]), Some(3 + 32 + 2 * 8));
    }
    assert!(read("Layout((1, 0), ((8, 128),))", &GIVEN).is_none());
    let tensor =
        "make_tensor(make_gmem_ptr(p), Shape<Int<8>, Int<32>>{}, Stride<Int<32>, Int<1>>{})";
    assert_eq!(at(tensor, &[3, 5]), Some(3 * 32 + 5));
    // A pointer to bits.
    let bits =
        "ComposedLayout<Swizzle<1,4,3>, smem_ptr_flag, Layout<Shape<_256,_8>,Stride<_1,_256>>>";
    assert_eq!(at(bits, &[0, 4]), Some(4 * 256 + 128));
    // Tiles of 32 columns, each with all rows.
    let narrow = "!ttg.memdesc<128x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = \
                  false, elementBitWidth = 16}>, #smem>";
    assert_eq!(at(narrow, &[2, 32]), Some(128 * 32 + 2 * 32 + 8));
    // Two buffers, each as above.
    let buffers = narrow.replace("128x64", "2x128x64");
    assert_eq!(
        at(&buffers, &[1, 2, 32]),
        Some(128 * 64 + 128 * 32 + 2 * 32 + 8)
    );
    let rows = "!ttg.memdesc<3x64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #smem>";
    assert_eq!(at(rows, &[2, 1, 0]), Some(2 * 64 * 64 + 64 + 8));
    let columns = "!ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = \
                   true, elementBitWidth = 16}>, #smem>";
    assert_eq!(at(columns, &[8, 1]), Some(64));
}

#[test]
fn what_is_refused_says_why() {
    for (text, word) in [
        ("Sw<3,3>", "o"),
        (
            "make_composed_layout(swizzle, 0, layout)",
            "found `swizzle`",
        ),
        ("Sw<3,3,3> o 0", "layout"),
        ("Sw<3,3,3> o 0 o (8,8)", "layout"),
        (
            "Sw<3,0,3> o smem_ptr[16b](unset) o (8,64):(64,1)",
            "parts of an element",
        ),
        ("tensor<ptr<T, smem, S<3,4,3>> o (8,64):(64,1)>", "--type"),
        ("GMMA::Layout_K_SW128_Atom<T>", "--type"),
        (
            "GMMA::Layout_MN_SW128_32B_Atom<float>",
            "not one of those that are read",
        ),
        (
            "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<M,_64>{})",
            "numbers",
        ),
        (
            "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_12,_64>{})",
            "divide",
        ),
        (
            "A = Layout_K_SW128_Atom<half_t>; B = Layout_K_SW64_Atom<half_t>;",
            "several",
        ),
        ("#ttg.blocked<{sizePerThread = [1, 4]}>", "threadsPerWarp"),
        (
            "gl.SwizzledSharedLayout(8, 1, 8, [1, 0], axes=1)",
            "no argument",
        ),
        (
            "a = SwizzledSharedLayout(8, 1, 8, [1, 0]); b = BlockedLayout([1, 4])",
            "no argument",
        ),
        ("gl.BlockedLayout([1, 4])", "threadsPerWarp"),
        ("#ttg.nvidia_mma<{versionMajor = 2}>", "lane"),
        ("#ttg.linear<{register = [[0 1]]}>", "numbers"),
        ("!ttg.memdesc<64x64xf16, #shared, #smem>", "another line"),
        (
            "!ttg.memdesc<2x4x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>, #smem>",
            "fewer rows",
        ),
        (
            "!tt.memdesc<4x64xf16, #triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], hasLeadingOffset = true}>>",
            "fewer rows",
        ),
        (
            "#ttg.swizzled_shared<{vec = 8, perPhase = 1, order = [1, 0]}>",
            "maxPhase",
        ),
        (
            "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 1]}>",
            "order",
        ),
        (
            "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false}>",
            "elementBitWidth",
        ),
    ] {
        let answer = read(
            text,
            &Given {
                sizes: GIVEN.sizes.filter(|_| !text.starts_with("Sw")),
                ..GIVEN
            },
        );
        if let Some(answer) = answer {
            let error = answer.expect_err(text).to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}

#[test]
fn the_swizzle_between_two_layouts() {
    let [plain, swizzled] = ["(8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"].map(|text| {
        let given = Given {
            element_type: Some(xlayout::ElementType::F16),
            ..Given::default()
        };
        MapText::of_any("A", text, &given).unwrap()
    });
    let compared = plain.compare(&swizzled).unwrap();
    assert!(!compared.is_equal);
    assert_eq!(compared.swizzle, Swizzle::new(3, 3, 3).ok());
    assert!(swizzled.compare(&swizzled).unwrap().is_equal);
}
