//go:build !linked

package main

// rest is nothing.
func rest() int { return 2 }
