// SPDX-License-Identifier: GPL-2.0-only

// Spend MS milliseconds of CPU time, print a line, and exit with STATUS:
//
//	spinner-go MS STATUS
//
// A program of Go is static, with threads and signals of its runtime.
package main

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
)

var sum int

//go:noinline
func heavy(rounds int) {
	for i := 0; i < rounds; i++ {
		sum += i & sum
	}
}

func used() int64 {
	var usage syscall.Rusage

	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func main() {
	ms, _ := strconv.ParseInt(os.Args[1], 10, 64)
	status, _ := strconv.Atoi(os.Args[2])
	for used() < ms*1000000 {
		heavy(200000)
	}
	fmt.Println("foreign code ran")
	os.Exit(status)
}
