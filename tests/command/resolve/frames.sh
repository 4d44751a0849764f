# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# shellcheck disable=SC2154 # the script that sources this sets here
#
# Functions that look up the instructions of programs, in a new directory with the
# sources of the programs. To be sourced after tap.sh.

cd "$work" || exit
cp "$here"/*.c "$here"/*.cc "$here"/*.rs . 2>/dev/null
# elfutils asks servers for debugging information only if this is set.
unset DEBUGINFOD_URLS

# places PROGRAM [SAMPLES]: a recording in places with a sample in each instruction,
# or SAMPLES, an expression of its number $n and its address $at. If $only is not empty,
# it is a pattern for the names of their functions.
places()
{
	# shellcheck disable=SC2016 # variables of Perl
	perl -MFile::Spec -e '
		use integer;
		my ($path, $samples, $only) = @ARGV;
		my ($offset, $start) = map { hex } `readelf -lW $path` =~
			/LOAD +0x(\w+) 0x(\w+) .* R E /;
		my ($n, $all, $inside, @lines) = (0, 0, 1);

		for (`objdump -d -j .text $path`) {
			$inside = $only eq "" || $1 =~ /$only/ if /^\w+ <(.*)>:$/;
			next if !$inside || !/^ *([0-9a-f]+):\t/;
			my $at = hex $1;
			my $count = ++$n && eval $samples;
			$all += $count;
			push @lines, sprintf "place\t0\t0\t0x%s\t0x%s\t-\t%d\t0",
				map({ sprintf "%x", $_ } $at - $start + $offset, $at),
				$count;
		}
		chomp(my $machine = `uname -m`);
		unshift @lines, "profil.data\t1", "command\t$path",
			"host\t\t$machine\t", "time\t0\t0\t0\t0", "clock\t1000000\t0",
			"totals\t$all\t$all\t0\t0\t0\t0\t1\t1\t0", "program\t$path",
			"object\tfile\t" . File::Spec->rel2abs($path) . "\t-\tread\t0\t0\t";
		print map { "$_\n" } @lines, "eof\t" . @lines' \
		"$1" "${2-1}" "${only-}" >places
}

# frames_in FILE: the frames of the places in a recording: a line ADDRESS, and a line
# SYMBOL<TAB>FILE:LINE:COLUMN:DISCRIMINATOR for each frame, the innermost first
frames_in()
{
	gzip -dcf "$1" | awk -F '\t' '
		$1 == "source" { source[sources++] = $2 }
		$1 == "function" { symbol[functions++] = $6 }
		$1 == "place" {
			print $5
			for (i = 9; i <= NF; i++) {
				split($i, at, ":")
				print symbol[at[1]] "\t" source[at[2]] ":" at[3] ":" \
					at[4] ":" at[5]
			}
		}'
}

# frames_of PROGRAM: the frames of all its instructions. The time is that of a FIFO
# that is opened, where nothing else would end the test.
frames_of()
{
	places "$1" && timeout 300 "$here/resolve" <places >looked_up &&
		frames_in looked_up
}

# by_address: a line ADDRESS FILE:LINE... for each address, from the output of
# addr2line -a or frames_of. Lines without a number are unknown.
by_address()
{
	awk -F '\t' '
	/^0x[0-9a-f]+$/ {
		if (line != "")
			print line
		sub("^0x0*", "")
		line = "0x" $0
		next
	}
	{
		text = $NF
		sub(" [(]discriminator [0-9]*[)]$", "", text)
		nr = split(text, part, ":")
		if (nr < 2 || part[2] !~ /^[0-9]+$/ || part[1] ~ /^[?][?]/)
			next
		# The tools shorten paths differently.
		while (sub("/[^/.][^/]*/[.][.]/", "/", part[1]))
			;
		line = line " " part[1] ":" part[2]
	}
	END { print line }'
}

# lines_by TOOL PROGRAM: the lines of all its instructions from an addr2line
lines_by()
{
	places "$2"
	awk -F '\t' '$1 == "place" { print $5 }' places |
		"$1" -a -i -e "$2" 2>/dev/null | by_address
}
