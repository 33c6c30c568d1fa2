// Package disk gives a test a small disk of its own, to which can happen what
// happens to disks: the power is cut in the middle of a write, or it is full. It
// also lets one process see a disk that fails, and protects one file. Only tests
// import it.
//
// It guarantees that a cut is one: what was not brought to the disk by then is
// not there afterwards, whatever the system had in memory. It is an ext4 in a
// file, mounted as a loop, so that it takes Linux, root and mkfs.ext4; where it
// cannot be had the test is skipped with a reason, or fails when
// TILL_TEST_REQUIRE is set and it is the tool that lacks.
package disk
