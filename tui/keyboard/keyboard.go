// Package keyboard reads keys from a terminal, and finds out which of them a scanner typed. It
// replaces the reader of Bubble Tea v1, which takes a key's sequence for text if it arrives in
// parts, and does not report when a key was read. On Windows, Bubble Tea still reads the keys.
package keyboard

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/cancelreader"
)

// Stroke is a key or a paste, and the time when its last byte was read.
type Stroke struct {
	Key tea.KeyMsg
	At  time.Time
}

// Reader reads keys, and the replies about colours, from a terminal.
type Reader struct {
	input   io.Reader
	now     func() time.Time
	waiting atomic.Int64
}

// NewReader returns a reader of a terminal or any other input. now is the clock of the strokes.
func NewReader(input io.Reader, now func() time.Time) *Reader {
	return &Reader{input: input, now: now}
}

// Waiting reports whether keys were read but not sent yet. For a nil Reader, it returns false.
func (r *Reader) Waiting() bool { return r != nil && r.waiting.Load() > 0 }

// Feed sends the messages of [Reader.Run] to a program, and ends the program if the input fails. A
// terminal that goes away is no error. On Windows, Feed does nothing.
func (r *Reader) Feed(ctx context.Context, program *tea.Program) error {
	if !Reads {
		return nil
	}
	err := r.Run(ctx, program.Send)
	if err != nil {
		program.Quit()
	}
	if errors.Is(err, syscall.EIO) { // The terminal is gone. SIGHUP may come later.
		return nil
	}
	return err
}

// Drive runs a program, and feeds it until it ends. It returns the error of the input, or else of
// the program.
func (r *Reader) Drive(ctx context.Context, program *tea.Program) (last tea.Model, err error) {
	ctx, stop := context.WithCancel(ctx)
	fed := make(chan error, 1)
	go func() { fed <- r.Feed(ctx, program) }()
	last, err = program.Run()
	stop()
	return last, cmp.Or(<-fed, err)
}

type chunk struct {
	data []byte
	at   time.Time
}

// Run reads until ctx or the input ends, and sends each [Stroke] and [Colours]. It continues to
// read while a call of send blocks. It returns the error of the input.
func (r *Reader) Run(ctx context.Context, send func(tea.Msg)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	input, err := cancelreader.NewReader(r.input)
	if err != nil {
		return fmt.Errorf("read the keyboard: %w", err)
	}
	const ahead = 1024 // Maximum number of chunks that wait to be decoded.
	chunks := make(chan chunk, ahead)
	ended := make(chan error, 1)
	go func() {
		ended <- errors.Join(r.read(ctx, input, chunks), input.Close())
		close(chunks)
	}()
	r.decode(ctx, chunks, send)
	if ctx.Err() != nil && !input.Cancel() {
		return nil // Do not wait for a read that cannot be canceled.
	}
	return <-ended
}

func (r *Reader) read(ctx context.Context, input io.Reader, chunks chan<- chunk) error {
	buffer := make([]byte, 4096)
	for {
		size, err := input.Read(buffer)
		if size > 0 {
			r.waiting.Add(1)
			select {
			case chunks <- chunk{bytes.Clone(buffer[:size]), r.now()}:
			case <-ctx.Done():
				return nil
			}
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, cancelreader.ErrCanceled):
			return nil
		case err != nil:
			return fmt.Errorf("read the keyboard: %w", err)
		}
	}
}

func (r *Reader) decode(ctx context.Context, chunks <-chan chunk, send func(tea.Msg)) {
	var decoder Decoder
	var at time.Time
	var silence <-chan time.Time
	for {
		var msgs []tea.Msg
		var taken int64
		select {
		case <-ctx.Done():
			return
		case next, more := <-chunks:
			if !more {
				return
			}
			msgs = decoder.Decode(next.data)
			at = next.at
			taken = 1
		case <-silence:
			if len(chunks) > 0 {
				continue // More bytes came in time.
			}
			msgs = decoder.Flush()
		}
		for _, msg := range msgs {
			if key, pressed := msg.(tea.KeyMsg); pressed {
				msg = Stroke{key, at}
			}
			send(msg)
		}
		r.waiting.Add(-taken)
		silence = nil
		if wait := decoder.Wait(); wait > 0 {
			silence = time.After(wait)
		}
	}
}
