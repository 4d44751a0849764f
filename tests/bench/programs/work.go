// SPDX-License-Identifier: GPL-2.0-only

// JSON and sorting by three goroutines, as often as the argument says
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"sync"
)

type record struct {
	ID   int
	Name string
	Tags []string
}

func records(nr int) (all []record) {
	for i := 0; i < nr; i++ {
		all = append(all, record{i, "n" + strconv.Itoa(i*7919%101), []string{"a", "b"}})
	}
	return all
}

func work() int {
	var read []record

	text, _ := json.Marshal(records(100))
	if json.Unmarshal(text, &read) != nil {
		return 0
	}
	sort.Slice(read, func(a, b int) bool { return read[a].Name < read[b].Name })
	return len(text) + len(read)
}

func main() {
	var group sync.WaitGroup
	var totals [3]int

	rounds, _ := strconv.Atoi(os.Args[1])
	for i := range totals {
		group.Add(1)
		go func(total *int) {
			defer group.Done()
			for round := 0; round < rounds; round++ {
				*total += work()
			}
		}(&totals[i])
	}
	group.Wait()
	fmt.Println(totals)
}
