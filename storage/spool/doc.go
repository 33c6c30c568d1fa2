// Package spool keeps the events that came while a shop's database could not
// be used, and applies them when it can be used again.
//
// It guarantees that an event which the database did not take is never
// acknowledged, and is meanwhile durable in a small SQLite file of its own
// (write-ahead log, synchronous FULL), if there is room for it; that kept
// events reach the database in the order in which they came, each with the
// moment of its arrival, and that a later event of the same order does not
// overtake them; that an event leaves the file only once the database has it,
// so that a crash in between costs nothing but a second delivery, which is
// harmless; and that one event which the database refuses for good does not
// hold up the others.
//
// The file belongs to one process at a time, and is bounded in events and in
// bytes. Two listeners have a file each, and nothing orders what one keeps
// against what the other stores meanwhile: a failure that waits here while the
// success after it went through the other makes the order one to check.
package spool
