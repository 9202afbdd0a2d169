#!/bin/sh
# aarch64_root.sh FOLDER: the libraries that sugeno and its tests link with, for aarch64, into FOLDER.
# With package lists of its own: the machine's packages and architectures stay as they are. Needs no
# root. Quick where the folder is there already.
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
# Other people's archives may have nothing for arm64; what is missing shows in the next step.
apt update >apt/log 2>&1 || true
# shellcheck disable=SC2086 # a list of words
if ! apt download $packages >>apt/log 2>&1; then
    cat apt/log >&2
    echo "apt-get can't fetch the libraries for aarch64" >&2
    exit 1
fi
for package in ./*.deb; do dpkg-deb -x "$package" .; done
find . -lname '/*' | while read -r link; do # absolute links would leave the folder
    ln -sf "$root$(readlink "$link")" "$link"
done
rm -rf ./*.deb apt
touch complete
