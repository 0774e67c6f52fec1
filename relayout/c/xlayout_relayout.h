/* Copies between arrays of any strides: the C interface of the Rust crate xlayout-relayout. */
#ifndef XLAYOUT_RELAYOUT_H
#define XLAYOUT_RELAYOUT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call answers. */
enum xlayout_status {
    XLAYOUT_OK = 0,
    /* A pointer is null, and there are elements or dimensions. */
    XLAYOUT_NULL = 1,
    /* Strides lead further than a ptrdiff_t counts. */
    XLAYOUT_TOO_LARGE = 2,
    /* Elements of the destination overlap: a stride is shorter than what the smaller strides span. */
    XLAYOUT_OVERLAPPING = 3,
    /* The source and the destination have bytes between their first and last elements in common. */
    XLAYOUT_ALIASED = 4
};

/* Copies an array of `rank` dimensions. `sizes` and both lists of strides have `rank` entries. Strides count bytes, and
 * may be negative; those of the source may be zero. `dst` and `src` point to the elements at the origin, which need
 * not be aligned. An element has `width` bytes. Dimensions of size 1 may have any stride.
 *
 * All elements must be readable at `src` and writable at `dst`; C cannot check that. Nothing is written unless the answer
 * is XLAYOUT_OK. A call takes less than a microsecond to plan a copy. Calls may run in several threads. */
int xlayout_copy_strided(void *dst, const ptrdiff_t *dst_strides,
                         const void *src, const ptrdiff_t *src_strides,
                         const size_t *sizes, size_t rank, size_t width);

/* The answer in words: a string that lives as long as the program. */
const char *xlayout_status_text(int status);

#ifdef __cplusplus
}
#endif

#endif
