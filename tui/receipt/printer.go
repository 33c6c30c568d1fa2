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
	// ErrUnreachable means that the printer is off, not connected or not known.
	ErrUnreachable = errors.New("the printer cannot be reached")
	// ErrBusy means that the printer has refused connections for some seconds: it may print for
	// another till, or nothing prints at its address.
	ErrBusy = errors.New("the printer refuses the connection")
	// ErrForbidden means that this user has no right to write to the device.
	ErrForbidden = errors.New("this user may not write to the printer")
	// ErrNoPaper means that the printer says that it has no paper. A part of the receipt may be printed.
	ErrNoPaper = errors.New("the printer is out of paper")
	// ErrCoverOpen means that the printer says that its cover is open. A part of the receipt may be printed.
	ErrCoverOpen = errors.New("the printer's cover is open")
	// ErrStuck means that the printer did not accept the receipt in time, or says that it is not ready:
	// it may be jammed.
	ErrStuck = errors.New("the printer does not take the receipt")
	// ErrCutOff means that the connection broke during the print. A part of the receipt may be printed.
	ErrCutOff = errors.New("the connection to the printer broke off")
)

const (
	printTime = 10 * time.Second       // Longest time to send a receipt.
	busyTime  = 5 * time.Second        // How long to try to reach a printer that refuses: it may print for another till.
	busyPause = 250 * time.Millisecond // Between two tries.
)

// Printer says which receipt printer there is, and how to print on it.
type Printer struct {
	// Address is the path of a device such as /dev/usb/lp0, tcp://HOST:PORT, or lp:NAME for a queue
	// of CUPS. It is empty without a printer.
	Address string
	// NoStatus says that the printer must not be asked for its state, because it answers wrongly.
	NoStatus bool
	CodePage CodePage
}

// None reports whether the till has no printer.
func (p Printer) None() bool { return p.Address == "" }

// Outcome is what is known about a receipt that was sent to a printer.
type Outcome int

const (
	// Sent means that the printer or the queue has accepted the receipt, and says no more about it.
	Sent Outcome = iota
	// Printed means that the printer says that it has printed the receipt.
	Printed
)

// In returns the message about a print.
func (o Outcome) In(t i18n.Texts) string {
	if o == Printed {
		return t.Receipt.Printed
	}
	return t.Receipt.Sent
}

// Name returns the outcome as a word for programs.
func (o Outcome) Name() string {
	if o == Printed {
		return "printed"
	}
	return "sent"
}

// Print sends the bytes of a receipt to the printer. If the printer answers questions, Print asks first whether
// it can print, and then whether it has printed. Otherwise Print waits until the printer or the queue has
// accepted the receipt. An error is one of those of a Printer. Print gives up when ctx ends or after ten
// seconds; a part of the receipt may then be printed.
func (p Printer) Print(ctx context.Context, ticket []byte) (Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, printTime)
	defer cancel()
	if name, found := strings.CutPrefix(p.Address, "lp:"); found {
		return Sent, queue(name).send(ctx, ticket)
	}
	out, err := p.open(ctx, busyTime)
	if err != nil {
		return Sent, err
	}
	defer func() { _ = out.Close() }()
	return out.send(ctx, ticket, !p.NoStatus)
}

// Check returns an error if the printer cannot be reached, or says that it cannot print. talks reports
// whether the printer answers questions. Check prints nothing.
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

// NoPrinter returns the message that the settings name no printer.
func NoPrinter(t i18n.Texts) string { return t.Receipt.NoPrinter }

// Printing returns the message that a print has begun and the printer has not accepted it yet.
func Printing(t i18n.Texts) string { return t.Receipt.Printing }
