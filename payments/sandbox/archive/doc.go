// Package archive keeps a sandbox's records in one SQLite file, so that links,
// expiries and deliveries go on after a restart.
//
// It guarantees that what was saved outlives the process, however that ends,
// that a save happens wholly or not at all, and that the file is whole at every
// moment, even when the machine loses its power; the last few saves may then be
// lost. The file is readable by its owner alone, one process at a time has it,
// and a file of another program, of a newer version or with damage is refused
// as it is.
package archive
