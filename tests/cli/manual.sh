#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The man pages say what --help says and nothing else; make install puts both where they belong.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
B=$(realpath -- "${B:-build}") || exit 1
cd -- "$ROOT" || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
# of a verb they are beside it, PROGRAM-VERB.1
declare -A PAGE=([fcap]=capture/fcap.1 [fcap-guest]=capture/fcap-guest.1
	[fanalyze]=analyze/fanalyze.1)
PAGES=(capture/*.[157] analyze/*.[157] "$B/fcap-report.5")

# section NAME PAGE: the lines below this .SH up to the next one
section() {
	awk -v head=".SH $1" '/^\.SH / { is_in = $0 == head; next } is_in' "$2"
}

# page PROGRAM VERB
page() {
	echo "${PAGE[$1]%.1}-$2.1"
}

# verbs PROGRAM: as --help lists them, before its words about options
verbs() {
	"$B/$1" --help | awk -v self="$1" '/^  [a-z]/ && $1 != self { print $1 }' | sort
}

# verbs_of_page PROGRAM: the pages that its section VERBS names
verbs_of_page() {
	section VERBS "${PAGE[$1]}" | sed -nE "s/^\.BR $1\\\\-([a-z]+) \(1\)\$/\1/p" | sort
}

# verbs_with_page PROGRAM: those that a page is there for
verbs_with_page() {
	local page

	for page in "${PAGE[$1]%.1}"-*.1; do
		[[ $page == "${PAGE[fcap-guest]}" ]] || basename -- "${page#*/"$1"-}" .1
	done | sort
}

# options_of_page: those described (the line after .TP) in the text on stdin
options_of_page() {
	awk 'tag { print } { tag = $0 == ".TP" }' | sed 's/\\-/-/g' |
		grep -oE -- '--[a-z][a-z-]*' | sort
}

# options PROGRAM [VERB]: the long options of its --help, which begin a line
options() {
	"$B/$1" "${@:2}" --help | sed -nE 's/^ +(-., +)?(--[a-z][a-z-]*).*/\2/p' | sort
}

verbs_agree() {
	verbs "$1" >"$DIR/help"
	cat "$DIR/help"
	[[ -s $DIR/help ]] && diff "$DIR/help" <(verbs_of_page "$1") &&
		diff "$DIR/help" <(verbs_with_page "$1")
}

# Options that several verbs share have sections in the program's page.
options_agree() {
	local verb

	for verb in $(verbs "$1"); do
		options "$1" "$verb" >"$DIR/help"
		[[ -s $DIR/help ]] || return
		{
			section OPTIONS "$(page "$1" "$verb")"
			section "OPTIONS OF EVERY VERB" "${PAGE[$1]}"
			! grep -q '^ Analysis:' <("$B/$1" "$verb" --help) ||
				section "OPTIONS OF AN ANALYSIS" "${PAGE[$1]}"
		} | options_of_page >"$DIR/page"
		diff "$DIR/help" "$DIR/page" || { echo "of $1 $verb" && return 1; }
	done
}

# Of a program without verbs.
plain_options_agree() {
	options "$1" >"$DIR/help"
	[[ -s $DIR/help ]] &&
		diff "$DIR/help" <(section OPTIONS "${PAGE[$1]}" | options_of_page)
}

# No option is spoken of in any page that no verb has.
# examples may run other programs, on lines that a backslash continues
mentions_agree() {
	local verb program page others='samples/|#SBATCH'

	{
		echo --version
		options fcap-guest
		for program in fcap fanalyze; do
			for verb in $(verbs "$program"); do
				options "$program" "$verb"
			done
		done
	} | sort -u >"$DIR/help"
	[[ -s $DIR/help ]] || return
	for page in "${PAGES[@]}"; do
		sed -E "s/\\\\-/-/g; s,(-- |exec )samples/.*,,; \\,^($others),{:more;/\\\\e\$/{N;b more};d}" \
			"$page" |
			grep -oE -- '(^|[^-])--[a-z][a-z-]*' |
			grep -oE -- '--[a-z-]*' | sort -u >"$DIR/page"
		! comm -13 "$DIR/help" "$DIR/page" | grep . || { echo "in $page" && return 1; }
	done
}

