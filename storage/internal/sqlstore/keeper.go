package sqlstore

import "context"

// Keeper looks after what a database is kept in, which can be lost or spoiled
// without the database's noticing. It is safe for concurrent use. Its errors
// are faults ([Dialect.Fault]), but for Room's.
type Keeper interface {
	// Look returns why what is stored now would not be found by whoever opens
	// the database next. It is called before whatever reads and at least once a
	// second, so it is quick.
	Look() error
	// Begin does the same before a change, at whose end Committed or Look is
	// asked in any case: what was seen a moment ago may be taken as it was.
	Begin() error
	// Account compares what the last look saw with the change sequence and the
	// number of probes, which were read after it. Every commit raises one of
	// them. This process writes nothing meanwhile.
	Account(sequence, probes int64) error
	// Committed looks again after a commit, before anybody is told of it.
	Committed(sequence int64) error
	// Room returns why no order should be begun. It is no fault: what is known
	// of the orders that there are can be stored.
	Room() error
	// Tend does what may take a while, and writes only when there is something
	// to write. It is called about once a second while there is no fault.
	Tend() error
	// Mend does what can be done about a fault. It returns nil when the
	// database may be used again, and otherwise why not; then it is called
	// again. Nobody uses a connection meanwhile.
	Mend(ctx context.Context, repair Repair) error
}

// Repair is a fault, and what a [Keeper] may do with the store's connections.
type Repair struct {
	Cause error
	// Release closes all connections. New ones are opened when Mend returned
	// nil.
	Release func()
	// Run runs a statement on the writing connection, and returns the first
	// number of its result; 0 without a result. Without a connection it does
	// nothing.
	Run func(text string) (int64, error)
}

// trusting is a Keeper where nothing but the database itself can be at fault.
type trusting struct{}

func (trusting) Look() error                { return nil }
func (trusting) Begin() error               { return nil }
func (trusting) Account(int64, int64) error { return nil }
func (trusting) Committed(int64) error      { return nil }
func (trusting) Room() error                { return nil }
func (trusting) Tend() error                { return nil }
func (trusting) Mend(_ context.Context, repair Repair) error {
	repair.Release()
	return nil
}
