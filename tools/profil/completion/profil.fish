# SPDX-License-Identifier: GPL-2.0-only
#
# Completion of profil in fish. The words come from profil --complete, as for bash.

function __profil_complete
	set -l words (commandline -opc)
	set -l current (commandline -ct)
	set -l option (string match -r '^--[^=]*=' -- $current)
	set -l offered ($words[1] --complete $words[2..-1] "$current" 2>/dev/null)

	switch "$offered[1]"
	case '<file>'
		string replace -r '^' -- "$option" \
			(__fish_complete_path (string replace -- "$option" '' "$current"))
	case '<command *'
		set -l first (math 1 + (string match -r '[0-9]+' -- $offered[1]))
		complete -C (string join ' ' -- \
			(string escape -- $words[$first..-1]) "$current")
	case '*'
		string replace -r '^' -- "$option" $offered
	end
end

complete -c profil -f -k -a '(__profil_complete)'
