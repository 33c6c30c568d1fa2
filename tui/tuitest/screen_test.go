package tuitest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/tui/component/qr"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

const link = "https://pay.example.test/c/8f3kq"

func drawn(t *testing.T, width, height int) string {
	t.Helper()
	m, err := qr.New(link, theme.Theme{})
	if err != nil {
		t.Fatal(err)
	}
	return m.SetSize(width, height).View()
}

func TestCodesAreReadThatNeedARotatedPicture(t *testing.T) {
	for _, odd := range []string{
		"http://127.0.0.1:53338/c/KQDN7BUIZHYFFA6X7CQK", "http://127.0.0.1:43877/c/OLP42C64RSAA3IMAINB5",
		"http://127.0.0.1:43608/c/J7DERHO66REYA5E64KJV", "http://127.0.0.1:57461/c/HGOEZIFDHJAF2VROOZ4F",
	} {
		m, err := qr.New(odd, theme.Theme{})
		if err != nil {
			t.Fatal(err)
		}
		code, err := tuitest.Render(m.SetSize(80, 24).View(), 80, 24).Code()
		if err != nil {
			t.Fatal(err)
		}
		if text, err := code.Text(); err != nil || text != odd {
			t.Errorf("got %q, %v, want %q", text, err, odd)
		}
	}
}

func TestCodesThatCamerasCannotReadAreRejected(t *testing.T) {
	whole := drawn(t, 80, 15)
	lines := strings.Split(whole, "\n")
	swapped := strings.NewReplacer("38;5;16;48;5;231", "38;5;231;48;5;16").Replace(whole)
	tests := []struct {
		name, view string
		want       error
	}{
		{"no code", "PAID", tuitest.ErrNoCode},
		{"a code without its last rows", strings.Join(lines[:10], "\n"), tuitest.ErrBrokenCode},
		{"a code with text over it", whole + "\x1b[5;9H\x1b[0mPAID", tuitest.ErrBrokenCode},
		{"an inverted code", swapped, tuitest.ErrBrokenCode},
		{"the terminal's own colours", strings.ReplaceAll(whole, "38;5;16;48;5;231", "30;107"), tuitest.ErrNoCode},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tuitest.Render(tt.view, 80, 24).Code()
			if !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
	t.Run("a code without a quiet zone", func(t *testing.T) {
		var cut []string
		for _, line := range lines[1:14] {
			cut = append(cut, ansi.Cut(line, 2, 27)+"\x1b[0m")
		}
		code, err := tuitest.Render(strings.Join(cut, "\n"), 80, 24).Code()
		if err != nil {
			t.Fatal(err)
		}
		if text, err := code.Text(); err == nil || code.Quiet() != 0 {
			t.Errorf("read %q with a quiet zone of %d, want an error and 0", text, code.Quiet())
		}
	})
}
