# SPDX-License-Identifier: GPL-2.0-only
#
# Hashes, sorting, recursion and expressions, as often as the argument says
sub fibonacci {
	my ($n) = @_;

	return $n < 2 ? 1 : fibonacci($n - 1) + fibonacci($n - 2);
}

sub work {
	my $text = join(' ', map { 'w' . ($_ * 7919 % 1013) } 1 .. 400);
	my ($total, %counts) = (0);

	$counts{$_}++ for split(/ /, $text);
	for my $word (sort { $counts{$b} <=> $counts{$a} || $a cmp $b } keys %counts) {
		$total += $counts{$word} if $word =~ /^w(\d+)[13579]$/;
	}
	$text =~ s/(\d)(\d)/$2$1/g;
	return $total + length($text) + fibonacci(9);
}

my $total = 0;
$total += work() for 1 .. shift;
print "$total\n";
