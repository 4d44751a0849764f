# SPDX-License-Identifier: GPL-2.0-only
#
# A program of Perl that profil is attached to; run describes its arguments. The first
# function's work is a regular expression, and the second one's sorts.
$| = 1;
my $text = 'ab' x 2000 . 'c';
my @words = map { $_ * 7919 % 1013 } 1 .. 2000;

sub first {
	return $text =~ /^(?:a|b)*[de]/;
}

sub second {
	return (sort { $a <=> $b || $b <=> $a } @words)[0];
}

# CPU time of the process, in nanoseconds
sub now {
	my ($user, $system) = times;

	return ($user + $system) * 1e9;
}

sub work {
	my ($function, $nanoseconds) = @_;
	my $begin = now();

	while (now() - $begin < $nanoseconds) {
		$function->() for 1 .. 20;
	}
	return now() - $begin;
}

my ($first, $second) = @ARGV;
my @used = (0, 0);

print "ready\n";
<STDIN>;
for (1 .. 10) {
	$used[0] += work(\&first, $first / 10);
	$used[1] += work(\&second, $second / 10);
}
print "used @used\n";
<STDIN>;
