//go:build unix

package sqlite_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// cpu is the processor time that this process has used.
func cpu() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// written is how many bytes this process has sent to disks, where the system
// tells.
func written() (bytes int64) {
	text, _ := os.ReadFile("/proc/self/io")
	_, after, _ := strings.Cut(string(text), "\nwrite_bytes: ")
	_, _ = fmt.Sscan(after, &bytes)
	return bytes
}
