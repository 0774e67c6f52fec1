//! The long help of `convert`.

use crate::help;

pub(crate) const LONG: &str = "\
Convert files of arrays from one layout to another.

Elements are moved and never changed: both files hold the same logical array, of the same type and sizes. \
To transpose, change the layout. Formats go by the extension:

  .npy          NumPy's: a dense array, row-major (C) or column-major (F).
                Big-endian files are read, little-endian ones written.
                bfloat16 and its like are only `V2` there: say --from bf16.
  .npz          NumPy's: a zip of .npy, each with a name. Read, not written.
  .safetensors  dense arrays, row-major, each with a name; see --opaque.
  .safetensors.index.json
                says which .safetensors beside it has which array.
                Read, not written.
  .raw .bin .dat
                the elements and nothing else: tiles, padding, packed
                elements, anything. Such a file says nothing itself, so
                that --from is a full shape.

Without --to the output has the input's layout, if its format can say that, and is row-major otherwise. \
Padding is written as zeros.

Files may be larger than memory. Sizes and the space on the device are checked before anything is written. \
The output appears whole or not at all: it is written under another name in the same folder and renamed at the end. \
A file that exists is replaced only with --force; OUTPUT may be INPUT then.";

pub(super) const FROM: &str = "\
What INPUT holds

A raw file needs a full shape, 'f32[2,3]{0,1}'; without a layout it is row-major. Other files say it themselves: \
what is given must agree, and a type alone is enough where `.npy` says only `V2`: --from bf16.";

pub(super) const TO: &str = "\
The layout that OUTPUT gets

A layout, '{0,1:T(8,128)}'; a shape with one, 'f32[2,3]{0,1}', which must be INPUT's; or C (row-major) or F \
(column-major) for any number of dimensions; or a text of another project, such as oneDNN's 'aBcd16b', for the sizes and \
the type of INPUT. Of several tensors it goes to those with as many dimensions.";

pub(super) const OPAQUE: &str = "\
Store in a safetensors file as bytes what that format cannot say

Safetensors are row-major, and have no name for some types. Such a tensor is stored as `U8[bytes]`, with its shape \
and layout in the metadata (`xlayout.shape.NAME`), where xlayout finds it again. Other programs see bytes, and \
not numbers in the wrong sequence.";

const EXAMPLES: &str = "\
xlayout convert a.npy b.npy --to F
    From NumPy's order C to order F; '{0,1}' says the same of a matrix
xlayout convert a.npy a.bin --to '{1,0:T(8,128)}'
    The tiles of a TPU, as the device holds them
xlayout convert a.npy blocks.bin --to aB16b
    Blocks of 16 columns, by a tag of oneDNN's
xlayout convert a.bin back.npy --from 'f32[100,300]{1,0:T(8,128)}'
    And back, without the padding
xlayout convert model.safetensors w.npy --tensor embed.weight
    One tensor for NumPy
xlayout convert w.npy w.safetensors --from bf16 --tensor embed.weight
    And back, of a type that NumPy has no name for
xlayout convert bytes.bin packed.bin --from 's4[64,64]' --to '{1,0:E(4)}'
    From a byte for each element to half a byte
xlayout convert big.npy big-f.npy --to F --dry-run
    What would be done, and how, without writing";

pub(super) fn examples() -> String {
    help::examples(&help::pairs(EXAMPLES))
}
