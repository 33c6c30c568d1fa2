// Package sound plays a tune when an order has an outcome or a payment has no order, for a cashier
// who does not look at the screen. If the machine cannot play a tune, the terminal's bell rings
// instead. The tunes differ in their number of notes, not only in pitch.
package sound

import (
	"context"
	"encoding/binary"
	"io"
	"math"
	"time"
)

// Tune tells the cashier by sound what happened.
type Tune int

// The tunes, the most important one first.
const (
	Alarm Tune = iota // A payment without an order came. A person must look at it.
	Paid
	Unpaid // An order has another outcome, or could not be made.
)

type player func(ctx context.Context, file []byte) error

// New returns a function that plays a tune to its end. find returns the path of a program, like
// [os/exec.LookPath]. If find is nil or no tune can be played, the terminal's bell rings once for
// each note.
func New(terminal io.Writer, find func(program string) (string, error)) func(ctx context.Context, tune Tune) {
	var play player
	if find != nil {
		play = newPlayer(find)
	}
	return func(ctx context.Context, tune Tune) {
		notes := tune.notes()
		if play != nil && play(ctx, encode(notes)) == nil {
			return
		}
		for _, note := range notes {
			if ctx.Err() != nil {
				return
			}
			_, _ = terminal.Write([]byte("\a"))
			select {
			case <-time.After(note.length):
			case <-ctx.Done():
			}
		}
	}
}

type note struct {
	hertz  float64
	length time.Duration
}

func (t Tune) notes() []note {
	low, high := note{220, 220 * time.Millisecond}, note{880, 180 * time.Millisecond}
	switch t {
	case Paid:
		return []note{{659.26, 140 * time.Millisecond}, {987.77, 320 * time.Millisecond}}
	case Alarm:
		return []note{high, low, high, low, high}
	}
	return []note{low, low, low}
}

const sampleRate = 22_050

// encode returns a WAV file with the notes, with one channel and 16 bits a sample.
func encode(notes []note) []byte {
	const gap = 40 * time.Millisecond
	var samples []int16
	for _, note := range notes {
		samples = append(samples, note.samples()...)
		samples = append(samples, make([]int16, count(gap))...)
	}
	const header, bytesASample = 44, 2
	size := uint32(len(samples) * bytesASample) //nolint:gosec // About a second of sound: no overflow.
	var file []byte
	for _, field := range []any{
		[]byte("RIFF"), header - 8 + size,
		[]byte("WAVEfmt "), uint32(16), // Size of the format chunk.
		uint16(1), uint16(1), // PCM with one channel.
		uint32(sampleRate), uint32(sampleRate * bytesASample), uint16(bytesASample), uint16(8 * bytesASample),
		[]byte("data"), size, samples,
	} {
		file, _ = binary.Append(file, binary.LittleEndian, field) // Append fails only for types without a fixed size.
	}
	return file
}

// samples returns the samples of a note. The volume rises and falls at the ends, so that nothing
// clicks.
func (n note) samples() []int16 {
	const (
		loudness = 0.5                   // Largest sample, relative to the largest possible one.
		fade     = 10 * time.Millisecond // Time in which the volume rises or falls.
	)
	samples, edge := make([]int16, count(n.length)), float64(count(fade))
	for i := range samples {
		strength := min(1, float64(i)/edge, float64(len(samples)-1-i)/edge)
		swing := math.Sin(2 * math.Pi * n.hertz * float64(i) / sampleRate)
		samples[i] = int16(loudness * strength * swing * math.MaxInt16)
	}
	return samples
}

func count(length time.Duration) int { return int(length.Seconds() * sampleRate) }
