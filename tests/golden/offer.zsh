#!/usr/bin/zsh -f
# SPDX-License-Identifier: GPL-2.0-only
#
# offer.zsh LINE
#
# Prints the words that the completion for zsh offers at the end of LINE: a shell on a
# pseudo-terminal has the line typed, and its compadd, which is how completions hand words
# over, writes them to a file. Calls that only ask which words fit are not among them.

zmodload zsh/zpty
here=${0:A:h}
dir=$(mktemp -d)

cat >$dir/setup <<END
fpath=($here \$fpath)
autoload -Uz compinit && compinit -u -D
compadd()
{
	local -a words
	if [[ \${argv[(i)-[OAD]]} -gt \$# ]]; then
		builtin compadd -O words "\$@"
		((\$#words == 0)) || print -rl -- \$words >>$dir/offered
	fi
	builtin compadd "\$@"
}
ended()
{
	kill -KILL \$\$
}
comppostfuncs=(ended)
PS1= RPS1=
touch $dir/ready
END

zpty shell zsh -f -i
zpty -w shell "source $dir/setup"
until [[ -e $dir/ready ]]; do sleep 0.05; done
zpty -w -n shell "$1"$'\t'
while zpty -t shell; do
	zpty -r shell output
done
[[ ! -e $dir/offered ]] || cat $dir/offered
rm -rf $dir
