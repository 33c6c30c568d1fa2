package receipt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
)

// The errors of a [Printer].
var (
	// ErrUnreachable means that the printer is off, not connected or not known.
	ErrUnreachable = errors.New("the printer cannot be reached")
	// ErrForbidden means that this user has no right to write to the device.
	ErrForbidden = errors.New("this user may not write to the printer")
	// ErrStuck means that the printer did not accept the receipt in time: the printer may
	// be out of paper, open or jammed.
	ErrStuck = errors.New("the printer does not take the receipt")
)

const (
	printTime = 10 * time.Second       // Longest time to send a receipt.
	busyTime  = 5 * time.Second        // How long to try to reach a printer that refuses: it may print for another till.
	busyPause = 250 * time.Millisecond // Between two tries.
	restTime  = time.Second            // How long to wait for what the printer still sends after a receipt.
)

// Printer is the address of a printer: the path of a device such as /dev/usb/lp0,
// tcp://HOST:PORT, or lp:NAME for a queue of CUPS. A Printer has no state.
type Printer string

// Print sends the bytes of a receipt to the printer, and waits until the printer or the queue has
// accepted them. It returns nil or one of the errors of a Printer. Print gives up when ctx ends or
// after ten seconds; a part of the receipt may then be printed.
func (p Printer) Print(ctx context.Context, ticket []byte) error {
	ctx, cancel := context.WithTimeout(ctx, printTime)
	defer cancel()
	if queue, found := strings.CutPrefix(string(p), "lp:"); found {
		return run(ctx, ticket, "lp", "-d", queue, "-o", "raw")
	}
	out, err := p.open(ctx, busyTime)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	defer context.AfterFunc(ctx, func() { _ = out.SetWriteDeadline(time.Now()) })()
	_, err = out.Write(ticket)
	if err == nil {
		// The driver of a USB printer cancels the last write if the file is closed too
		// soon. So the last write is one zero byte, which printers ignore. This write waits
		// until the printer has accepted the receipt.
		_, err = out.Write([]byte{0})
	}
	if connection, is := out.(*net.TCPConn); is && err == nil {
		err = finish(connection)
	}
	return printError(ctx, err)
}

// finish ends what is sent to a printer, and reads what the printer sends, such as its state. A connection
// that is closed with unread bytes is reset, and a printer then drops the end of the receipt. finish returns an
// error if the printer has reset the connection.
func finish(connection *net.TCPConn) error {
	if err := connection.CloseWrite(); err != nil {
		return err
	}
	_ = connection.SetReadDeadline(time.Now().Add(restTime))
	_, err := io.Copy(io.Discard, connection)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil // Many printers leave the connection open.
	}
	return err
}

// printError wraps the error of a printer in [ErrStuck] if ctx has ended, else in [ErrUnreachable].
// It returns nil if err is nil.
func printError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%w: %w", ErrStuck, ctx.Err())
	}
	return fmt.Errorf("%w: %w", ErrUnreachable, err)
}

// Check returns an error if the printer cannot be reached. It prints nothing.
func (p Printer) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, printTime)
	defer cancel()
	if queue, found := strings.CutPrefix(string(p), "lp:"); found {
		return run(ctx, nil, "lpstat", "-a", queue)
	}
	out, err := p.open(ctx, 0)
	if err != nil {
		return err
	}
	_ = out.Close()
	return nil
}

// output is a connection to a printer, or its device.
type output interface {
	io.WriteCloser
	SetWriteDeadline(at time.Time) error
}

// open connects to the printer. It tries again for the time patience if a network printer refuses.
func (p Printer) open(ctx context.Context, patience time.Duration) (output, error) {
	var out output
	var err error
	if address, found := strings.CutPrefix(string(p), "tcp://"); found {
		out, err = untilTaken(ctx, patience, func() (net.Conn, error) { return new(net.Dialer).DialContext(ctx, "tcp", address) })
	} else {
		// Without O_NONBLOCK, opening could wait forever and deadlines would have no effect.
		out, err = os.OpenFile(string(p), os.O_WRONLY|os.O_APPEND|syscall.O_NONBLOCK, 0)
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%w: %w", ErrForbidden, err)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	return out, nil
}

// untilTaken calls dial. A network printer takes one connection at a time: while it prints for another till, it
// refuses. untilTaken tries again for the time patience, and returns the last error.
func untilTaken(ctx context.Context, patience time.Duration, dial func() (net.Conn, error)) (net.Conn, error) {
	late := time.Now().Add(patience)
	for {
		connection, err := dial()
		if !errors.Is(err, syscall.ECONNREFUSED) || time.Now().After(late) {
			return connection, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(busyPause):
		}
	}
}

// run runs a program of CUPS with input as its standard input. An error contains what the program
// wrote to its standard error.
func run(ctx context.Context, input []byte, program string, arguments ...string) error {
	var said bytes.Buffer
	command := exec.CommandContext(ctx, program, arguments...) //nolint:gosec // lp or lpstat, run without a shell.
	command.Stdin, command.Stderr = bytes.NewReader(input), &said
	command.WaitDelay = time.Second // Do not wait longer if a child of the program keeps the pipes open.
	err := command.Run()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, clean.Text(said.String(), payments.MaxShownWidth))
	}
	return printError(ctx, err)
}

// NoPrinter returns the message that the settings name no printer.
func NoPrinter(t i18n.Texts) string { return t.Receipt.NoPrinter }

// Printing returns the message that a print has begun and the printer has not accepted it yet.
func Printing(t i18n.Texts) string { return t.Receipt.Printing }

// Printed returns the message that the printer has accepted the print.
func Printed(t i18n.Texts) string { return t.Receipt.Printed }
