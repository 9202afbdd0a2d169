#!/bin/sh
# on_aarch64.sh [ARGUMENT...]: runs the program of the preset aarch64 in an emulator.
exec qemu-aarch64-static -L /usr/aarch64-linux-gnu "$(dirname "$0")/../../build/aarch64/sugeno" "$@"
