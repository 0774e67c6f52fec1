#!/usr/bin/env bash
# Opens the pictures of `xlayout` in headless Chromium: they are not blank, and the page's script runs.
# Installs nothing, and says so where there is no Chromium. `bash cli/check.sh FOLDER` keeps the PNGs there.
set -euo pipefail
cd "$(dirname "$0")/.."

for chromium in chromium chromium-browser google-chrome none; do
    if command -v "$chromium" >/dev/null; then break; fi
done
if [ "$chromium" = none ]; then
    echo "  left out: there is no Chromium here (Debian: apt-get install chromium)"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pngs=${1:-$work}
mkdir -p "$pngs"

browse() {
    timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
        --user-data-dir="$work/profile" "$@" 2>/dev/null
}

# The first line of a picture has its size.
size() { sed -n '1s/.* width="\([0-9]*\)" height="\([0-9]*\)".*/\1,\2/p' "$1"; }

# A PNG of one colour is a small part of one with a picture in it.
shot() {
    local name=$1 file=$2 size=$3
    browse --screenshot="$pngs/$name.png" --window-size="$size" "file://$file" >/dev/null
    browse --screenshot="$work/blank.png" --window-size="$size" "about:blank" >/dev/null
    local found blank
    found=$(wc -c <"$pngs/$name.png")
    blank=$(wc -c <"$work/blank.png")
    if [ "$found" -lt $((3 * blank)) ]; then
        echo "  $name: the picture is blank ($found bytes as PNG, a blank one $blank)" >&2
        exit 1
    fi
    echo "  $name: $size pixels, $found bytes as PNG, a blank one $blank"
}

cargo build -q -p xlayout-cli
xlayout="${CARGO_TARGET_DIR:-target}/debug/xlayout"

number=0
for shape in 'f32[4,6]{1,0}' 'f32[4,6]{0,1}' 'bf16[5,6]{1,0:T(4,4)}' 'bf16[16,256]{1,0:T(8,128)(2,1)}' \
    'f32[2,3,4]{2,1,0}' 's4[4,6]{1,0:E(4)}' 'f32[7]{0}' 'f32[]'; do
    number=$((number + 1))
    "$xlayout" draw "$shape" --svg "$work/$number.svg"
    shot "draw-$number" "$work/$number.svg" "$(size "$work/$number.svg")"
done

# It exits with 1, since the two differ.
"$xlayout" diff 'f32[4,6]{1,0}' 'f32[4,6]{0,1}' --svg "$work/diff.svg" >/dev/null || [ $? = 1 ]
shot diff "$work/diff.svg" "$(size "$work/diff.svg")"

"$xlayout" draw 'bf16[5,6]{1,0:T(4,4)}' --html "$work/page.html"
shot page "$work/page.html" 800,850
browse --dump-dom "file://$work/page.html" >"$work/page.dom"
if ! grep -q 'aria-label="\[4, 5\] · linear index 49' "$work/page.dom"; then
    echo "  the script of the page did not run" >&2
    exit 1
fi
echo "  the page's script runs"

# The page of modules: at three sizes, light and dark, and with a layout that a click shows.
modules="cli/tests/data/copies/scan_transposed.default.v5e.hlo cli/tests/data/copies/kv_cache_update.default.v5e.hlo"
# shellcheck disable=SC2086
"$xlayout" hlo memory $modules --html "$work/modules.html" >/dev/null
{
    cat "$work/modules.html"
    echo '<script>document.querySelector(".treemap button").focus(); document.activeElement.click();'
    echo 'document.documentElement.dataset.drawn = document.querySelectorAll("dialog[open] svg .cell").length;'
    echo 'document.documentElement.dataset.wide = document.documentElement.scrollWidth - innerWidth;</script>'
} >"$work/clicked.html"
for size in 1280,900 768,1024 500,900; do
    for scheme in 0 1; do
        name="modules-${size%,*}-$([ "$scheme" = 0 ] && echo dark || echo light)"
        browse --blink-settings=preferredColorScheme=$scheme --screenshot="$pngs/$name.png" \
            --window-size="$size" "file://$work/modules.html" >/dev/null
        [ "$(wc -c <"$pngs/$name.png")" -gt 8000 ] || { echo "  $name: the page is blank" >&2; exit 1; }
    done
    browse --window-size="$size" --dump-dom "file://$work/clicked.html" >"$work/clicked.dom"
    if ! grep -q 'data-drawn="[1-9]' "$work/clicked.dom"; then
        echo "  $size: a click on an array draws nothing" >&2
        exit 1
    fi
    if ! grep -q 'data-wide="[0-]' "$work/clicked.dom"; then
        echo "  $size: the page is wider than the window" >&2
        exit 1
    fi
done
echo "  the page of modules: three sizes, light and dark, a click draws a layout"
