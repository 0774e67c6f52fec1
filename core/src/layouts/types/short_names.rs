//! Short names for frequent parts of layouts, which `layout!` writes. The compiler makes a constant
//! for each number in a path. For an alias it makes none. And one name is cheaper to resolve than
//! three.

#![allow(missing_docs, reason = "they are written by `layout!` only")]

use super::{MinorToMajor, Nat};

macro_rules! numbers {
    ($($name:ident $n:literal)*) => {$(
        pub type $name = Nat<$n>;
    )*};
}

// Up to 128, and powers of two up to 65536.
numbers! {
    N0 0 N1 1 N2 2 N3 3 N4 4 N5 5 N6 6 N7 7 N8 8 N9 9 N10 10 N11 11 N12 12 N13 13 N14 14 N15 15
    N16 16 N17 17 N18 18 N19 19 N20 20 N21 21 N22 22 N23 23 N24 24 N25 25 N26 26 N27 27 N28 28
    N29 29 N30 30 N31 31 N32 32 N33 33 N34 34 N35 35 N36 36 N37 37 N38 38 N39 39 N40 40 N41 41
    N42 42 N43 43 N44 44 N45 45 N46 46 N47 47 N48 48 N49 49 N50 50 N51 51 N52 52 N53 53 N54 54
    N55 55 N56 56 N57 57 N58 58 N59 59 N60 60 N61 61 N62 62 N63 63 N64 64 N65 65 N66 66 N67 67
    N68 68 N69 69 N70 70 N71 71 N72 72 N73 73 N74 74 N75 75 N76 76 N77 77 N78 78 N79 79 N80 80
    N81 81 N82 82 N83 83 N84 84 N85 85 N86 86 N87 87 N88 88 N89 89 N90 90 N91 91 N92 92 N93 93
    N94 94 N95 95 N96 96 N97 97 N98 98 N99 99 N100 100 N101 101 N102 102 N103 103 N104 104
    N105 105 N106 106 N107 107 N108 108 N109 109 N110 110 N111 111 N112 112 N113 113 N114 114
    N115 115 N116 116 N117 117 N118 118 N119 119 N120 120 N121 121 N122 122 N123 123 N124 124
    N125 125 N126 126 N127 127 N128 128 N256 256 N512 512 N1024 1024 N2048 2048 N4096 4096
    N8192 8192 N16384 16384 N32768 32768 N65536 65536
}

macro_rules! orders {
    ($($name:ident ($($number:ident,)*))*) => {$(
        pub type $name = MinorToMajor<($($number,)*)>;
    )*};
}

orders! {
    RowMajor0 ()
    RowMajor1 (N0,)
    RowMajor2 (N1, N0,)
    RowMajor3 (N2, N1, N0,)
    RowMajor4 (N3, N2, N1, N0,)
    RowMajor5 (N4, N3, N2, N1, N0,)
    RowMajor6 (N5, N4, N3, N2, N1, N0,)
    RowMajor7 (N6, N5, N4, N3, N2, N1, N0,)
    RowMajor8 (N7, N6, N5, N4, N3, N2, N1, N0,)
    ColumnMajor2 (N0, N1,)
    ColumnMajor3 (N0, N1, N2,)
    ColumnMajor4 (N0, N1, N2, N3,)
    ColumnMajor5 (N0, N1, N2, N3, N4,)
    ColumnMajor6 (N0, N1, N2, N3, N4, N5,)
    ColumnMajor7 (N0, N1, N2, N3, N4, N5, N6,)
    ColumnMajor8 (N0, N1, N2, N3, N4, N5, N6, N7,)
}
