#!/usr/bin/env bash
# rustdoc as docs.rs calls it, with a stable compiler: `--cfg docsrs` turns on marks of features, which need a nightly one. The
# variable is set for rustdoc only: build scripts of dependencies would look at it, and all of them would be built again.
RUSTC_BOOTSTRAP=1 exec rustdoc --cfg docsrs "$@"
