// Package sound tells a cashier who looks elsewhere that a payment came, or did
// not: by a tune of its own for each where the machine can play one, and by the
// terminal's bell otherwise. It guarantees that the tunes differ by their number
// of notes and not by their pitch alone, and that a machine without sound loses
// nothing but the sound.
package sound

import (
	"context"
	"io"
	"time"

	"checkout/till/tui/sound/wav"
)

// Tune is what is played.
type Tune int

// The tunes, the most important one first.
const (
	Alarm  Tune = iota // A person must look: something came that no order has.
	Paid               // A payment came.
	Unpaid             // It did not.
)

// Speaker plays. The zero value is silent.
type Speaker struct {
	bell io.Writer
	play player // Nil for the bell alone.
}

// player plays a WAV file, and returns when it is over.
type player func(ctx context.Context, file []byte) error

// New returns a speaker that plays by the system or by a program that find (as
// [os/exec.LookPath]) knows, and by the bell of a terminal otherwise; without find by
// the bell alone.
func New(terminal io.Writer, find func(program string) (string, error)) Speaker {
	speaker := Speaker{bell: terminal}
	if find != nil {
		speaker.play = newPlayer(find)
	}
	return speaker
}

// Play plays a tune, and returns when it is over or ctx ends.
func (s Speaker) Play(ctx context.Context, tune Tune) {
	if s.bell == nil {
		return
	}
	if s.play != nil && s.play(ctx, wav.Encode(tune.notes())) == nil {
		return
	}
	for _, note := range tune.notes() {
		if ctx.Err() != nil {
			return
		}
		_, _ = s.bell.Write([]byte("\a"))
		select {
		case <-time.After(note.Length):
		case <-ctx.Done():
		}
	}
}

// notes are two rising ones for a payment, three low ones for none, and five
// that go up and down for an alarm.
func (t Tune) notes() []wav.Note {
	low := wav.Note{Hertz: 220, Length: 220 * time.Millisecond}
	switch t {
	case Paid:
		return []wav.Note{
			{Hertz: 659.26, Length: 140 * time.Millisecond}, {Hertz: 987.77, Length: 320 * time.Millisecond},
		}
	case Alarm:
		high := wav.Note{Hertz: 880, Length: 180 * time.Millisecond}
		return []wav.Note{high, low, high, low, high}
	}
	return []wav.Note{low, low, low}
}
