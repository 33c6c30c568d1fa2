package sound_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/sound"
	"checkout/till/tui/tuitest"
)

func none(string) (string, error) { return "", errors.New("not found") }

func TestEachTuneHasItsNumberOfBells(t *testing.T) {
	for name, tt := range map[string]struct {
		tune  sound.Tune
		bells int
	}{
		"paid": {sound.Paid, 2}, "not paid": {sound.Unpaid, 3}, "an alarm": {sound.Alarm, 5},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			began := time.Now()
			sound.New(&out, none)(t.Context(), tt.tune)
			passed := time.Since(began)
			if got := bytes.Count(out.Bytes(), []byte("\a")); got != tt.bells || out.Len() != tt.bells {
				t.Errorf("%s: %q, want %d bells", name, out.String(), tt.bells)
			}
			if passed < 200*time.Millisecond || passed > 1200*time.Millisecond {
				t.Errorf("%s: the bells take %v", name, passed)
			}
		})
	}
}

func TestTheBellStopsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer stop()
		sound.New(&out, nil)(ctx, sound.Unpaid)
		tuitest.Equal(t, out.String(), "\a", "the bells")
	})
}

// machine installs a player that saves its input to the file heard and exits with the code. The
// function find finds only this player.
func machine(t *testing.T, program string, code string) (find func(string) (string, error), heard string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	folder := t.TempDir()
	heard = filepath.Join(folder, "heard.wav")
	script := "#!/bin/sh\ncat >" + heard + "\nexit " + code + "\n"
	path := filepath.Join(folder, program)
	tuitest.Must(t, os.WriteFile(path, []byte(script), 0o700))
	return func(asked string) (string, error) {
		if asked != program {
			return "", errors.New("not found")
		}
		return path, nil
	}, heard
}

func TestAPlayerGetsAWAVFile(t *testing.T) {
	for _, program := range []string{"pw-play", "paplay", "aplay"} {
		t.Run(program, func(t *testing.T) {
			find, heard := machine(t, program, "0")
			var tunes [][]byte
			for _, tune := range []sound.Tune{sound.Paid, sound.Unpaid, sound.Alarm} {
				var out bytes.Buffer
				sound.New(&out, find)(t.Context(), tune)
				file, err := os.ReadFile(heard)
				if err != nil || out.Len() != 0 {
					t.Fatalf("the player got %d bytes (%v) and the bell wrote %q", len(file), err, out.String())
				}
				tunes = append(tunes, file)
			}
			if bytes.Equal(tunes[0], tunes[1]) || bytes.Equal(tunes[1], tunes[2]) {
				t.Error("two tunes are equal")
			}
			for _, tune := range tunes {
				if string(tune[:4]) != "RIFF" || string(tune[8:16]) != "WAVEfmt " ||
					int(binary.LittleEndian.Uint32(tune[4:])) != len(tune)-8 ||
					int(binary.LittleEndian.Uint32(tune[40:])) != len(tune)-44 {
					t.Errorf("the WAV header is invalid: % x", tune[:44])
				}
			}
		})
	}
}

func TestANoteBeginsAndEndsSilently(t *testing.T) {
	find, heard := machine(t, "aplay", "0")
	sound.New(io.Discard, find)(t.Context(), sound.Paid)
	file, err := os.ReadFile(heard)
	tuitest.Must(t, err)
	sample := func(i int) int16 { return int16(binary.LittleEndian.Uint16(file[44+2*i:])) }
	const samples = 3087 // Number of samples of the first note, which takes 140 ms.
	loudest := int16(0)
	for i := range samples {
		loudest = max(loudest, sample(i))
	}
	if sample(0) != 0 || sample(samples-1) != 0 || loudest < 10_000 {
		t.Errorf("the note begins with %d, ends with %d and has the peak %d", sample(0), sample(samples-1), loudest)
	}
}

func TestAFailedPlayerIsReplacedByTheBell(t *testing.T) {
	find, _ := machine(t, "aplay", "1")
	var out bytes.Buffer
	sound.New(&out, find)(t.Context(), sound.Paid)
	tuitest.Equal(t, out.String(), "\a\a", "the bells")
}

func TestEachFactHasItsTune(t *testing.T) {
	order := payments.Order{Reference: "T1-1"}
	for name, c := range map[string]struct {
		fact counter.Fact
		tune sound.Tune
		ring bool
	}{
		"a payment":                           {counter.Became{Order: order, Verdict: payments.VerdictPaid}, sound.Paid, true},
		"a payment that was reported before":  {counter.Became{Order: order, Verdict: payments.VerdictPaid, Repeated: true}, sound.Paid, false},
		"a payment from before the start":     {counter.Became{Order: order, Verdict: payments.VerdictPaid, Old: true}, sound.Paid, true},
		"a refusal":                           {counter.Became{Order: order, Verdict: payments.VerdictNotPaid}, sound.Unpaid, true},
		"a payment without an order":          {counter.OrphanCame{}, sound.Alarm, true},
		"an order that the cashier left":      {counter.NotOffered{Order: order}, sound.Unpaid, true},
		"an order that the cashier waits for": {counter.NotOffered{Order: order, Waited: true}, sound.Unpaid, false},
		"an order that was not stored":        {counter.NotOffered{}, sound.Unpaid, false},
		"new articles":                        {counter.ArticlesRead{}, sound.Alarm, false},
	} {
		if tune, ring := sound.Of(c.fact); ring != c.ring || ring && tune != c.tune {
			t.Errorf("for %s got ring %v and tune %v", name, ring, tune)
		}
	}
}
