package figures_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func TestLettersHaveTheirShapes(t *testing.T) {
	plain, ascii := theme.Plain(), theme.Plain()
	ascii.Charset = theme.ASCII
	lines := theme.Theme{Charset: theme.Lines}
	tests := []struct {
		name   string
		styles theme.Theme
		text   string
		high   int
		want   []string
	}{
		{"an amount", plain, "25 600 Ar", 5, []string{
			"▄████▄  ██████    ▄████▄  ▄████▄  ▄████▄",
			"▀▀  ██  ██▄▄▄     ██      ██  ██  ██  ██",
			" ▄▄██▀  ▀▀▀▀██    █████▄  ██  ██  ██  ██",
			"██▀▀    ▄▄  ██    ██  ██  ██  ██  ██  ██",
			"██████  ▀████▀    ▀████▀  ▀████▀  ▀████▀ Ar",
		}},
		{"a small amount", plain, "12 000 Ar", 3, []string{
			"▄█  ▀▀▀█  █▀▀█ █▀▀█ █▀▀█",
			" █  █▀▀▀  █  █ █  █ █  █",
			"▄█▄ █▄▄▄  █▄▄█ █▄▄█ █▄▄█ Ar",
		}},
		{"a time", plain, "8:47", 3, []string{"█▀▀█ ▄ █  █ ▀▀▀█", "█▀▀█   ▀▀▀█    █", "█▄▄█ ▀    █    █"}},
		{"an accent is drawn a row above", plain, "é", 5, []string{"  ▄▀", "██████", "██", "█████", "██", "██████"}},
		{"an accent above small letters", plain, "payé", 3, []string{"                 ▄▀", "█▀▀█ █▀▀█ █   █ █▀▀▀", "█▀▀▀ █▀▀█  ▀▄▀  █▀▀", "█    █  █   █   █▄▄▄"}},
		{"words", plain, "! a", 5, []string{
			"██    ▄████▄", "██    ██  ██", "██    ██████", "      ██  ██", "██    ██  ██",
		}},
		{"twice as large", plain, "r", 10, []string{
			"██████████", "████████████", "████    ████", "████    ████", "████████████", "██████████",
			"██████████", "████  ██████", "████    ████", "████    ████",
		}},
		{"an accent of larger letters is as large", plain, "é", 10, []string{
			"      ██", "    ██", "████████████", "████████████", "████", "████", "██████████",
			"██████████", "████", "████", "████████████", "████████████",
		}},
		{"without half blocks", lines, "2é", 5, []string{
			"           █", " ████   ██████", "██  ██  ██", "   ███  █████", "████    ██", "██████  ██████",
		}},
		{"signs without half blocks have their gap", lines, "!?", 5, []string{
			"██   ████", "██  ██  ██", "██     ███", "", "██    ██",
		}},
		{"a small amount without half blocks has lines", lines, "1 230 Ar", 3, []string{
			"═╗   ═══╗ ═══╗ ╔══╗", " ║   ╔══╝  ══╣ ║  ║", "═╩═  ╚═══ ═══╝ ╚══╝ Ar",
		}},
		{"small words without half blocks are text", lines, "PAID", 3, []string{"", "PAID", ""}},
		{"small ones in ASCII are text", ascii, "500 Ar", 3, []string{"", "500 Ar", ""}},
		{"a medium amount", plain, "17 Ar", figures.Medium, []string{
			"  ▄███      █████████", "▄█████      ▀▀▀▀▀▀███", "▀▀▀███           ▄███", "   ███          ▄███▀",
			"   ███         ▄███▀", "   ███         ███", "▄▄▄███▄▄▄      ███", "█████████      ███    Ar",
		}},
		{"medium letters", plain, "PAID", figures.Medium, nil},
		{"a medium amount without half blocks", lines, "17 Ar", figures.Medium, nil},
		{"a character without a shape", plain, "9 €", 5, nil},
		{"a character without a shape and without half blocks", lines, "A&B", 5, nil},
		{"an empty text", plain, "", 5, nil},
	}
	for _, tt := range tests {
		var got []string
		for _, row := range figures.Draw(tt.styles, tt.text, tt.high) {
			got = append(got, strings.TrimRight(row, " "))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

func TestFitReturnsTheLargestSize(t *testing.T) {
	for _, tt := range []struct{ width, height, rows int }{
		{43, 5, 5}, {42, 5, 3}, {86, 10, 10}, {86, 9, 5}, {200, 14, 10}, {27, 5, 0}, {28, 5, 3}, {28, 2, 0}, {200, 4, 3},
	} {
		t.Run(fmt.Sprintf("%dx%d", tt.width, tt.height), func(t *testing.T) {
			rows := figures.Fit(theme.Plain(), "25 600 Ar", tt.width, tt.height)
			tuitest.Equal(t, len(rows), tt.rows, "rows")
			for _, row := range rows {
				if theme.Width(row) != theme.Width(rows[0]) || theme.Width(row) > tt.width {
					t.Errorf("a row is %d wide: %q", theme.Width(row), row)
				}
			}
		})
	}
}

func TestEveryLetterHasAShape(t *testing.T) {
	for _, letter := range "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ÉÈÊÀÂÔÎÛÙÇË✓✗!?:'-" {
		for _, high := range []int{figures.Small, figures.Large} {
			rows := figures.Draw(theme.Plain(), "a"+string(letter), high)
			if len(rows) < high || len(rows) > high+1 {
				t.Fatalf("%c has %d rows, want %d", letter, len(rows), high)
			}
			for _, row := range rows {
				if theme.Width(row) != theme.Width(rows[0]) {
					t.Errorf("%c has rows of different widths:\n%s", letter, strings.Join(rows, "\n"))
				}
			}
		}
	}
}
