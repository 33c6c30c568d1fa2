// Package wav writes tones as a sound file. It guarantees a file that every
// player reads, without a click at the ends of its notes.
package wav

import (
	"encoding/binary"
	"math"
	"time"
)

const (
	sampleRate = 22_050 // Samples a second, of one channel.
	loudness   = 0.5    // Of what a sample can hold.
	gap        = 40 * time.Millisecond
	fade       = 10 * time.Millisecond // At both ends of a note, so that it does not click.
)

// Note is one tone.
type Note struct {
	Hertz  float64
	Length time.Duration
}

// Encode returns notes, one after the other, as a WAV file of one channel with
// 16 bits a sample.
func Encode(notes []Note) []byte {
	var samples []int16
	for _, note := range notes {
		samples = append(samples, tone(note)...)
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

func tone(note Note) []int16 {
	samples := make([]int16, count(note.Length))
	edge := float64(count(fade))
	for i := range samples {
		strength := min(1, float64(i)/edge, float64(len(samples)-1-i)/edge)
		swing := math.Sin(2 * math.Pi * note.Hertz * float64(i) / sampleRate)
		samples[i] = int16(loudness * strength * swing * math.MaxInt16)
	}
	return samples
}

func count(length time.Duration) int { return int(length.Seconds() * sampleRate) }
