# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # suite, version, first, root, src, tarball: run's
# The cases of Debian's packages, in their order.

# Builds them below /tmp of the system from the release, as that version.
build_packages() {
	local as=$1 work=$root/tmp/deb-$1

	mkdir "$work"
	cp "$tarball" "$work/pagenode_$as.orig.tar.xz"
	tar -xf "$tarball" -C "$work"
	mv "$work/pagenode-$version/packaging/debian" "$work/pagenode-$version/"
	set_version "$as" "$work/pagenode-$version"
	sed -i "1s/($version-/($as-/" "$work/pagenode-$version/debian/changelog"
	inside sh -c "cd /tmp/deb-$as/pagenode-$version &&
		DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -us -uc ${*:2}"
}

install_packages() {
	inside sh -c "apt-get -y install /tmp/deb-$1/*.deb" ||
		echo 'they could not be installed'
	check_installed "$first" "$1"
}

case_deb_build() {
	build_packages "$version" || echo 'dpkg-buildpackage fails'
}

case_deb_lintian() {
	inside sh -c "lintian --allow-root --fail-on=error,warning \
		/tmp/deb-$version/*.changes" || echo 'lintian complains'
}

case_deb_install() {
	install_packages "$version"
	cp "$PN_TOP/tests/dkms/program.c" "$src/"
	# shellcheck disable=SC2016 # the inner shell's
	inside sh -c 'gcc -Wall -Werror -o program program.c \
			$(pkg-config --cflags --libs libpagenode) && ./program' ||
		echo 'a program with the library does not build or run'
	inside pagenode --version || echo 'the command does not run'
}

case_deb_boots() {
	boots "$first"
}

case_deb_upgrade() {
	build_packages 9.9.9 -b || echo 'dpkg-buildpackage fails'
	install_packages 9.9.9
	[[ $(ls -d "$root"/usr/src/pagenode-*) == */pagenode-9.9.9 ]] ||
		echo "sources are left: $(ls -d "$root"/usr/src/pagenode-*)"
}

case_deb_purge() {
	inside apt-get -y purge '*pagenode*' || echo 'apt-get purge fails'
	leftovers
}
