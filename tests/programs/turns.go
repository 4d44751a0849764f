// SPDX-License-Identifier: GPL-2.0-only

// A program of Go that profil is attached to; run describes its arguments.
package main

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
)

var sum int

//go:noinline
func first(rounds int) {
	for i := 0; i < rounds; i++ {
		sum += i & sum
	}
}

//go:noinline
func second(rounds int) {
	for i := 0; i < rounds; i++ {
		sum ^= i + sum
	}
}

// CPU time of the process, in nanoseconds
func now() int64 {
	var usage syscall.Rusage

	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano()
}

// work calls a function for some CPU time, and returns the CPU time.
func work(function func(int), nanoseconds int64) int64 {
	begin := now()
	for now()-begin < nanoseconds {
		function(200000)
	}
	return now() - begin
}

func main() {
	var used [2]int64
	var line [1]byte

	inFirst, _ := strconv.ParseInt(os.Args[1], 10, 64)
	inSecond, _ := strconv.ParseInt(os.Args[2], 10, 64)
	fmt.Println("ready")
	os.Stdin.Read(line[:])
	for i := 0; i < 10; i++ {
		used[0] += work(first, inFirst/10)
		used[1] += work(second, inSecond/10)
	}
	fmt.Println("used", used[0], used[1])
	os.Stdin.Read(line[:])
}
