//go:build linux

package sqlite

// NetworkOf is what a test of file systems looks at from outside.
var NetworkOf = networkOf
