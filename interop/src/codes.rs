//! DLPack's codes of types.

/// The type codes of `dlpack.h` 1.1, in sequence.
const CODES: &str = "kDLInt kDLUInt kDLFloat kDLOpaqueHandle kDLBfloat kDLComplex kDLBool \
    kDLFloat8_e3m4 kDLFloat8_e4m3 kDLFloat8_e4m3b11fnuz kDLFloat8_e4m3fn kDLFloat8_e4m3fnuz \
    kDLFloat8_e5m2 kDLFloat8_e5m2fnuz kDLFloat8_e8m0fnu kDLFloat6_e2m3fn kDLFloat6_e3m2fn \
    kDLFloat4_e2m1fn";

/// The name of a type code of DLPack's.
pub(super) fn name(code: u8) -> Option<&'static str> {
    CODES.split(' ').nth(code.into())
}

/// The type code with this name.
pub(super) fn of_name(name: &str) -> Option<u8> {
    let code = CODES.split(' ').position(|known| known == name);
    code.map(|code| code as u8)
}
