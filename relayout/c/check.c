/* Copies by xlayout_copy_strided against plain loops. It prints what differs, and ends with 1 then. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xlayout_relayout.h"

static int failed = 0;

static void expect(const char *what, int found, int expected) {
    if (found != expected) {
        printf("%s: %d (%s), expected %d\n", what, found, xlayout_status_text(found), expected);
        failed = 1;
    }
}

/* A transpose of rows that are read from the last to the first. */
static void transpose(size_t rows, size_t columns) {
    float *src = malloc(rows * columns * sizeof *src), *dst = malloc(rows * columns * sizeof *dst);
    for (size_t k = 0; k < rows * columns; k++) src[k] = (float)k;
    const ptrdiff_t width = sizeof *src;
    const size_t sizes[] = {rows, columns};
    const ptrdiff_t from[] = {-(ptrdiff_t)columns * width, width}, to[] = {width, (ptrdiff_t)rows * width};
    for (int run = 0; run < 30; run++) { /* a large copy tries several strategies */
        memset(dst, 0, rows * columns * sizeof *dst);
        expect("transpose", xlayout_copy_strided(dst, to, src + (rows - 1) * columns, from, sizes, 2, sizeof *src), XLAYOUT_OK);
        for (size_t row = 0; row < rows; row++)
            for (size_t column = 0; column < columns; column++)
                if (dst[column * rows + row] != src[(rows - 1 - row) * columns + column]) failed = 1;
    }
    free(src);
    free(dst);
}

int main(void) {
    transpose(3, 5);
    transpose(300, 200);
    uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {0};
    const size_t four = 4, none = 0;
    const ptrdiff_t one = 1, zero = 0, far = PTRDIFF_MAX;
    expect("broadcast", xlayout_copy_strided(out, &one, bytes + 2, &zero, &four, 1, 1), XLAYOUT_OK);
    if (memcmp(out, "\3\3\3\3\0\0\0\0", 8)) failed = 1;
    expect("scalar", xlayout_copy_strided(out + 4, NULL, bytes, NULL, NULL, 0, 4), XLAYOUT_OK);
    if (memcmp(out, "\3\3\3\3\1\2\3\4", 8)) failed = 1;
    expect("empty", xlayout_copy_strided(NULL, &one, NULL, &one, &none, 1, 1), XLAYOUT_OK);
    expect("null", xlayout_copy_strided(NULL, &one, bytes, &one, &four, 1, 1), XLAYOUT_NULL);
    expect("no sizes", xlayout_copy_strided(out, &one, bytes, &one, NULL, 1, 1), XLAYOUT_NULL);
    expect("far", xlayout_copy_strided(out, &one, bytes, &far, &four, 1, 1), XLAYOUT_TOO_LARGE);
    expect("overlapping", xlayout_copy_strided(out, &zero, bytes, &one, &four, 1, 1), XLAYOUT_OVERLAPPING);
    expect("aliased", xlayout_copy_strided(bytes + 3, &one, bytes, &one, &four, 1, 1), XLAYOUT_ALIASED);
    expect("beside", xlayout_copy_strided(bytes + 4, &one, bytes, &one, &four, 1, 1), XLAYOUT_OK);
    if (memcmp(bytes, "\1\2\3\4\1\2\3\4", 8)) failed = 1;
    puts(failed ? "copies from C differ" : "copies from C are right");
    return failed;
}
