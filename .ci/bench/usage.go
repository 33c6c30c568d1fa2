package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// usage returns what processes have used: their CPU time, and the bytes they had
// written to disk. Where /proc is not, both are 0.
func usage(pids ...int) (cpu time.Duration, written float64) {
	for _, pid := range pids {
		fields := status(fmt.Sprintf("/proc/%d/stat", pid))
		if fields == nil {
			continue
		}
		const user, system, tick = 11, 12, 10 * time.Millisecond
		for _, field := range []int{user, system} {
			ticks, _ := strconv.ParseInt(fields[field], 10, 64)
			cpu += time.Duration(ticks) * tick
		}
		counters, _ := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
		for line := range strings.SplitSeq(string(counters), "\n") {
			if number, found := strings.CutPrefix(line, "write_bytes: "); found {
				bytes, _ := strconv.ParseFloat(number, 64)
				written += bytes
			}
		}
	}
	return cpu, written
}

// status returns what the system says of a process, from its state on, or nil.
func status(path string) []string {
	stat, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	// The name of the program may hold anything, but no field after it does.
	return strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
}

// children returns the processes that a process started and that run.
func children(pid int) []int {
	var all []int
	paths, _ := filepath.Glob("/proc/[0-9]*/stat") // The pattern is right.
	for _, path := range paths {
		const parent = 1
		if fields := status(path); len(fields) > parent && fields[parent] == strconv.Itoa(pid) {
			child, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			all = append(all, child)
		}
	}
	return all
}
