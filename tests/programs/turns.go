// SPDX-License-Identifier: GPL-2.0-only

// A program of Go that profil is attached to; run describes its arguments.
package main

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
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

func waitWhile(exists bool) {
	for {
		_, err := os.Stat("go")
		if (err == nil) != exists {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func main() {
	var used [2]int64

	inFirst, _ := strconv.ParseInt(os.Args[1], 10, 64)
	inSecond, _ := strconv.ParseInt(os.Args[2], 10, 64)
	os.WriteFile("ready", nil, 0600)
	waitWhile(false)
	for i := 0; i < 10; i++ {
		used[0] += work(first, inFirst/10)
		used[1] += work(second, inSecond/10)
	}
	os.WriteFile("used.new", []byte(fmt.Sprintln(used[0], used[1])), 0600)
	os.Rename("used.new", "used")
	waitWhile(true)
}
