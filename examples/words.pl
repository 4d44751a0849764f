# SPDX-License-Identifier: GPL-2.0-only
# The words of a text, the commonest first
while (<>) {
	$count{$_}++ for /\w+/g;
}
print "$count{$_} $_\n" for sort { $count{$b} <=> $count{$a} } keys %count;
