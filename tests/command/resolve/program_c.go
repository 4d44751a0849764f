// SPDX-License-Identifier: GPL-2.0-only
package main

/*
static __attribute__((noinline)) unsigned long twice(unsigned long n)
{
	return 2 * n;
}
*/
import "C"
import "fmt"

//go:noinline
func add(n uint64) uint64 {
	return n + uint64(C.twice(3))
}

func main() {
	fmt.Println(add(10))
}
