package voice_test

import (
	"context"
	"fmt"
	"slices"
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

// paid returns the fact that a payment is proven.
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
		if said := hear(t, language, paid(9000)); !slices.Equal(said, []string{want}) {
			t.Errorf("it said %q, want %q", said, want)
		}
	}
}

func TestNoAmountIsCutOff(t *testing.T) {
	const amount = money.MaxAriary - 1
	want := []string{"mg: Voaloa, " + voice.Malagasy(int64(amount)) + " ariary"}
	if said := hear(t, "mg", paid(amount)); !slices.Equal(said, want) {
		t.Errorf("it said %q, want %q", said, want)
	}
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
	if said := hear(t, "en", facts...); !slices.Equal(said, want) {
		t.Errorf("it said %q, want %q", said, want)
	}
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
		if want := []time.Duration{0, 10 * time.Second}; !slices.Equal(began, want) {
			t.Errorf("the speaker was started after %v, want %v", began, want)
		}
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
