//go:build !unix

package sqlite_test

import "time"

// cpu is not known here.
func cpu() time.Duration { return 0 }

// written is not known here.
func written() int64 { return 0 }
