package receipt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
)

// QueueError says that a queue of CUPS is stopped or accepts no receipts.
type QueueError struct {
	Queue  string
	Reason string // Reason from CUPS or its driver; may be blank.
}

func (e *QueueError) Error() string { return "the queue " + e.Queue + " is stopped: " + e.Reason }

const (
	queueTime  = 2 * time.Second // How long Print watches a receipt in a queue.
	queuePause = 250 * time.Millisecond
)

type queue string

// send gives a receipt to the queue and watches it until patience has passed. After an error of the
// queue, send removes the receipt, so that it is not printed later. If the receipt still waits at
// the end, it stays in the queue.
func (q queue) send(ctx context.Context, ticket []byte, patience time.Duration) error {
	if err := q.check(ctx); err != nil {
		return err
	}
	said, err := run(ctx, ticket, "lp", "-d", string(q), "-o", "raw")
	if err != nil {
		return err
	}
	job := q.job(said)
	for late := time.Now().Add(patience); job != "" && time.Now().Before(late); {
		waiting, _ := run(ctx, nil, "lpstat", "-o", string(q)) // An error is ignored: the queue has accepted the receipt.
		if !strings.Contains(waiting, job+" ") {
			return nil
		}
		if err := q.check(ctx); err != nil {
			_, _ = run(ctx, nil, "cancel", job)
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(queuePause):
		}
	}
	return nil
}

func (q queue) job(said string) string {
	for word := range strings.FieldsSeq(said) {
		if strings.HasPrefix(word, string(q)+"-") {
			return word
		}
	}
	return ""
}

// check returns why the queue does not print, or nil. It uses the driver's alerts only while the
// driver prints, because old alerts remain.
func (q queue) check(ctx context.Context) error {
	said, err := run(ctx, nil, "lpstat", "-l", "-p", string(q), "-a", string(q))
	if err != nil {
		return err
	}
	lines := strings.Split(said, "\n")
	printing := strings.Contains(lines[0], " now printing ")
	for i, line := range lines {
		if alerts, found := strings.CutPrefix(strings.TrimSpace(line), "Alerts:"); found && printing {
			if err := alert(alerts); err != nil {
				return err
			}
		}
		if strings.Contains(line, " disabled since ") || strings.Contains(line, " not accepting requests since ") {
			reason := ""
			if i+1 < len(lines) {
				reason = clean.Text(lines[i+1], payments.MaxShownWidth)
			}
			return &QueueError{Queue: string(q), Reason: reason}
		}
	}
	return nil
}

func alert(reasons string) error {
	for _, known := range []struct {
		reason string
		means  error
	}{
		{"cover-open", ErrCoverOpen},
		{"door-open", ErrCoverOpen},
		{"media-empty", ErrNoPaper},
		{"media-needed", ErrNoPaper},
		{"media-jam", ErrStuck},
		{"offline", ErrUnreachable},
	} {
		for word := range strings.FieldsSeq(reasons) {
			if strings.HasPrefix(word, known.reason) && !strings.HasSuffix(word, "-warning") {
				return known.means
			}
		}
	}
	return nil
}

func run(ctx context.Context, input []byte, program string, arguments ...string) (string, error) {
	var out, said bytes.Buffer
	command := exec.CommandContext(ctx, program, arguments...) //nolint:gosec // A program of CUPS, run without a shell.
	command.Env = append(os.Environ(), "LC_ALL=C")
	command.Stdin = bytes.NewReader(input)
	command.Stdout = &out
	command.Stderr = &said
	command.WaitDelay = time.Second // A child of the program may keep the pipes open.
	err := command.Run()
	switch {
	case err == nil:
		return out.String(), nil
	case ctx.Err() != nil:
		return "", fmt.Errorf("%w: %w", ErrStuck, ctx.Err())
	}
	return "", errors.Join(ErrUnreachable, fmt.Errorf("%w: %s", err, clean.Text(said.String(), payments.MaxShownWidth)))
}
