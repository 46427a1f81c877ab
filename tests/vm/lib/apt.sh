# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Packages of any Debian suite, without touching the machine's own apt: lists,
# archives and sources lie in the cache, and the list of installed packages is
# empty, so that apt names everything a package needs. apt checks signatures
# and hashes as ever.

PN_APT=$PN_CACHE/apt
PN_KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# The Debian archive that this machine's own apt is configured with.
pn_mirror() {
	local suites='^(oldoldstable|oldstable|stable|testing|unstable|bullseye|bookworm|trixie|forky|duke|sid)$'

	[[ -z ${PAGENODE_MIRROR-} ]] || {
		echo "${PAGENODE_MIRROR%/}"
		return
	}
	# shellcheck disable=SC2016 # apt expands these, not the shell
	apt-get indextargets 'Created-By: Packages' \
		--format '$(COMPONENT) $(RELEASE) $(REPO_URI)' |
		awk -v suites="$suites" '$1 == "main" && $2 ~ suites {
			sub("/*$", "", $3); print $3; exit }' | grep . || {
		pn_say "this machine's apt knows no Debian archive:" \
			"set PAGENODE_MIRROR to the URI of one"
		return 1
	}
}

# The machine's settings hold (a proxy, say), save what would act on its own
# state.
pn_apt_configure() {
	mkdir -p "$PN_APT"/{lists,archives}/partial
	: >"$PN_APT/status"
	cat >"$PN_APT/conf" <<-EOF
		#clear APT::Update::Pre-Invoke;
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
		#clear APT::Install::Pre-Invoke;
		#clear DPkg::Post-Invoke;
		Dir::State "$PN_APT";
		Dir::State::status "$PN_APT/status";
		Dir::State::lists "$PN_APT/lists";
		Dir::Cache "$PN_APT";
		Dir::Cache::archives "$PN_APT/archives";
		Dir::Cache::pkgcache "";
		Dir::Cache::srcpkgcache "";
		Dir::Etc::sourceparts "/dev/null";
		Dir::Etc::preferences "/dev/null";
		Dir::Etc::preferencesparts "/dev/null";
		APT::Architecture "amd64";
		APT::Architectures { "amd64"; };
		APT::Sandbox::User "";
		APT::Default-Release "";
		APT::Install-Recommends "false";
		APT::Get::List-Cleanup "false";
		Acquire::Languages "none";
		Acquire::Retries "3";
	EOF
}

pn_apt() {
	local suite=$1 command=$2
	shift 2
	"$command" -c "$PN_APT/conf" \
		-o "Dir::Etc::sourcelist=$PN_APT/$suite.list" "$@"
}

# Fetches the suite's lists. Backports stand on the suite they are made for.
pn_apt_update() {
	local suite=$1 mirror one

	mirror=$(pn_mirror) || return
	[[ -r $PN_KEYRING ]] || {
		pn_say "no $PN_KEYRING: install debian-archive-keyring"
		return 1
	}
	pn_apt_configure
	for one in "${suite%-backports}" "$suite"; do
		echo "deb [arch=amd64 signed-by=$PN_KEYRING] $mirror $one main"
	done | sort -u >"$PN_APT/$suite.list"
	pn_apt "$suite" apt-get -qq --error-on=any update
}

# Names the archives of the packages and of all that they need.
pn_apt_plan() {
	local suite=$1
	shift
	pn_apt "$suite" apt-get -qq -s -t "$suite" install "$@" |
		sed -nE '/^Inst /{
			s/^Inst (\S+) \((\S+) .*\[(\S+)\]\).*/\1_\2_\3.deb/
			s/:/%3a/g
			p
		}'
	return "${PIPESTATUS[0]}"
}

pn_apt_download() {
	local suite=$1
	shift
	pn_apt "$suite" apt-get -qq -y -d -t "$suite" install "$@" >&2
}
