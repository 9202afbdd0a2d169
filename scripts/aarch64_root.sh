#!/bin/sh
# aarch64_root.sh FOLDER: downloads the aarch64 libraries that sugeno and its tests link with to FOLDER. Does nothing if
# FOLDER is complete. Needs no root: it uses its own package lists and leaves the packages and architectures of the
# machine alone.
set -eu
root=$1
packages="libjansson-dev libjansson4 zlib1g-dev zlib1g libcmocka-dev libcmocka0"
[ ! -e "$root/complete" ] || exit 0
rm -rf "$root"
mkdir -p "$root/apt/lists/partial" "$root/apt/cache/archives/partial"
root=$(realpath "$root")
: >"$root/apt/status"
apt() {
    apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$root/apt" \
        -o Dir::State::status="$root/apt/status" -o Dir::Cache="$root/apt/cache" \
        -o APT::Sandbox::User="$(id -un)" "$@"
}
cd "$root"
# Some configured archives may not have arm64. If a package is missing, the download below fails.
apt update >apt/log 2>&1 || true
# shellcheck disable=SC2086 # a list of words
if ! apt download $packages >>apt/log 2>&1; then
    cat apt/log >&2
    echo "apt-get cannot download these packages for arm64: $packages" >&2
    exit 1
fi
for package in ./*.deb; do dpkg-deb -x "$package" .; done
find . -lname '/*' | while read -r link; do # an absolute link would point outside the folder
    ln -sf "$root$(readlink "$link")" "$link"
done
rm -rf ./*.deb apt
touch complete
