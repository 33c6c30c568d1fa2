//go:build !unix

package sqlite_test

import "time"

// cpu is not known here.
func cpu() time.Duration { return 0 }
