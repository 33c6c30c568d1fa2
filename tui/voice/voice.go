// Package voice says aloud that a payment was proven, and nothing else. The console never waits for
// a sentence. A speaker program cannot mistake the text for an option or a command.
package voice

import (
	"context"
	"os/exec"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/tui/counter"
)

// Voice speaks a sentence for each proven payment. A nil *Voice says nothing.
type Voice struct {
	speak   func(ctx context.Context, language, text string) error
	waiting chan sentence
}

type sentence struct{ language, text string }

// New returns a voice that speaks with the function speak, usually [Speaker.Speak]. At most five
// sentences wait to be spoken.
func New(speak func(ctx context.Context, language, text string) error) *Voice {
	return &Voice{speak, make(chan sentence, 5)}
}

// Hear queues a sentence for a payment that was just proven. It ignores every other fact. If the
// queue is full, Hear drops the oldest sentence. Only one goroutine may call Hear.
func (v *Voice) Hear(texts i18n.Texts, fact counter.Fact) {
	became, is := fact.(counter.Became)
	if v == nil || !is || became.Verdict != payments.VerdictPaid || became.Old || became.Repeated {
		return
	}
	amount := became.Order.Amount.String()
	if texts.Language == "mg" {
		amount = malagasy(int64(became.Order.Amount))
	}
	if len(v.waiting) == cap(v.waiting) {
		select {
		case <-v.waiting:
		default: // Run has just taken a sentence, so the queue has room.
		}
	}
	// Any amount fits into 400 columns.
	v.waiting <- sentence{texts.Language, clean.Text(texts.Voice.Paid.With(amount), 400)}
}

// Run speaks the sentences one after the other until ctx ends. It stops a sentence that takes
// longer than ten seconds. It ignores errors, because the screens also show the payment.
func (v *Voice) Run(ctx context.Context) {
	for v != nil {
		select {
		case next := <-v.waiting:
			limited, cancel := context.WithTimeout(ctx, 10*time.Second)
			_ = v.speak(limited, next.language, next.text)
			cancel()
		case <-ctx.Done():
			return
		}
	}
}

// Speaker is the name of a program that speaks texts.
type Speaker string

// Find returns the name of the first speaker program on the PATH, or "" if the machine has none.
// system is a value of GOOS, such as "darwin".
func Find(system string) Speaker {
	own := map[string][]string{"darwin": {"say"}, "windows": {"powershell"}}[system]
	for _, program := range append(own, "espeak-ng", "spd-say") {
		if _, err := exec.LookPath(program); err == nil {
			return Speaker(program)
		}
	}
	return ""
}

// Speak runs the speaker to read a text aloud, and returns when the speaker has ended. If ctx ends,
// Speak stops the speaker. language is "en", "fr" or "mg".
func (s Speaker) Speak(ctx context.Context, language, text string) (err error) {
	for _, arguments := range s.calls(language, text) {
		command := exec.CommandContext(ctx, string(s), arguments...) //nolint:gosec // A program of Find, run without a shell.
		command.Env = append(command.Environ(), "SPEECH="+text)
		if err = command.Run(); err == nil {
			return nil
		}
	}
	return err
}

// calls returns the arguments for the speaker: one list for each call, which are tried in order
// until one succeeds. If the speaker has no Malagasy voice, a French one is tried. PowerShell would
// run an argument as code, so it gets the text in an environment variable.
func (s Speaker) calls(language, text string) [][]string {
	nearest, voice := "fr-FR", "Thomas"
	if language == "en" {
		nearest, voice = "en-US", "Samantha"
	}
	return map[Speaker][][]string{
		"espeak-ng": {{"-v", language, "--", text}, {"-v", nearest[:2], "--", text}},
		"spd-say":   {{"--wait", "--language", nearest[:2], "--", text}},
		"say":       {{"-v", voice, "--", text}, {"--", text}},
		"powershell": {{"-NoProfile", "-NonInteractive", "-Command", "Add-Type -AssemblyName System.Speech; " +
			"$voice = New-Object System.Speech.Synthesis.SpeechSynthesizer; " +
			"$voice.SelectVoiceByHints('NotSet', 'NotSet', 0, '" + nearest + "'); $voice.Speak($env:SPEECH)"}},
	}[s]
}
