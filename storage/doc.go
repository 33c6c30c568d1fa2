// Package storage opens a shop's database, in an SQLite file or at a PostgreSQL
// server, by its address.
//
// It guarantees the durability of [payments.Store]: a change that was acknowledged
// survives a power cut. [Lock] gives a file to one process at a time.
package storage
