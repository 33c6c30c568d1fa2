package voice_test

import (
	"testing"

	"checkout/till/payments/money"
	"checkout/till/tui/voice"
)

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
		if got := voice.Malagasy(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
