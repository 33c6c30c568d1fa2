//go:build linux

package sqlite

// NetworkOf is exported for the test of file systems.
var NetworkOf = networkOf
