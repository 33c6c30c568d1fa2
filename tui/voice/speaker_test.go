package voice_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
	"checkout/till/tui/voice"
)

// install creates a program with a script on an otherwise empty PATH. The script may write to the
// file $heard.
func install(t *testing.T, program, script string) (heard string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	folder := t.TempDir()
	t.Setenv("PATH", folder)
	heard = filepath.Join(folder, "heard")
	tuitest.Must(t, os.WriteFile(filepath.Join(folder, program), []byte("#!/bin/sh\nheard="+heard+"\n"+script), 0o700))
	return heard
}

// writes is a script that writes "call" and then each of its arguments to $heard, one in each line.
const writes = `echo call >>"$heard"; for word; do printf '%s\n' "$word" >>"$heard"; done` + "\n"

func TestASpeakerGetsTheTextAfterItsOptions(t *testing.T) {
	for name, tt := range map[string]struct{ program, script, language, want string }{
		"French":                         {"espeak-ng", writes, "fr", "call -v fr -- TEXT"},
		"English":                        {"espeak-ng", writes, "en", "call -v en -- TEXT"},
		"a Malagasy voice":               {"espeak-ng", writes, "mg", "call -v mg -- TEXT"},
		"no Malagasy voice":              {"espeak-ng", writes + `test "$2" = fr`, "mg", "call -v mg -- TEXT call -v fr -- TEXT"},
		"speech-dispatcher":              {"spd-say", writes, "mg", "call --wait --language fr -- TEXT"},
		"macOS":                          {"say", writes, "fr", "call -v Thomas -- TEXT"},
		"macOS without the French voice": {"say", writes + `test "$1" = --`, "fr", "call -v Thomas -- TEXT call -- TEXT"},
	} {
		t.Run(name, func(t *testing.T) {
			heard := install(t, tt.program, tt.script)
			const text = "-f /etc/passwd; $(id) `id` \"$HOME\" 'é'"
			tuitest.Must(t, voice.Speaker(tt.program).Speak(t.Context(), tt.language, text))
			written, err := os.ReadFile(heard)
			tuitest.Must(t, err)
			want := strings.ReplaceAll(strings.ReplaceAll(tt.want, " ", "\n"), "TEXT", text) + "\n"
			tuitest.Equal(t, string(written), want, "the arguments of the program")
		})
	}
}

func TestARealSpeakerThatHangsEndsWithItsContext(t *testing.T) {
	heard := install(t, "espeak-ng", writes+"exec /bin/sleep 1000\n")
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	began := time.Now()
	if err := voice.Find("linux").Speak(ctx, "mg", "Voaloa"); err == nil || time.Since(began) > time.Minute {
		t.Errorf("the speaker ended after %v with %v", time.Since(began), err)
	}
	written, _ := os.ReadFile(heard) // Ignore the error, because the speaker may have been stopped before it wrote the file.
	if calls := strings.Count(string(written), "call"); calls > 1 {
		t.Errorf("the speaker was called %d times", calls)
	}
}

func TestEachSystemHasItsSpeakers(t *testing.T) {
	for name, tt := range map[string]struct {
		system, program string
		want            voice.Speaker
	}{
		"Linux":                  {"linux", "espeak-ng", "espeak-ng"},
		"Linux without espeak":   {"linux", "spd-say", "spd-say"},
		"another program":        {"linux", "say", ""},
		"FreeBSD":                {"freebsd", "espeak-ng", "espeak-ng"},
		"macOS":                  {"darwin", "say", "say"},
		"Windows":                {"windows", "powershell", "powershell"},
		"Windows with espeak-ng": {"windows", "espeak-ng", "espeak-ng"},
	} {
		t.Run(name, func(t *testing.T) {
			install(t, tt.program, "")
			tuitest.Equal(t, voice.Find(tt.system), tt.want, "the speaker")
		})
	}
}

func TestAMachineWithoutASpeakerIsSilent(t *testing.T) {
	if err := voice.Speaker("").Speak(t.Context(), "fr", "Payé"); err != nil {
		t.Error(err)
	}
}

// PowerShell runs its arguments as code, so the text must not be in the arguments.
func TestPowerShellGetsTheTextInAVariable(t *testing.T) {
	heard := install(t, "powershell", writes+`echo "SPEECH $SPEECH" >>"$heard"`+"\n")
	tuitest.Must(t, voice.Find("windows").Speak(t.Context(), "mg", "'; calc; '"))
	written, err := os.ReadFile(heard)
	tuitest.Must(t, err)
	arguments, variable, _ := strings.Cut(string(written), "SPEECH '; ")
	if variable != "calc; '\n" || strings.Contains(arguments, "calc") || !strings.Contains(arguments, "'fr-FR'") {
		t.Errorf("the program got\n%s", written)
	}
}