# each page of the project that another one names is there
references_lead_somewhere() {
	local name

	sed 's/\\-/-/g' "${PAGES[@]}" | grep -oE '\b(fcap|fanalyze)[a-z-]* ?\([157]\)' | tr -d ' ' |
		sort -u >"$DIR/names"
	[[ $(wc -l <"$DIR/names") -gt 10 ]] || return
	while IFS='()' read -r name section _; do
		[[ -f capture/$name.$section || -f analyze/$name.$section ||
			-f $B/$name.$section ]] || { echo "$name($section)" && return 1; }
	done <"$DIR/names"
}

helps_have_examples() {
	local program verb

	expect 0 "$B/fcap-guest" --help >"$DIR/help" || return
	grep -A1 '^Examples:' "$DIR/help" | grep "^  fcap-guest " || return
	! grep -nE '.{81}' "$DIR/help" || return
	for program in fcap fanalyze; do
		for verb in $(verbs "$program"); do
			expect 0 "$B/$program" "$verb" --help >"$DIR/help" || return
			grep -A1 '^Examples:' "$DIR/help" | grep "^  $program $verb " ||
				{ echo "$program $verb" && return 1; }
			! grep -nE '.{81}' "$DIR/help" || return
		done
	done
}

pages_are_clean() {
	mandoc -T lint -W warning "${PAGES[@]}"
}

# as man shows them in a terminal of 80 columns
pages_fit() {
	local page

	for page in "${PAGES[@]}"; do
		mandoc -T ascii -O width=78 "$page" | sed "s/.\x08//g" | expand >"$DIR/shown" &&
			[[ -s $DIR/shown ]] || return
		awk -v page="$page" 'length > 80 { print page ": " $0 }' "$DIR/shown"
	done >"$DIR/wide"
	! grep . "$DIR/wide"
}

pages_name_licence_and_version() {
	local page program version

	for page in "${PAGES[@]}"; do
		echo "$page"
		head -1 "$page" | grep '^\.\\" SPDX-License-Identifier: GPL-3.0' || return
		case $page in
		*/fcap-guest.1) program=fcap-guest ;;
		analyze/* | */fcap-report.5) program=fanalyze ;;
		*) program=fcap ;;
		esac
		version=$("$B/$program" --version) && echo "$version" && grep -qF "\"$version\"" "$page" ||
			return
	done
}

# make_to DESTDIR TARGET [VARIABLE=...]: as if typed by hand, whatever make runs this test
make_to() {
	env -u MAKEFLAGS -u MAKELEVEL -u PREFIX -u bindir -u mandir -u plugindir \
		make --no-print-directory "$2" DESTDIR="$1" B="${B#"$ROOT"/}" "${@:3}"
}

# installed FOLDER: every file, with its mode, and every link
installed() {
	(cd -- "$1" && find . ! -type d -printf '%m %P\n' | LC_ALL=C sort -k 2)
}

