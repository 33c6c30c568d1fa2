// Package storage is where a shop's data lie.
//
// [Open] opens the database that an address names and picks what it is kept
// in. It guarantees what [payments.Store] promises: what was acknowledged
// survives a power cut. [Lock] sees to it that one program alone receives the
// events of a database.
package storage
