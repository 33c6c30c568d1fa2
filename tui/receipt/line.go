package receipt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"
)

const (
	answerTime  = 400 * time.Millisecond // How long to wait for the printer's answer to a question.
	confirmTime = 5 * time.Second        // How long to wait for the printer to confirm a print.
	restTime    = time.Second            // How long to read from a printer that answers no questions, after a receipt.
)

type connection interface {
	io.ReadWriteCloser
	SetReadDeadline(at time.Time) error
	SetWriteDeadline(at time.Time) error
}

type line struct {
	connection
	reader *bufio.Reader
	status status
	talks  bool // Whether the printer has answered the last question.
	waits  bool // Whether the printer was asked to confirm the print.
	done   bool // Whether the printer has confirmed the print.
}

// open connects to the printer. While a network printer refuses, open tries again until patience
// has passed.
func (p Printer) open(ctx context.Context, patience time.Duration) (*line, error) {
	var out connection
	var err error
	if address, found := strings.CutPrefix(p.Address, "tcp://"); found {
		out, err = untilTaken(ctx, patience, func() (net.Conn, error) { return new(net.Dialer).DialContext(ctx, "tcp", address) })
	} else {
		out, err = openDevice(p.Address)
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%w: %w", ErrForbidden, err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil, fmt.Errorf("%w: %w", ErrBusy, err)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	return newLine(out), nil
}

func newLine(out connection) *line { return &line{connection: out, reader: bufio.NewReader(out)} }

// deaf is a device that cannot be read, such as a pipe or a file.
type deaf struct{ *os.File }

// SetReadDeadline returns an error, so that nothing is read.
func (deaf) SetReadDeadline(time.Time) error { return os.ErrNoDeadline }

// openDevice opens the device of a printer. Only a character device is read: other content does not
// come from a printer.
func openDevice(path string) (connection, error) {
	// Without O_NONBLOCK, opening could block forever, and deadlines would have no effect.
	info, err := os.Stat(path)
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|syscall.O_NONBLOCK, 0)
		return deaf{file}, err
	}
	device, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	makeRaw(device)
	dropOld(device)
	return device, nil
}

// makeRaw sets a serial line to raw mode, in which it changes no bytes and echoes no answers.
func makeRaw(device *os.File) {
	control, err := device.SyscallConn()
	if err != nil {
		return
	}
	_ = control.Control(func(descriptor uintptr) {
		if number := int(descriptor); term.IsTerminal(number) {
			_, _ = term.MakeRaw(number) // If this fails, the line is used as it is set.
		}
	})
}

// dropOld reads and drops answers that came too late for an earlier print.
func dropOld(device *os.File) {
	const moment = 10 * time.Millisecond
	if device.SetReadDeadline(time.Now().Add(moment)) == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(device, 1<<10))
	}
}

// untilTaken calls dial again while the connection is refused, until patience has passed. A network
// printer that prints for another till refuses connections.
func untilTaken(ctx context.Context, patience time.Duration, dial func() (net.Conn, error)) (net.Conn, error) {
	late := time.Now().Add(patience)
	var refused error
	for {
		connection, err := dial()
		switch {
		// The dialer's own timer may fire just before ctx ends, so ctx.Err may still be nil.
		case refused != nil && (errors.Is(err, os.ErrDeadlineExceeded) || err != nil && ctx.Err() != nil):
			return nil, refused
		case !errors.Is(err, syscall.ECONNREFUSED), time.Now().After(late):
			return connection, err
		}
		refused = err
		select {
		case <-ctx.Done():
			return nil, refused
		case <-time.After(busyPause):
		}
	}
}

// ask asks the printer for its state, and returns why it cannot print, or nil. After an unanswered
// question it asks nothing more: a late answer would be taken for the answer to the next question.
func (l *line) ask() error {
	if _, cannotRead := l.connection.(deaf); cannotRead {
		return nil
	}
	for _, question := range []byte{askOnline, askCause, askPaper} {
		if _, err := l.Write(append([]byte(askState), question)); err != nil {
			return err
		}
		answer, err := l.next(realTime, answerTime)
		if l.talks = err == nil; !l.talks {
			return nil
		}
		l.status.answered(question, answer)
	}
	return l.status.problem()
}

// next records bytes in the field status until it gets a byte of the wanted sort. It returns an
// error after the duration patience.
func (l *line) next(wanted sort, patience time.Duration) (byte, error) {
	if err := l.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return 0, err
	}
	for {
		b, err := l.reader.ReadByte()
		if err != nil {
			return 0, err
		}
		is := l.status.add(b)
		if is == ordinary && l.waits {
			l.done = true
			l.status.printed(b)
		}
		if is == wanted {
			return b, nil
		}
	}
}

// send sends a receipt. If asks is true, send first asks for the printer's state. If the printer
// answers, send also waits for a confirmation of the print.
func (l *line) send(ctx context.Context, ticket []byte, asks bool) (Outcome, error) {
	defer context.AfterFunc(ctx, func() { _ = l.SetWriteDeadline(time.Now()) })()
	if asks {
		if err := l.ask(); err != nil {
			return Sent, l.failed(ctx, err)
		}
	}
	if _, err := l.Write(ticket); err != nil {
		return Sent, l.failed(ctx, err)
	}
	if l.talks {
		return l.confirm(ctx)
	}
	return Sent, l.failed(ctx, l.finish())
}

// confirm waits until the printer confirms the print. Without a confirmation in time, it returns
// the printer's reason as an error, or else Sent.
func (l *line) confirm(ctx context.Context) (Outcome, error) {
	l.waits = true
	if _, err := l.Write([]byte(askPrinted)); err != nil {
		return Sent, l.failed(ctx, err)
	}
	for late := time.Now().Add(confirmTime); time.Now().Before(late) && ctx.Err() == nil; {
		_, err := l.next(ordinary, time.Second)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = l.ask() // The answer to GS r may come while ask waits.
		}
		switch {
		case l.done:
			return Printed, l.status.problem()
		case err != nil:
			return Sent, l.failed(ctx, err)
		case !l.talks:
			return Sent, nil
		}
	}
	if l.status.offline {
		return Sent, ErrStuck
	}
	return Sent, nil
}

// finish ends a receipt for a printer that answers no questions. It reads what the printer sends:
// to close a connection with unread bytes resets it, and the printer would lose the end of the
// receipt.
func (l *line) finish() error {
	// The driver of a USB printer cancels the last write if the file is closed too soon. Writing a
	// zero byte, which printers ignore, waits until the printer has accepted the receipt.
	if _, err := l.Write([]byte{0}); err != nil {
		return err
	}
	ended, is := l.connection.(interface{ CloseWrite() error })
	if !is {
		return nil
	}
	if err := ended.CloseWrite(); err != nil {
		return err
	}
	_, err := l.next(never, restTime)
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, io.EOF) {
		return nil // Many printers do not close the connection.
	}
	return err
}

func (l *line) failed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	const moment = 10 * time.Millisecond
	_, _ = l.next(never, moment)
	problem := l.status.problem()
	switch {
	case problem != nil:
		return problem
	case ctx.Err() != nil:
		return fmt.Errorf("%w: %w", ErrStuck, ctx.Err())
	}
	return fmt.Errorf("%w: %w", ErrCutOff, err)
}
