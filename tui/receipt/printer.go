package receipt

import (
	"context"
	"errors"
	"strings"
	"time"

	"checkout/till/assets/i18n"
)

// The errors of a [Printer].
var (
	// ErrUnreachable is returned if the printer is off, not connected or not known.
	ErrUnreachable = errors.New("the printer cannot be reached")
	// ErrBusy is returned if the printer refuses the connection, for example while it prints for
	// another till. Print first tries again for some seconds.
	ErrBusy = errors.New("the printer refuses the connection")
	// ErrForbidden is returned if this user may not write to the device.
	ErrForbidden = errors.New("this user may not write to the printer")
	// ErrNoPaper is returned if the printer has no paper. A part of the receipt may be printed.
	ErrNoPaper = errors.New("the printer is out of paper")
	// ErrCoverOpen is returned if the printer's cover is open. A part of the receipt may be
	// printed.
	ErrCoverOpen = errors.New("the printer's cover is open")
	// ErrStuck is returned if the printer has not accepted the receipt in time or is not ready, for
	// example after a paper jam.
	ErrStuck = errors.New("the printer does not take the receipt")
	// ErrCutOff is returned if the connection broke during the print. A part of the receipt may be
	// printed.
	ErrCutOff = errors.New("the connection to the printer broke off")
)

const (
	printTime = 10 * time.Second // Maximum time for a print or a check.
	busyTime  = 5 * time.Second
	busyPause = 250 * time.Millisecond
)

// Printer describes the receipt printer of a till.
type Printer struct {
	// Path of a device such as /dev/usb/lp0, tcp://HOST:PORT, or lp:NAME for a queue of CUPS; empty
	// without a printer.
	Address string
	// The printer must not be asked for its state, because its answers are wrong.
	NoStatus bool
	CodePage CodePage
}

// None reports whether the till has no printer.
func (p Printer) None() bool { return p.Address == "" }

// Outcome says whether a receipt was printed, or only sent to the printer.
type Outcome int

const (
	// Sent means that the printer or the queue has accepted the receipt.
	Sent Outcome = iota
	// Printed means that the printer reports a complete print.
	Printed
)

// In returns the message about the outcome of a print.
func (o Outcome) In(t i18n.Texts) string {
	if o == Printed {
		return t.Receipt.Printed
	}
	return t.Receipt.Sent
}

// Name returns the outcome as a word that programs can read.
func (o Outcome) Name() string {
	if o == Printed {
		return "printed"
	}
	return "sent"
}

// Print sends the bytes of a receipt to the printer. It stops when ctx ends or after ten seconds;
// a part of the receipt may then be printed. The errors are those from [ErrUnreachable] to
// [ErrCutOff] and, for a queue of CUPS, [*QueueError].
func (p Printer) Print(ctx context.Context, ticket []byte) (Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, printTime)
	defer cancel()
	if name, found := strings.CutPrefix(p.Address, "lp:"); found {
		return Sent, queue(name).send(ctx, ticket, queueTime)
	}
	out, err := p.open(ctx, busyTime)
	if err != nil {
		return Sent, err
	}
	defer func() { _ = out.Close() }()
	return out.send(ctx, ticket, !p.NoStatus)
}

// Check returns an error if the printer cannot be reached, or reports that it cannot print. talks
// says whether the printer has answered questions. Check prints nothing.
func (p Printer) Check(ctx context.Context) (talks bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, printTime)
	defer cancel()
	if name, found := strings.CutPrefix(p.Address, "lp:"); found {
		return false, queue(name).check(ctx)
	}
	out, err := p.open(ctx, 0)
	if err != nil {
		return false, err
	}
	defer func() { _ = out.Close() }()
	if p.NoStatus {
		return false, nil
	}
	defer context.AfterFunc(ctx, func() { _ = out.SetWriteDeadline(time.Now()) })()
	if err := out.ask(); err != nil {
		return out.talks, out.failed(ctx, err)
	}
	return out.talks, nil
}

// NoPrinter returns the message for a till without a printer in its settings.
func NoPrinter(t i18n.Texts) string { return t.Receipt.NoPrinter }

// Printing returns the message while the printer has not accepted a receipt yet.
func Printing(t i18n.Texts) string { return t.Receipt.Printing }
