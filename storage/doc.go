// Package storage is where a shop's data and settings lie.
//
// [Open] opens the database that an address names and picks what it is kept
// in. It guarantees what [payments.Store] promises: what was acknowledged
// survives a power cut. [Lock] sees to it that one program alone receives the
// events of a database.
//
// [Settings] are read from flags, environment, a file and defaults, in this
// precedence. What is loaded is checked whole, and the two secrets cannot be
// printed.
package storage
