// SPDX-License-Identifier: GPL-2.0-only
package main

import "fmt"

type counter struct{ n uint64 }

//go:noinline
func (c *counter) add(n uint64) uint64 {
	for i := uint64(0); i < n; i++ {
		c.n = c.n*6364136223846793005 + i
	}
	return c.n
}

func main() {
	fmt.Println((&counter{}).add(10))
}
