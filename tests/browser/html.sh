#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The pages of fanalyze --html in a headless Chromium: 400 and 1280 pixels wide nothing sticks out,
# every figure has a size, nothing complains; printed, what was folded is there. For
# make html-check. KEEP=DIR leaves pages, pictures and print there to be looked at.
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
[[ ! ${KEEP:-} ]] || KEEP=$(realpath -m -- "$KEEP") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
ROOT=$PWD
BROWSER=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
	echo "1..0 # SKIP no Chromium here"
	exit 0
}
cd -- "$DIR" || exit 1

# browse ARGUMENT...: in a profile of its own, as root too
browse() {
	local status

	rm -rf profile
	timeout 120 "$BROWSER" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync \
		--hide-scrollbars --user-data-dir="$DIR/profile" --enable-logging=stderr "$@" \
		2>browser.log
	status=$?
	! grep -E ':CONSOLE' browser.log && ((status == 0))
}

# around NAME WIDTH HEIGHT: a page around the page, since a window cannot be as narrow as a phone
around() {
	cat >"$1-$2.html" <<END
<!DOCTYPE html><meta charset="utf-8"/><title>waiting</title>
<body style="margin: 0"><iframe src="$1.html" style="border: 0; width: $2px; height: $3px"></iframe>
<pre id="told"></pre><script>
addEventListener("message", function (m) {
	document.getElementById("told").textContent = "width=" + m.data.width + " figures=" +
		m.data.figures + " tables=" + m.data.tables + "\n" +
		m.data.wrong.map(function (s) { return "wrong: " + s + "\n"; }).join("") + "end\n";
});
</script></body>
END
}

# page NAME ARGUMENT...: made by fanalyze; beside it a copy that measures itself
page() {
	"$FANALYZE" "${@:2}" --html "$1.html" >/dev/null && [[ -s $1.html ]] || return
	awk -v probe="$ROOT/tests/browser/probe.js" '
		/^<\/body>/ {
			print "<script>//<![CDATA["
			while ((getline line < probe) > 0)
				print line
			print "//]]></script>"
		}
		{ print }' "$1.html" >"probe-$1.html"
}

# fits NAME WIDTH FIGURES: measured at this width, nothing is wrong, so many figures are there
fits() {
	around "probe-$1" "$2" 3000
	browse --allow-file-access-from-files --window-size="$(($2 + 100)),900" \
		--virtual-time-budget=10000 --dump-dom "file://$DIR/probe-$1-$2.html" >dom ||
		return
	sed -n '/<pre id="told">/,/^end/p' dom | sed 's/<pre id="told">//' >told
	cat told
	grep -qx "end" told && ! grep -q '^wrong' told &&
		grep -qE "^width=$2 figures=$3 tables=[1-9]" told
}

# prints NAME TEXT: on paper what was folded is unfolded
prints() {
	browse --print-to-pdf="$DIR/$1.pdf" --no-pdf-header-footer "file://$DIR/$1.html" &&
		pdftotext "$1.pdf" - | tr '\n' ' ' | grep -oF "$2"
}

# pictures NAME: for people
pictures() {
	around "$1" 400 6000
	browse --window-size=1280,5000 --screenshot="$DIR/$1-1280.png" "file://$DIR/$1.html" &&
		browse --window-size=400,6000 --screenshot="$DIR/$1-400.png" \
			"file://$DIR/$1-400.html"
}

keep() {
	local name

	mkdir -p "$KEEP" || return
	for name in "$@"; do
		pictures "$name" && cp "$name.html" "$name.pdf" "$name"-*.png "$KEEP" || return
	done
}

make_pages() {
	local s=$ROOT/samples/core-sched d=$ROOT/tests/data

	page smt report "$s/on-1.dat" &&
		page plain report "$d/bed/bed-coresched-off.dat" &&
		page many report "$d/bed-fcap/222-on-1.dat" &&
		page processes report --group process "$s/on-1.dat" &&
		page steal report "$d/bed-fcap/steal.dat" &&
		page names report --vm "a-name-without-any-place-to-break-it-that-goes-on=tgid:81" \
			--vm 'b <i>&amp; "c" d=tgid:83' "$s/on-1.dat" &&
		page compare compare --config off "$s"/off-[1-5].dat --config on "$s"/on-[1-5].dat &&
		page scores scores --expected 0.9 "$ROOT/samples/scores-2015.csv"
}

NAMES="smt plain many processes steal names compare scores"

echo "1..$((1 + 3 * $(wc -w <<<"$NAMES") + 1))"
check "pages are made" make_pages
for name in $NAMES; do
	figures=$(grep -c '<figure ' "$name.html")
	((figures >= 2)) || figures="two or more"
	check "$name: on a phone of 400 pixels nothing sticks out, every figure has a size" \
		fits "$name" 400 "$figures"
	check "$name: nor on a screen of 1280" fits "$name" 1280 "$figures"
	unfolded="stable from run to run"
	[[ $name != scores ]] || unfolded="Unweighted mean over windows"
	[[ $name != compare ]] || unfolded="Mean over runs of share minus due"
	check "$name: on paper everything is unfolded" prints "$name" "$unfolded"
done
if [[ ${KEEP:-} ]]; then
	# shellcheck disable=SC2086
	check "pages, pictures and print are in $KEEP" keep $NAMES
else
	unless "KEEP=DIR is not set" "pictures to be looked at" false
fi
