package drawer

import (
	"slices"

	"checkout/till/payments/money"
)

func banknotes() []money.Ariary {
	return []money.Ariary{100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000}
}

// Notes are Count banknotes of the value Note.
type Notes struct {
	Note  money.Ariary
	Count int64
}

// Change returns the banknotes for a sum, the largest first. If the sum is not a multiple of the
// smallest banknote, the last element is the remainder as one "note".
func Change(sum money.Ariary) (notes []Notes) {
	for _, note := range slices.Backward(banknotes()) {
		if count := sum / note; count > 0 {
			notes = append(notes, Notes{note, int64(count)})
			sum %= note
		}
	}
	if sum > 0 {
		notes = append(notes, Notes{sum, 1})
	}
	return notes
}

// LikelySums returns what a customer probably gives for a sum: the exact sum, then the sum rounded
// up to a multiple of each banknote from 1,000 Ar on, without repetitions.
func LikelySums(sum money.Ariary) []money.Ariary {
	given := []money.Ariary{sum}
	for _, note := range banknotes() {
		rounded := (sum + note - 1) / note * note
		if note >= 1_000 && rounded > given[len(given)-1] {
			given = append(given, rounded)
		}
	}
	return given
}
