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
	"time"

	"checkout/till/tui/sound"
)

// none is a machine without any program that plays.
func none(string) (string, error) { return "", errors.New("not found") }

// pauses counts the time that goes by instead of waiting for it.
func pauses(passed *time.Duration) sound.Option {
	return sound.WithPause(func(_ context.Context, length time.Duration) { *passed += length })
}

func TestTheBellTellsItsTunesApart(t *testing.T) {
	for name, tt := range map[string]struct {
		tune  sound.Tune
		bells int
	}{
		"paid": {sound.Paid, 2}, "not paid": {sound.Unpaid, 3}, "an alarm": {sound.Alarm, 5},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			var passed time.Duration
			sound.New(&out, none, sound.WithBell(), pauses(&passed)).Play(t.Context(), tt.tune)
			if got := bytes.Count(out.Bytes(), []byte("\a")); got != tt.bells || out.Len() != tt.bells {
				t.Errorf("%q, want %d bells", out.String(), tt.bells)
			}
			if passed < 200*time.Millisecond || passed > 1200*time.Millisecond {
				t.Errorf("the bells take %v", passed)
			}
		})
	}
}

func TestABellThatIsCutOffStops(t *testing.T) {
	var out bytes.Buffer
	ctx, stop := context.WithCancel(t.Context())
	sound.New(&out, none, sound.WithBell(), sound.WithPause(func(context.Context, time.Duration) { stop() })).Play(ctx, sound.Unpaid)
	if out.String() != "\a" {
		t.Errorf("%q, want one bell", out.String())
	}
}

func TestNobodyToPlayForIsSilence(t *testing.T) {
	sound.Speaker{}.Play(t.Context(), sound.Paid)
}

// machine has a program of a name that keeps what it reads, or fails.
func machine(t *testing.T, program string, code string) (find func(string) (string, error), heard string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	folder := t.TempDir()
	heard = filepath.Join(folder, "heard.wav")
	script := "#!/bin/sh\ncat >" + heard + "\nexit " + code + "\n"
	path := filepath.Join(folder, program)
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return func(asked string) (string, error) {
		if asked != program {
			return "", errors.New("not found")
		}
		return path, nil
	}, heard
}

func TestAMachineThatPlaysHearsATune(t *testing.T) {
	for _, program := range []string{"pw-play", "paplay", "aplay"} {
		t.Run(program, func(t *testing.T) {
			find, heard := machine(t, program, "0")
			var tunes [][]byte
			for _, tune := range []sound.Tune{sound.Paid, sound.Unpaid, sound.Alarm} {
				var out bytes.Buffer
				sound.New(&out, find).Play(t.Context(), tune)
				file, err := os.ReadFile(heard)
				if err != nil || out.Len() != 0 {
					t.Fatalf("heard %d bytes (%v), and %q of the bell", len(file), err, out.String())
				}
				tunes = append(tunes, file)
			}
			if bytes.Equal(tunes[0], tunes[1]) || bytes.Equal(tunes[1], tunes[2]) {
				t.Error("the two sound alike")
			}
			for _, tune := range tunes {
				if string(tune[:4]) != "RIFF" || string(tune[8:16]) != "WAVEfmt " ||
					int(binary.LittleEndian.Uint32(tune[4:])) != len(tune)-8 ||
					int(binary.LittleEndian.Uint32(tune[40:])) != len(tune)-44 {
					t.Errorf("no sound WAV file: % x", tune[:44])
				}
			}
		})
	}
}

func TestAPlayerThatFailsLeavesTheBell(t *testing.T) {
	find, _ := machine(t, "aplay", "1")
	var out bytes.Buffer
	var passed time.Duration
	sound.New(&out, find, pauses(&passed)).Play(t.Context(), sound.Paid)
	if out.String() != "\a\a" {
		t.Errorf("%q, want the bell", out.String())
	}
}

func TestTheBellCanBeChosen(t *testing.T) {
	find, heard := machine(t, "aplay", "0")
	var out bytes.Buffer
	var passed time.Duration
	sound.New(&out, find, sound.WithBell(), pauses(&passed)).Play(t.Context(), sound.Paid)
	if _, err := os.Stat(heard); err == nil || out.Len() == 0 {
		t.Error("something was played")
	}
}

func ExampleNew() {
	speaker := sound.New(io.Discard, none, sound.WithBell())
	speaker.Play(context.Background(), sound.Paid)
	// Output:
}
