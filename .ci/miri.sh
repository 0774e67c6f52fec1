# Sourced by the scripts that run tests under Miri: sets `nightly` and what each such run needs. A nightly compiler with
# `miri` and `rust-src` is installed where it is missing. Where it cannot be downloaded, the script that sources this says
# so and ends with 0; with XLAYOUT_REQUIRE_MIRI=1 it ends with 1.
nightly="${XLAYOUT_NIGHTLY:-nightly}"
# Two scripts that run at a time install it once.
exec 7<"${BASH_SOURCE[0]}"
flock 7
if ! cargo "+$nightly" miri --version >/dev/null 2>&1 &&
    ! rustup toolchain install "$nightly" --profile minimal -c miri -c rust-src >/dev/null 2>&1; then
    echo "LEFT OUT: Miri; rustup cannot install \`$nightly\` with the components miri and rust-src"
    [ "${XLAYOUT_REQUIRE_MIRI:-0}" != 1 ]
    exit 0
fi
exec 7<&-
# The tests catch panics, and Miri takes half a second for each backtrace. cargo-miri takes the variables from the time of
# the build, so they are set before it.
export MIRIFLAGS="${MIRIFLAGS:-} -Zmiri-disable-isolation" RUST_BACKTRACE=0
