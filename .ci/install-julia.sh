#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# install-julia.sh PREFIX - Julia 1.5.3 for Debian 12, which packages none, from Debian 11's packages.
#
# Unpacks into PREFIX; installs nothing on the system and needs no root. The mirror is the one that
# apt is set up with, and the packages are checked against Debian's keys as usual. PREFIX/julia is
# the program. The set-up script calls this only where there is no julia yet.
set -euo pipefail
prefix=${1:?usage: install-julia.sh PREFIX}
die() { printf 'install-julia: %s\n' "$*" >&2; exit 1; }
[ "$(dpkg --print-architecture)" = amd64 ] || die "only amd64 is supported; install Julia yourself"

mirror=$(apt-get indextargets --format '$(SITE)' | grep -E '/debian/?$' | head -n 1) || true
[ -n "$mirror" ] || die "apt has no Debian mirror configured"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/root"
: > "$work/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror bullseye main" \
  > "$work/sources.list"
# An apt of its own, with an empty idea of what is installed: the system's is neither read nor changed.
apt=(apt-get -q -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
     -o Dir::State="$work/state" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache"
     -o APT::Sandbox::User="" -o Acquire::Retries=3 -o Acquire::Check-Valid-Until=false)
"${apt[@]}" update || die "Debian 11's package lists could not be read from the configured mirror"

packages=(julia julia-common libjulia1 libllvm9 libgit2-1.1 libhttp-parser2.9 libmbedcrypto3
          libmbedtls12 libmbedx509-0 libffi7 libldap-2.4-2 libcurl3-gnutls libdsfmt-19937-1 libmpfr6
          libopenlibm3 libpcre2-8-0 libssh2-1 libunwind8 libutf8proc2 libsuitesparseconfig5 libcholmod3
          librtmp1 libsasl2-2 libsasl2-modules-db libedit2)
(cd "$work/debs" && "${apt[@]}" download "${packages[@]}") || die "the packages could not be fetched"
for deb in "$work"/debs/*.deb; do dpkg -x "$deb" "$work/root"; done
rm -rf "$work/root/usr/share/doc" "$prefix"
mkdir -p "$(dirname "$prefix")"
mv "$work/root" "$prefix"

# Only libraries that the system lacks by their name go on the search path, so that nothing else in
# the process (libarr and what it loads) meets an old version of something the system has.
lib=$prefix/usr/lib/x86_64-linux-gnu
known=$( (ldconfig -p || /sbin/ldconfig -p) 2>/dev/null)
mkdir -p "$prefix/compat"
for path in "$lib"/lib*.so.[0-9]* "$lib"/libLLVM-9.so.1; do
  name=$(basename "$path")
  [ -L "$path" ] || [ "$name" = libLLVM-9.so.1 ] || continue  # the full version's name: nobody asks for it
  grep -qF "	$name " <<<"$known" || ln -sf "$path" "$prefix/compat/$name"
done
# Julia 1.5 unwinds the stack with Debian 11's libunwind; with Debian 12's, of the same name, it crashes
# where a C function throws (a dlopen of an absent library).
ln -sf "$lib/libunwind.so.8" "$prefix/compat/libunwind.so.8"
# Links in Julia's own folder to a library that was not unpacked (gmp ...) go to the system's.
for link in "$lib"/julia/*.so*; do
  [ -e "$link" ] && continue
  name=$(basename "$(readlink "$link")")
  path=$(awk -v n="$name" '$1 == n { print $NF; exit }' <<<"$known")
  [ -n "$path" ] || die "the system has no $name, which Julia needs"
  ln -sf "$path" "$link"
done
cat > "$prefix/julia" <<EOF
#!/bin/sh
LD_LIBRARY_PATH=$prefix/compat:$lib/julia\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH} exec $prefix/usr/bin/julia "\$@"
EOF
chmod +x "$prefix/julia"

"$prefix/julia" -e 'using LinearAlgebra, Test, Libdl, Random
    @assert ccall(:getpid, Cint, ()) > 0
    throws(x) = try error(x) catch e; e.msg end
    @assert throws("compiled code catches") == "compiled code catches"
    @assert inv([2.0 0; 0 4])[4] == 0.25
    @assert big(2)^100 > big(10.0)^30
    @assert (try Libdl.dlopen("/absent.so") catch e; e end) isa ErrorException' || die "the installed julia does not run"
echo "$prefix/julia"
