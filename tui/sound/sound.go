// Package sound tells a cashier who looks elsewhere that a payment came, or did
// not: by a tune of its own for each where the machine can play one, and by the
// terminal's bell otherwise. It guarantees that the tunes differ by their number
// of notes and not by their pitch alone, and that a machine without sound loses
// nothing but the sound.
package sound

import (
	"context"
	"encoding/binary"
	"io"
	"math"
	"time"
)

// Tune is what is played.
type Tune int

// The tunes, the most important one first.
const (
	Alarm  Tune = iota // A person must look: something came that no order has.
	Paid               // A payment came.
	Unpaid             // It did not.
)

// player plays a WAV file, and returns when it is over.
type player func(ctx context.Context, file []byte) error

// New returns what plays a tune, and returns when it is over or ctx ends. It plays by
// the system or by a program that find (as [os/exec.LookPath]) knows, and by the bell
// of a terminal otherwise; without find by the bell alone.
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

// note is one tone.
type note struct {
	hertz  float64
	length time.Duration
}

// notes are two rising ones for a payment, three low ones for none, and five
// that go up and down for an alarm.
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

const sampleRate = 22_050 // Samples a second, of one channel.

// encode returns notes, one after the other, as a WAV file of one channel with
// 16 bits a sample.
func encode(notes []note) []byte {
	const gap = 40 * time.Millisecond
	var samples []int16
	for _, note := range notes {
		samples = append(samples, note.samples()...)
		samples = append(samples, make([]int16, count(gap))...)
	}
	const header, bytesASample = 44, 2
	size := uint32(len(samples) * bytesASample) //nolint:gosec // A second of sound.
	var file []byte
	for _, field := range []any{
		[]byte("RIFF"), header - 8 + size,
		[]byte("WAVEfmt "), uint32(16), // The size of the format's description.
		uint16(1), uint16(1), // Plain samples, of one channel.
		uint32(sampleRate), uint32(sampleRate * bytesASample), uint16(bytesASample), uint16(8 * bytesASample),
		[]byte("data"), size, samples,
	} {
		file, _ = binary.Append(file, binary.LittleEndian, field) // All of these have a size.
	}
	return file
}

// samples are those of the note, which begins and ends in silence: it does not click.
func (n note) samples() []int16 {
	const loudness, fade = 0.5, 10 * time.Millisecond // Of what a sample can hold; at both ends.
	samples, edge := make([]int16, count(n.length)), float64(count(fade))
	for i := range samples {
		strength := min(1, float64(i)/edge, float64(len(samples)-1-i)/edge)
		swing := math.Sin(2 * math.Pi * n.hertz * float64(i) / sampleRate)
		samples[i] = int16(loudness * strength * swing * math.MaxInt16)
	}
	return samples
}

func count(length time.Duration) int { return int(length.Seconds() * sampleRate) }
