#!/usr/bin/env bash
# Opens the pictures of `xlayout` in headless Chromium: they are not blank, the pages' scripts run, and every text can be read.
# Installs nothing, and says so where there is no Chromium. `bash cli/check.sh FOLDER` keeps the PNGs there.
set -euo pipefail
cd "$(dirname "$0")/.."

. cli/chromium.sh
if [ "$chromium" = none ]; then
    echo "  left out: there is no Chromium here (Debian: apt-get install chromium)"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pngs=${1:-$work}
mkdir -p "$pngs"

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

# CI names the program that it has tested.
xlayout=${XLAYOUT_PROGRAM:-}
if [ -z "$xlayout" ]; then
    cargo build -q -p xlayout-cli
    xlayout="${CARGO_TARGET_DIR:-target}/debug/xlayout"
fi

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

# Opens a page at three sizes, light and dark, runs a script in it, and measures the contrast of every text (`contrast.js`).
# The rest of the arguments must be in the page then.
look() {
    local name=$1 page=$2 script=$3 size scheme at found
    shift 3
    { cat "$page"; printf '<script>%s</script>\n' "$script"; } >"$work/shown.html"
    # It scrolls, and headless Chromium draws little of a page that a script scrolled.
    { cat "$work/shown.html"; echo '<script>'; cat cli/contrast.js; echo '</script>'; } >"$work/measured.html"
    # Chromium has no window of less than 500 pixels; `narrow` below shows pages at 390.
    for size in 1280,900 768,1024 500,900; do
        for scheme in 0 1; do
            at="$name-${size%,*}-$([ "$scheme" = 0 ] && echo dark || echo light)"
            browse --blink-settings=preferredColorScheme=$scheme --screenshot="$pngs/$at.png" --virtual-time-budget=4000 \
                --window-size="$size" "file://$work/shown.html" >/dev/null
            [ "$(wc -c <"$pngs/$at.png")" -gt 8000 ] || { echo "  $at: the page is blank" >&2; exit 1; }
            browse --blink-settings=preferredColorScheme=$scheme --window-size="$size" --virtual-time-budget=4000 \
                --dump-dom "file://$work/measured.html" >"$work/dom"
            if ! grep -Eq 'data-texts="[1-9]' "$work/dom" || ! grep -Eq 'data-low=""' "$work/dom"; then
                echo "  $at: texts with a contrast below 4.5: $(grep -o 'data-low="[^"]*"' "$work/dom")" >&2
                exit 1
            fi
            for found in "$@"; do
                grep -q -- "$found" "$work/dom" || { echo "  $at: the page lacks $found" >&2; exit 1; }
            done
        done
    done
    echo "  $name: three sizes, light and dark; $(grep -o 'data-contrast="[^"]*"' "$work/dom"), $(grep -o 'data-texts="[^"]*"' "$work/dom")"
}

say='const say = (name, value) => { document.documentElement.dataset[name] = value; };
const press = (key) => {
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    // A window without the focus, as Chromium may have it while a page is loaded, gets no such event.
    if (!document.hasFocus()) document.activeElement.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
};'

# Tab reaches the first cell, and arrows reach the others.
"$xlayout" draw 'bf16[5,6]{1,0:T(4,4)}' --html "$work/page.html"
look draw "$work/page.html" "$say"'document.querySelector("[tabindex=\"0\"]").focus(); press("ArrowRight"); press("ArrowDown");
    say("at", document.activeElement.getAttribute("aria-label").split(" · ")[0]); say("marked", document.querySelectorAll(".same").length);
    say("words", getComputedStyle(document.getElementById("words")).display);' \
    '<title>\[4, 5\] · linear index 49' 'aria-label="\[1, 1\] · linear index 5' 'data-at="\[1, 1\]"' 'data-marked="[2-9]"' 'data-words="block"'

# The page of modules: the limit is a line, tables sort, advice is copied, and the timeline says by Enter what is alive.
models=cli/tests/data/copies
"$xlayout" hlo memory $models/scan_transposed.default.v5e.hlo $models/conv_nchw.default.v5e.hlo --html "$work/modules.html" >/dev/null
look modules "$work/modules.html" "$say"'say("wide", document.documentElement.scrollWidth - innerWidth);
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => say("copied", text) } });
    document.querySelector(".paste button").click(); const head = document.querySelector("th button"); head.click(); head.click();
    say("sorted", head.parentElement.ariaSort);' 'data-wide="[0-]' 'data-copied="[^"]*Layout' 'data-sorted="ascending"'
look alive "$work/modules.html" "$say"'document.querySelector(".plot").focus(); press("Home"); press("ArrowRight"); press("Enter");
    say("alive", document.querySelectorAll("dialog[open] tbody tr").length);' 'data-alive="[1-9]'
# Pictures are unpacked first, which takes a moment.
look layout "$work/modules.html" "$say"'document.querySelector(".treemap button").focus(); document.activeElement.click();
    pictures.then(() => setTimeout(() => say("drawn", document.querySelectorAll("dialog[open] svg .cell").length)));' 'data-drawn="[1-9]'
sed 's/"limit":null/"limit":1/' "$work/modules.html" >"$work/limited.html"
look limit "$work/limited.html" "$say"'say("limits", document.querySelectorAll(".plot .limit").length);' 'data-limits="[1-9]'
"$xlayout" hlo diff $models/conv_nchw.default.v5e.hlo $models/conv_nchw.auto.v5e.hlo --html "$work/diff.html" >/dev/null || [ $? = 1 ]
look difference "$work/diff.html" "$say"'say("peaks", document.querySelectorAll(".peak").length); say("wide", document.documentElement.scrollWidth - innerWidth);' \
    'data-peaks="2"' 'data-wide="[0-]' 'Copies removed'

# At 390 pixels, the width of a phone, no table hides a column: nothing but a picture is wider than the page.
narrow() {
    local name=$1 page=$2 asked=$3
    { cat "$page"; printf '<script>%s</script>\n' "$asked"; } >"$work/inner.html"
    printf '<!doctype html><body style="margin:0"><iframe src="inner.html" style="border:0;width:390px;height:1600px"></iframe>
<script>onmessage = (told) => { document.documentElement.dataset.hidden = told.data; };</script>' >"$work/narrow.html"
    browse --virtual-time-budget=4000 --screenshot="$pngs/$name-390.png" --window-size=500,1600 "file://$work/narrow.html" >/dev/null
    browse --virtual-time-budget=4000 --window-size=500,1600 --dump-dom "file://$work/narrow.html" >"$work/dom"
    grep -q 'data-hidden="0"' "$work/dom" || { echo "  $name: at 390 pixels $(grep -o 'data-hidden="[^"]*"' "$work/dom")" >&2; exit 1; }
    echo "  $name: nothing is hidden at 390 pixels"
}
hidden='addEventListener("load", () => setTimeout(() => { const wide = [...document.querySelectorAll(".scroll, body")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1); parent.postMessage(wide.length, "*"); }, 100));'
narrow difference "$work/diff.html" "$hidden"
narrow modules "$work/modules.html" "$hidden"
