//! The attributes of a layout.

/// Calls `callback!` with all attributes of a layout that XLA's text has between braces, in the
/// sequence in which XLA reads and prints them.
///
/// `attributes` are all: the variant of `Attribute`, the letters of the text, an example to copy,
/// and the words for it in messages, which sparse layouts' attributes lack. `numbers` are those
/// whose argument is one number: the variant, the field of [`Layout`], its type, its default, the
/// values that say nothing and are not printed; the type that `layout!` writes with the type of its
/// parameter `N` and the number as an `i64`; the name of the number where the attributes of a type
/// are gathered; and whether it changes how much is allocated (`sized`), which then needs an
/// implementation of `Adds`. For a number the field, its default, reading, printing and the type of
/// `layout!` are generated from the row.
///
/// [`Layout`]: crate::Layout
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_attribute {
    ($callback:ident) => {
        $callback! {
            attributes {
                /// `D(…)`: the levels of sparse layouts.
                Levels, "D", "D(D,D)";
                /// `T(…)…`: the tiles.
                Tiles, "T", "T(8,128)", "tiles";
                /// `L(n)`: the tail padding alignment.
                TailAlignment, "L", "L(100)", "tail padding alignment";
                /// `#(type)`: the index type of sparse layouts.
                IndexType, "#", "#(u32)";
                /// `*(type)`: the pointer type of sparse layouts.
                PointerType, "*", "*(u32)";
                /// `E(n)`: the element size in bits.
                ElementSize, "E", "E(4)", "element size in bits";
                /// `S(n)`: the memory space.
                MemorySpace, "S", "S(1)", "memory space";
                /// `SC(…)…`: the split configurations.
                Splits, "SC", "SC(0:30)", "splits";
                /// `P(…)`: the physical shape of sparse layouts.
                PhysicalShape, "P", "P(f32[2])";
                /// `M(n)`: the bytes of dynamic shape metadata.
                Metadata, "M", "M(16)", "metadata bytes";
            }
            numbers {
                /// Elements are appended behind the (tiled) array until their number is a multiple
                /// of this. In elements; 1 is "nothing". Text: `L(n)`.
                TailAlignment: tail_padding_alignment_in_elements: i64 = 1, nothing 1, type TailAlign<usize> = {signed(N)}, in tail_alignment, sized;
                /// The bits that one element takes; 0 is "whole bytes, as wide as the type". Text:
                /// `E(n)`.
                #[doc(alias = "set_element_size_in_bits")]
                ElementSize: element_size_in_bits: i64 = 0, nothing 0, type ElementWidth<usize> = {signed(N)}, in element_bits, sized;
                /// Which memory of the device; 0 is the default one. XLA keeps it in an `int8`.
                /// Text: `S(n)`.
                #[doc(alias = "set_memory_space")]
                MemorySpace: memory_space: i8 = 0, nothing 0, type MemSpace<i8> = {N as i64}, in memory_space, unsized;
                /// The bytes of the header with the dynamic sizes that comes before the data; 0 or
                /// less is "none". Text: `M(n)`.
                #[doc(alias = "set_dynamic_shape_metadata_prefix_bytes")]
                Metadata: dynamic_shape_metadata_prefix_bytes: i64 = 0, nothing i64::MIN..=0, type MetadataBytes<i64> = {N}, in metadata_prefix, unsized;
            }
        }
    };
}
