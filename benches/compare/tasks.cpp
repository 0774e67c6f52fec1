// The five tasks with mdspan: the reference implementation (kokkos/mdspan), or the compiler's own where it has <mdspan>.
#if __has_include(<mdspan>)
#include <mdspan>
namespace md = std;
#else
#include <mdspan/mdspan.hpp>
namespace md = Kokkos;
#endif
#include <cstdio>
#include <vector>

constexpr size_t ROWS = 200, COLUMNS = 300, INNER = 96, TILE[] = {8, 128}, TILES[] = {25, 3};
template <size_t M, size_t N, class L = md::layout_right>
using Matrix = md::mdspan<float, md::extents<size_t, M, N>, L>;
using Rows = Matrix<ROWS, COLUMNS>;
using Columns = Matrix<ROWS, COLUMNS, md::layout_left>;

// Tiles of 8 by 128: a policy of layouts that the user writes.
struct Tiled {
    template <class E> struct mapping {
        using extents_type = E;
        using index_type = typename E::index_type;
        using size_type = typename E::size_type;
        using rank_type = typename E::rank_type;
        using layout_type = Tiled;
        E sizes;
        constexpr mapping(E sizes = {}) : sizes(sizes) {}
        constexpr const E &extents() const { return sizes; }
        constexpr index_type columns_of_tiles() const { return (sizes.extent(1) + TILE[1] - 1) / TILE[1]; }
        constexpr index_type operator()(index_type i, index_type j) const {
            const index_type tile = i / TILE[0] * columns_of_tiles() + j / TILE[1];
            return (tile * TILE[0] + i % TILE[0]) * TILE[1] + j % TILE[1];
        }
        constexpr index_type required_span_size() const {
            return (sizes.extent(0) + TILE[0] - 1) / TILE[0] * columns_of_tiles() * TILE[0] * TILE[1];
        }
        static constexpr bool is_always_unique() { return true; }
        static constexpr bool is_always_exhaustive() { return false; }
        static constexpr bool is_always_strided() { return false; }
        static constexpr bool is_unique() { return true; }
        static constexpr bool is_exhaustive() { return false; }
        static constexpr bool is_strided() { return false; }
    };
};

[[gnu::noinline]] void task_transpose(Rows a, Columns b) {
    for (size_t i = 0; i < a.extent(0); i++)
        for (size_t j = 0; j < a.extent(1); j++) b[i, j] = a[i, j];
}

[[gnu::noinline]] void task_product(Rows a, Matrix<COLUMNS, INNER> b, Matrix<ROWS, INNER> c) {
    for (size_t i = 0; i < a.extent(0); i++)
        for (size_t k = 0; k < a.extent(1); k++)
            for (size_t j = 0; j < b.extent(1); j++) c[i, j] += a[i, k] * b[k, j];
}

[[gnu::noinline]] void task_blur(Rows a, Rows b) {
    for (size_t i = 1; i + 1 < a.extent(0); i++)
        for (size_t j = 1; j + 1 < a.extent(1); j++) {
            const float sum = a[i, j] + a[i - 1, j] + a[i + 1, j] + a[i, j - 1];
            b[i, j] = (sum + a[i, j + 1]) / 5.0f;
        }
}

[[gnu::noinline]] void task_sums(Columns a, md::mdspan<float, md::extents<size_t, ROWS>> sums) {
    for (size_t j = 0; j < a.extent(1); j++)
        for (size_t i = 0; i < a.extent(0); i++) sums[i] += a[i, j];
}

[[gnu::noinline]] void task_tiles(Rows a, Matrix<ROWS, COLUMNS, Tiled> b) {
    for (size_t i = 0; i < a.extent(0); i++)
        for (size_t j = 0; j < a.extent(1); j++) b[i, j] = a[i, j];
}

int main() {
    std::vector<float> a(ROWS * COLUMNS), b(COLUMNS * INNER), c(ROWS * INNER), out(ROWS * COLUMNS), sums(ROWS), tiles(75 * 1024);
    for (size_t n = 0; n < a.size(); n++) a[n] = float(n % 17);
    for (size_t n = 0; n < b.size(); n++) b[n] = float(n % 5);
    task_transpose(Rows(a.data()), Columns(out.data()));
    task_sums(Columns(out.data()), md::mdspan<float, md::extents<size_t, ROWS>>(sums.data()));
    task_product(Rows(a.data()), Matrix<COLUMNS, INNER>(b.data()), Matrix<ROWS, INNER>(c.data()));
    task_blur(Rows(a.data()), Rows(out.data()));
    task_tiles(Rows(a.data()), Matrix<ROWS, COLUMNS, Tiled>(tiles.data()));
    // What Rust computes, too: read by run.sh.
    std::printf("%g %g %g %g\n", c[1234], out[1234], sums[123], tiles[12345]);
}
