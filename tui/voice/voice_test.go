package voice_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/voice"
)

func paid(amount money.Ariary) counter.Became {
	return counter.Became{Order: payments.Order{Amount: amount}, Verdict: payments.VerdictPaid}
}

// hear returns what the voice says about facts that happen at the same time.
func hear(t *testing.T, language string, facts ...counter.Fact) (said []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		speaks := voice.New(func(_ context.Context, language, text string) error {
			said = append(said, language+": "+text)
			return nil
		})
		for _, fact := range facts {
			speaks.Hear(i18n.Load(language), fact)
		}
		go speaks.Run(t.Context())
		synctest.Wait()
	})
	return said
}

func TestAPaymentIsSpokenInTheTillsLanguage(t *testing.T) {
	for language, want := range map[string]string{
		"en": "en: Paid, 9000 ariary", "fr": "fr: Payé, 9000 ariary", "mg": "mg: Voaloa, sivy arivo ariary",
	} {
		tuitest.Equal(t, hear(t, language, paid(9000)), []string{want}, "what it said")
	}
}

func TestNoAmountIsCutOff(t *testing.T) {
	const amount = money.MaxAriary - 1
	want := []string{"mg: Voaloa, " + voice.Malagasy(int64(amount)) + " ariary"}
	tuitest.Equal(t, hear(t, "mg", paid(amount)), want, "what it said")
}

func TestOnlyANewProofIsSpoken(t *testing.T) {
	order := payments.Order{Reference: "T1-1", Amount: 9000}
	for _, verdict := range payments.Verdicts() {
		if said := hear(t, "en", counter.Became{Order: order, Verdict: verdict}); len(said) > 0 != (verdict == payments.VerdictPaid) {
			t.Errorf("for an order that became %s it said %q", verdict, said)
		}
	}
	for name, fact := range map[string]counter.Fact{
		"a payment from before the start":     counter.Became{Order: order, Verdict: payments.VerdictPaid, Old: true},
		"a payment that was announced before": counter.Became{Order: order, Verdict: payments.VerdictPaid, Repeated: true},
		"a payment without an order":          counter.OrphanCame{},
		"an acknowledged payment":             counter.Acknowledged{Order: order},
		"a payment that the cashier left":     counter.OrderLeft{Paid: true},
	} {
		if said := hear(t, "en", fact); len(said) > 0 {
			t.Errorf("for %s it said %q", name, said)
		}
	}
}

func TestPaymentsAreSpokenInOrderAndOnlyTheLastFiveWait(t *testing.T) {
	var facts []counter.Fact
	var want []string
	for i := range 7 {
		facts = append(facts, paid(money.Ariary(i+1)))
		if i > 1 {
			want = append(want, fmt.Sprintf("en: Paid, %d ariary", i+1))
		}
	}
	tuitest.Equal(t, hear(t, "en", facts...), want, "what it said")
}

func TestASpeakerThatHangsIsEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var began []time.Duration
		start := time.Now()
		speaks := voice.New(func(ctx context.Context, _, _ string) error {
			began = append(began, time.Since(start))
			<-ctx.Done()
			return ctx.Err()
		})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			speaks.Run(ctx)
			close(ended)
		}()
		speaks.Hear(i18n.Load("en"), paid(1))
		speaks.Hear(i18n.Load("en"), paid(2))
		time.Sleep(15 * time.Second)
		synctest.Wait()
		tuitest.Equal(t, began, []time.Duration{0, 10 * time.Second}, "the times at which the speaker was started")
		stop() // The second speaker has not returned yet.
		<-ended
		tuitest.Equal(t, time.Since(start), 15*time.Second, "the time until the voice ended")
	})
}

func TestANilVoiceIsSilent(t *testing.T) {
	var silent *voice.Voice
	silent.Hear(i18n.Load("en"), paid(9000))
	silent.Run(t.Context())
}

func TestNumbersInMalagasyBeginWithTheUnits(t *testing.T) {
	for n, want := range map[int64]string{
		0: "aotra", 1: "iray", 2: "roa", 3: "telo", 4: "efatra", 5: "dimy", 6: "enina", 7: "fito", 8: "valo", 9: "sivy",
		10:                     "folo",
		11:                     "iraika ambin'ny folo",
		19:                     "sivy ambin'ny folo",
		21:                     "iraika amby roapolo",
		44:                     "efatra amby efapolo",
		66:                     "enina amby enimpolo",
		70:                     "fitopolo",
		80:                     "valopolo",
		99:                     "sivy amby sivifolo",
		101:                    "iraika amby zato",
		110:                    "folo amby zato",
		111:                    "iraika ambin'ny folo amby zato",
		157:                    "fito amby dimampolo amby zato",
		199:                    "sivy amby sivifolo amby zato",
		200:                    "roanjato",
		201:                    "iray sy roanjato",
		321:                    "iraika amby roapolo sy telonjato",
		400:                    "efajato",
		600:                    "eninjato",
		700:                    "fitonjato",
		1_001:                  "iray sy arivo",
		1_100:                  "zato sy arivo",
		1_234:                  "efatra amby telopolo sy roanjato sy arivo",
		1_500:                  "dimanjato sy arivo",
		1_998:                  "valo amby sivifolo sy sivinjato sy arivo",
		2_000:                  "roa arivo",
		3_500:                  "dimanjato sy telo arivo",
		11_000:                 "arivo sy iray alina",
		15_800:                 "valonjato sy dimy arivo sy iray alina",
		90_000:                 "sivy alina",
		150_301:                "iray sy telonjato sy dimy alina sy iray hetsy",
		2_500_000:              "dimy hetsy sy roa tapitrisa",
		25_000_000:             "dimy amby roapolo tapitrisa",
		1_000_000_000:          "iray lavitrisa",
		int64(money.MaxAriary): "arivo lavitrisa",
	} {
		tuitest.Equal(t, voice.Malagasy(n), want, "%d", n)
	}
}

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
