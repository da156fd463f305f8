# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Completion of fcap and fanalyze in bash. The programs tell their verbs and options themselves, so
# that nothing here has to change with them.

# What can stand for the argument of an option, by how its help names it: A|B|C, FILE, DIR, ...
_fcap_argument() {
	case $1 in
	*'|'*) mapfile -t COMPREPLY < <(compgen -W "${1//|/ }" -- "$2") ;;
	DIR) mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
	*FILE* | *PATH*)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$2")
		;;
	esac
}

_fcap() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} i options argument

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W "--help --version \
			$("$1" --complete 2>/dev/null | cut -f1)" -- "$word")
		return
	fi
	# behind -- stands a command of its own
	for ((i = 2; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} != -- ]] || {
			compopt -o default
			return
		}
	done
	options=$("$1" "${COMP_WORDS[1]}" --complete 2>/dev/null)
	[[ $before != = ]] || before=${COMP_WORDS[COMP_CWORD - 2]}
	[[ $word != = ]] || { before=${COMP_WORDS[COMP_CWORD - 1]} word=; }
	argument=$(awk -F '\t' -v name="$before" '$1 == name { print $2 }' <<<"$options")
	if [[ $argument ]]; then
		_fcap_argument "$argument" "$word"
	elif [[ $word == -* ]]; then
		compopt -o nospace
		mapfile -t COMPREPLY < <(compgen -W "$(awk -F '\t' \
			'{ print $1 ($2 == "" ? "" : "=") }' <<<"$options") --help" -- "$word")
		[[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} == *= ]] || compopt +o nospace
	else
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}

complete -F _fcap fcap fanalyze