installs_exactly_this() {
	local plugins

	plugins=$(pkg-config --variable=libdir libtraceevent)/traceevent/plugins
	make_to "$DIR/dest" install PREFIX=/opt/x && installed "$DIR/dest" >"$DIR/got" &&
		diff - "$DIR/got" <<END
755 opt/x/bin/fanalyze
755 opt/x/bin/fcap
755 opt/x/bin/fcap-guest
777 opt/x/bin/perf-fanalyze
777 opt/x/bin/perf-fcap
644 opt/x/share/bash-completion/completions/fanalyze
644 opt/x/share/bash-completion/completions/fcap
644 opt/x/share/man/man1/fanalyze-audit.1
644 opt/x/share/man/man1/fanalyze-compare.1
644 opt/x/share/man/man1/fanalyze-export.1
644 opt/x/share/man/man1/fanalyze-info.1
644 opt/x/share/man/man1/fanalyze-plot.1
644 opt/x/share/man/man1/fanalyze-report.1
644 opt/x/share/man/man1/fanalyze-schema.1
644 opt/x/share/man/man1/fanalyze-scores.1
644 opt/x/share/man/man1/fanalyze.1
644 opt/x/share/man/man1/fcap-calibrate.1
644 opt/x/share/man/man1/fcap-check.1
644 opt/x/share/man/man1/fcap-guest.1
644 opt/x/share/man/man1/fcap-record.1
644 opt/x/share/man/man1/fcap-recover.1
644 opt/x/share/man/man1/fcap.1
777 opt/x/share/man/man1/perf-fanalyze.1
644 opt/x/share/man/man1/perf-fcap.1
644 opt/x/share/man/man5/fcap-marker.5
644 opt/x/share/man/man5/fcap-report.5
644 opt/x/share/man/man7/fcap-tutorial.7
644 opt/x/share/zsh/site-functions/_fcap
644 ${plugins#/}/plugin_fcap.so
END
}

installed_programs_run() {
	local program

	for program in "${!PAGE[@]}"; do
		expect 0 "$DIR/dest/opt/x/bin/$program" --version >"$DIR/out" &&
			[[ $(<"$DIR/out") == "$program "[0-9]* ]] || return
	done
}

uninstall_leaves_the_rest() {
	: >"$DIR/dest/opt/x/bin/other"
	make_to "$DIR/dest" uninstall PREFIX=/opt/x && installed "$DIR/dest" >"$DIR/got" &&
		diff <(echo opt/x/bin/other) <(cut -d ' ' -f 2- "$DIR/got")
}

the_default_is_usr_local() {
	make_to "$DIR/plain" install &&
		[[ -x $DIR/plain/usr/local/bin/fcap && -f $DIR/plain/usr/local/share/man/man1/fcap.1 ]]
}

# libtraceevent looks there too
at_home_the_plugin_is_its_users() {
	HOME=$DIR/home make_to "$DIR/own" install PREFIX="$DIR/home/x" &&
		[[ -f $DIR/own$DIR/home/.local/lib/traceevent/plugins/plugin_fcap.so ]] &&
		HOME=$DIR/home make_to "$DIR/own" uninstall PREFIX="$DIR/home/x" &&
		! installed "$DIR/own" | grep . &&
		make_to "$DIR/own" install plugindir=/p && [[ -f $DIR/own/p/plugin_fcap.so ]]
}

a_name_with_blanks_is_taken() {
	make_to "$DIR/a b" install PREFIX=/c && [[ -x "$DIR/a b/c/bin/fcap" ]] &&
		make_to "$DIR/a b" uninstall PREFIX=/c && [[ ! -e "$DIR/a b/c/bin/fcap" ]]
}

no_mandoc=''
command -v mandoc >/dev/null || no_mandoc="mandoc is not installed"

echo 1..17
for program in fcap fanalyze; do
	check "$program has a page for every verb, and no other" verbs_agree $program
	check "the pages of $program describe every option of each verb, and no other" \
		options_agree $program
done
check "the pages speak of no option that is not there" mentions_agree
check "the page of fcap-guest describes every option, and no other" \
	plain_options_agree fcap-guest
check "each verb's --help has an example, in 80 columns" helps_have_examples
unless "$no_mandoc" "the pages have no faults" pages_are_clean
unless "$no_mandoc" "the pages fit into 80 columns" pages_fit
check "pages refer to pages that are there" references_lead_somewhere
check "the pages name their licence and the programs' version" pages_name_licence_and_version
check "make install puts programs, pages, completion and the plugin, and nothing else" \
	installs_exactly_this
check "the installed programs run" installed_programs_run
check "make uninstall removes them, and nothing else" uninstall_leaves_the_rest
check "the default prefix is /usr/local" the_default_is_usr_local
check "below the home folder the plugin goes to its user's folder" at_home_the_plugin_is_its_users
check "a DESTDIR with a blank is taken" a_name_with_blanks_is_taken
