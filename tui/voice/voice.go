// Package voice says aloud that a payment was proven. The console does not wait for a sentence.
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

// Voice speaks a sentence when a payment was proven. A nil *Voice says nothing.
type Voice struct {
	speak   func(ctx context.Context, language, text string) error
	waiting chan sentence
}

type sentence struct{ language, text string }

// New returns a voice that speaks with the function speak, such as [Speaker.Speak].
func New(speak func(ctx context.Context, language, text string) error) *Voice {
	return &Voice{speak, make(chan sentence, 5)}
}

// Hear queues a sentence for a payment that was just proven. A full queue loses its oldest
// sentence. Only one goroutine may call Hear.
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
		default: // Run has just taken a sentence.
		}
	}
	// Any amount fits into 400 columns.
	v.waiting <- sentence{texts.Language, clean.Text(texts.Voice.Paid.With(amount), 400)}
}

// Run speaks the sentences one after the other until ctx ends, each for ten seconds at most. It
// ignores errors, because the screens show the payment, too.
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

// Find returns the first speaker program on the PATH, or "". system is a value of GOOS.
func Find(system string) Speaker {
	own := map[string][]string{"darwin": {"say"}, "windows": {"powershell"}}[system]
	for _, program := range append(own, "espeak-ng", "spd-say") {
		if _, err := exec.LookPath(program); err == nil {
			return Speaker(program)
		}
	}
	return ""
}

// Speak reads a text aloud, and returns at the end of the text or of ctx. language is "en", "fr" or
// "mg".
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

// calls returns the arguments for the calls to try in order. Malagasy texts get a French voice if
// the program has no Malagasy one. PowerShell gets the text in an environment variable, because it
// would run an argument as code.
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
