package sqlstore

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
)

// clockTolerance is how far a transfer's time may be before an earlier transfer's, or in the
// future, without a remark. It is not zero, because the clocks of the shop's tills may differ.
const clockTolerance = time.Hour

// watcher sees all transfers in the order of their IDs. It adds remarks about changed clocks, a
// changed VAT, and the transfer with a digest that begins with seal.
type watcher struct {
	audit             *Audit
	seal              string
	now               time.Time
	latest            ledger.Transfer  // The transfer with the latest time so far.
	backwards, future bool             // Whether the remark about a clock that was set back, or about a time in the future, was added.
	rates             map[string]int64 // VAT of the last closing of each till, in percent.
	sealed            bool
}

// newWatcher returns a watcher. If the database sets the till's clock ahead of the machine's,
// newWatcher adds a remark: only the demo's database should.
func newWatcher(audit *Audit, checks Checks, ahead []int64) *watcher {
	made := &watcher{audit: audit, seal: checks.Seal, now: checks.Now, rates: make(map[string]int64)}
	for _, milliseconds := range ahead {
		by := time.Duration(milliseconds) * time.Millisecond
		made.now = made.now.Add(by)
		audit.remark("meta", "clock_ahead", "the till's clock is ahead of the machine's by %v, as only the demo's is", by)
	}
	return made
}

func (w *watcher) see(transfer ledger.Transfer, digest []byte) {
	remark := func(format string, arguments ...any) {
		w.audit.remark("transfers", fmt.Sprint(transfer.ID), format, arguments...)
	}
	if !w.backwards && transfer.Booked.Before(w.latest.Booked.Add(-clockTolerance)) {
		w.backwards = true
		remark("its time is %s, and %d before it has %s: a clock was changed", spelt(transfer.Booked), w.latest.ID, spelt(w.latest.Booked))
	}
	if !w.future && transfer.Booked.After(w.now.Add(clockTolerance)) {
		w.future = true
		remark("its time is %s, in the future: a clock was changed", spelt(transfer.Booked))
	}
	if transfer.Booked.After(w.latest.Booked) {
		w.latest = transfer
	}
	if transfer.Kind == ledger.Closing {
		note, _ := drawer.ReadClosingNote(transfer) // [examiner.ledger] reports the error.
		rate := note.VAT
		if former, closed := w.rates[transfer.Till]; closed && rate != former {
			remark("this closing has a VAT of %d %%, and the one before it %d %%", rate, former)
		}
		w.rates[transfer.Till] = rate
	}
	if w.seal != "" && strings.HasPrefix(hex.EncodeToString(digest), w.seal) {
		w.sealed = true
		remark("it has the seal %s, and the time %s", w.seal, spelt(transfer.Booked))
	}
}
