package figures_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"checkout/till/tui/component/figures"
)

func ExampleDraw() {
	for _, row := range figures.Draw("9 000 Ar", 40, 3) {
		fmt.Println(strings.TrimRight(row, " "))
	}
	// Output:
	// █▀█   █▀█ █▀█ █▀█   █▀█
	// ▀▀█   █ █ █ █ █ █   █▀█ █▀
	// ▀▀▀   ▀▀▀ ▀▀▀ ▀▀▀   ▀ ▀ ▀
}

func TestEveryFigureIsItsOwn(t *testing.T) {
	var seen []string
	for _, char := range "0123456789Ar " {
		rows := figures.Draw(string(char), 80, 3)
		shape := strings.Join(rows, "\n")
		if len(rows) != 3 || slices.Contains(seen, shape) {
			t.Errorf("%q is drawn as\n%s", char, shape)
		}
		seen = append(seen, shape)
	}
}

func TestFiguresFillTheRoomTheyHave(t *testing.T) {
	const text = "10\u00a0500\u00a0Ar" // 30 pixels wide.
	tests := []struct {
		name                         string
		width, height, columns, rows int
	}{
		{"the smallest", 30, 3, 30, 3},
		{"no smaller than that in width", 29, 9, 0, 0},
		{"no smaller than that in height", 99, 2, 0, 0},
		{"twice as large", 60, 5, 60, 5},
		{"not quite twice as wide", 59, 5, 30, 3},
		{"not quite twice as high", 60, 4, 30, 3},
		{"never larger than four times", 500, 500, 120, 10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows := figures.Draw(text, tt.width, tt.height)
			if len(rows) != tt.rows {
				t.Fatalf("%d rows, want %d", len(rows), tt.rows)
			}
			for _, row := range rows {
				if got := utf8.RuneCountInString(row); got != tt.columns {
					t.Errorf("%d columns, want %d", got, tt.columns)
				}
			}
		})
	}
}

func TestWhatCannotBeDrawnIsNotDrawnInPart(t *testing.T) {
	for _, text := range []string{"", "9 000 €", "-5", "\x1b[2J"} {
		if rows := figures.Draw(text, 80, 24); rows != nil {
			t.Errorf("%q is drawn as\n%s", text, strings.Join(rows, "\n"))
		}
	}
}
