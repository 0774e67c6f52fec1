#!/usr/bin/env bash
# Cargo's runner for a selection of packages that is built for more than one purpose: it runs the tests of the packages
# that $ONLY names, under the command of the runner, if there is one.
case " $ONLY " in *" $CARGO_PKG_NAME "*) exec "$@" ;; esac
