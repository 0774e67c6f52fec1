// What a person writes for the layouts that check.sh names.
#include <stdint.h>

uint64_t dense_linear_index(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    return ((a * 10 + b) * 14 + c) * 18 + d;
}

void dense_multi_index(uint64_t linear, uint64_t index[4]) {
    index[3] = linear % 18;
    linear /= 18;
    index[2] = linear % 14;
    linear /= 14;
    index[1] = linear % 10;
    index[0] = linear / 10;
}

uint64_t column_major_linear_index(uint64_t row, uint64_t column) {
    return column * 20 + row;
}

void column_major_multi_index(uint64_t linear, uint64_t index[2]) {
    index[0] = linear % 20;
    index[1] = linear / 20;
}

uint64_t tiled_linear_index(uint64_t row, uint64_t column) {
    uint64_t tile = row / 8 * 24 + column / 128;
    return tile * 1024 + row % 8 * 128 + column % 128;
}

void tiled_multi_index(uint64_t linear, uint64_t index[2]) {
    uint64_t tile = linear / 1024;
    index[0] = tile / 24 * 8 + linear / 128 % 8;
    index[1] = tile % 24 * 128 + linear % 128;
}

uint64_t two_levels_linear_index(uint64_t row, uint64_t column) {
    uint64_t tile = row / 8 * 24 + column / 128;
    return tile * 1024 + row % 8 / 2 * 256 + column % 128 * 2 + row % 2;
}

void two_levels_multi_index(uint64_t linear, uint64_t index[2]) {
    uint64_t tile = linear / 1024;
    index[0] = tile / 24 * 8 + linear / 256 % 4 * 2 + linear % 2;
    index[1] = tile % 24 * 128 + linear / 2 % 128;
}

uint64_t swizzled_linear_index(uint64_t row, uint64_t column) {
    uint64_t linear = row * 64 + column;
    return linear ^ ((linear & (7 << 6)) >> 3);
}

void swizzled_multi_index(uint64_t linear, uint64_t index[2]) {
    linear ^= (linear & (7 << 6)) >> 3;
    index[0] = linear / 64;
    index[1] = linear % 64;
}
