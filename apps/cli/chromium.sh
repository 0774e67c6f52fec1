# Headless Chromium, for scripts that open pictures and pages: `. cli/chromium.sh`.
# `$chromium` is its name, or `none`. `browse ARGUMENT …` runs it; its files are in the folder `$work`.

for chromium in chromium chromium-browser google-chrome none; do
    if command -v "$chromium" >/dev/null; then break; fi
done

# Chromium itself crashes now and then: a run of CI ended so, at a page that had been right before and was right after. Then it
# starts anew, with a new profile. A page that it cannot show would make it crash each time.
browse() {
    local attempt status
    for attempt in 1 2 3; do
        status=0
        timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
            --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
            --user-data-dir="$work/profile-$attempt" "$@" >"$work/browsed" 2>"$work/chromium.log" || status=$?
        # 124: it did not end. Above 128: a signal ended it.
        if [ "$status" != 124 ] && [ "$status" -le 128 ]; then break; fi
        echo "  Chromium ended with $status (attempt $attempt of 3)" >&2
    done
    if [ "$status" != 0 ]; then
        tail -n 20 "$work/chromium.log" >&2
        return "$status"
    fi
    cat "$work/browsed"
}
