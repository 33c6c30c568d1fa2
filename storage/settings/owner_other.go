//go:build !unix

package settings

import "io/fs"

// foreign finds nobody where files have no owner of Unix's kind.
func foreign(fs.FileInfo) bool { return false }
