package wav_test

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"checkout/till/tui/sound/wav"
)

func ExampleEncode() {
	file := wav.Encode([]wav.Note{{Hertz: 440, Length: time.Second}})
	fmt.Printf("%s %s, %d bytes of sound\n", file[:4], file[8:12], binary.LittleEndian.Uint32(file[40:]))
	// Output: RIFF WAVE, 45864 bytes of sound
}

func TestANoteBeginsAndEndsInSilence(t *testing.T) {
	file := wav.Encode([]wav.Note{{Hertz: 440, Length: 100 * time.Millisecond}})
	sample := func(i int) int16 { return int16(binary.LittleEndian.Uint16(file[44+2*i:])) }
	const samples = 2205
	loudest := int16(0)
	for i := range samples {
		loudest = max(loudest, sample(i))
	}
	if sample(0) != 0 || sample(samples-1) != 0 || loudest < 10_000 {
		t.Errorf("begins with %d, ends with %d, at most %d", sample(0), sample(samples-1), loudest)
	}
	if int(binary.LittleEndian.Uint32(file[4:])) != len(file)-8 {
		t.Errorf("the file says %d of %d bytes", binary.LittleEndian.Uint32(file[4:]), len(file))
	}
}
