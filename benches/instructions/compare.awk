# Reads callgrind_annotate's table; prints one line for each case, and for each access its
# hand-written and typed instructions of one call. Exit code 1 if a typed one needs more.

function count(crate, case_, access) {
    return (crate, case_, access) in ir ? ir[crate, case_, access] / CALLS : "missing"
}

function row(case_, access, most,    hand, typed, verdict) {
    hand = count("instructions", case_, access)
    typed = count("typed", case_, access)
    if (most != "") hand = most
    if (hand == "missing" || typed == "missing") {
        # Nothing may pass because the compiler, or a rename, took a function away.
        printf "%-14s | %-8s | a function is missing from the profile\n", case_, access
        failed = 1
        return
    }
    verdict = ""
    if (typed > hand) { verdict = "  TOO MANY"; failed = 1 }
    printf "%-14s | %-8s | %6.1f | %6.1f | %5.3f%s\n", case_, access, hand, typed, typed / hand, verdict
    if (int(typed) != typed || int(hand) != hand) fractions = 1
}

# A loop is called once, with many elements. `most` is the ratio to the function `by_hand` that is allowed.
function whole(loop, access, by_hand, most,    hand, typed, verdict) {
    hand = ("instructions", loop, by_hand) in ir ? ir["instructions", loop, by_hand] : "missing"
    typed = ("typed", loop, access) in ir ? ir["typed", loop, access] : "missing"
    if (hand == "missing" || typed == "missing") {
        printf "%-14s | %-11s | a function is missing from the profile\n", loop, access
        failed = 1
        return
    }
    verdict = ""
    if (typed + 0 > hand * most) { verdict = "  TOO MANY"; failed = 1 }
    printf "%-14s | %-11s | %d | %d | %5.3f of at most %.2f%s\n", loop, access, hand, typed, typed / hand, most, verdict
}

BEGIN { CALLS = 64 }

match($0, /(typed|instructions)::[a-z_0-9]+::[a-z_0-9]+/) {
    split(substr($0, RSTART, RLENGTH), part, "::")
    gsub(",", "", $1)
    ir[part[1], part[2], part[3]] = $1
}

END {
    print "case           | access   |   hand |  typed | ratio"
    n = split("dense2 dense4 permuted4 padded2 tiled ragged two_level tiled4 packed packed_tiled" \
        " mixed_rows mixed_columns mixed_tiled mixed_tiles", cases, " ")
    m = split("linear get checked index", accesses, " ")
    for (c = 1; c <= n; c++) for (a = 1; a <= m; a++) row(cases[c], accesses[a])
    row("strided4", "linear")
    whole("product", "fixed", "fixed", 1.05)
    whole("product", "mixed", "fixed", 1.2)
    whole("product", "dynamic", "fixed", 3)
    whole("product", "edges", "edges", 1.15)
    whole("product", "mixed_edges", "edges", 1.15)
    whole("packed_dot", "axis", "bytes", 1.2)
    whole("packed_dot", "fixed", "bytes", 1.2)
    printf "\nelse, for comparison   | instructions\n"
    printf "%-22s | %6.1f\n", "strided4 index", count("typed", "strided4", "index")
    printf "%-22s | %6.1f\n", "dynamic4 linear", count("typed", "dynamic4", "linear")
    k = split("nested2 nested4 ndarray2 ndarray4 ndarray2_uget ndarray4_uget mdarray2 mdarray4" \
        " mdarray4_dyn", others, " ")
    for (c = 1; c <= k; c++) printf "%-22s | %6.1f\n", others[c], count("instructions", "others", others[c])
    k = split("indices axes minor minor_mixed", steps, " ")
    for (c = 1; c <= k; c++) printf "%-22s | %d\n", "product " steps[c], ir["typed", "product", steps[c]]
    printf "%-22s | %d\n", "packed_dot zip", ir["typed", "packed_dot", "zip"]
    if (failed) { print "\na typed access needs more instructions than its hand-written twin"; exit 1 }
}
