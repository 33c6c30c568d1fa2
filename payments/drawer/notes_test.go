package drawer_test

import (
	"slices"
	"testing"

	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
)

func TestWhatACustomerProbablyGives(t *testing.T) {
	for sum, want := range map[money.Ariary][]money.Ariary{
		12_500: {12_500, 13_000, 14_000, 15_000, 20_000},
		20_000: {20_000},
		1:      {1, 1_000, 2_000, 5_000, 10_000, 20_000},
		41_000: {41_000, 42_000, 45_000, 50_000, 60_000},
	} {
		if got := drawer.LikelySums(sum); !slices.Equal(got, want) {
			t.Errorf("for %d got %v, want %v", sum, got, want)
		}
	}
}

func TestTheChangeIsMadeOfBanknotes(t *testing.T) {
	for sum, want := range map[money.Ariary][]drawer.Notes{
		7_500: {{5_000, 1}, {2_000, 1}, {500, 1}}, 0: nil, 150: {{100, 1}, {50, 1}}, 44_000: {{20_000, 2}, {2_000, 2}},
		301_762_042_200: {{20_000, 15_088_102}, {2_000, 1}, {200, 1}},
	} {
		if got := drawer.Change(sum); !slices.Equal(got, want) {
			t.Errorf("for %d got %v, want %v", sum, got, want)
		}
	}
}
