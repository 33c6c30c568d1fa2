package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/term"

	"checkout/till/payments/barcode"
	"checkout/till/tui/keyboard"
)

// scanEnd is the pause after which a code without an end key is complete.
const scanEnd = 500 * time.Millisecond

// testScanner prints for each scanned code whether the scanner is set up correctly.
func (a *App) testScanner(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	line := "\n"
	file, is := a.In.(*os.File)
	if is && !IsTerminal(a.In) && !piped(file) {
		return errors.New(a.Texts.Shell.ScannerTerminal)
	}
	if is && IsTerminal(a.In) {
		before, err := term.MakeRaw(int(file.Fd()))
		if err != nil {
			return err
		}
		defer func() { _ = term.Restore(int(file.Fd()), before) }()
		line = "\r\n"
	}
	say := func(rows ...string) { _, _ = io.WriteString(a.Out, strings.Join(rows, line)+line) }
	say(a.Texts.Scanner.Begin)
	strokes := make(chan keyboard.Stroke)
	ended := make(chan error, 1)
	go func() {
		ended <- keyboard.NewReader(a.In, a.Now).Run(ctx, func(msg tea.Msg) {
			stroke, pressed := msg.(keyboard.Stroke)
			if !pressed {
				return
			}
			select {
			case strokes <- stroke:
			case <-ctx.Done():
			}
		})
	}()
	var burst keyboard.Burst
	for {
		var silence <-chan time.Time
		if burst.Text != "" {
			silence = time.After(scanEnd)
		}
		select {
		case err := <-ended:
			if burst.Text != "" {
				say(a.scanFindings(burst, "", burst.Last)...)
			}
			return err
		case <-silence:
			say(a.scanFindings(burst, "", burst.Last)...)
			burst = keyboard.Burst{}
		case stroke := <-strokes:
			switch name := stroke.Key.String(); {
			case keyboard.Ends(stroke.Key) && burst.Text != "":
				say(a.scanFindings(burst, name, stroke.At)...)
				burst = keyboard.Burst{}
			case name == "esc" || name == "ctrl+c":
				return nil
			default:
				burst = burst.Add(string(stroke.Key.Runes), stroke.At)
			}
		}
	}
}

// piped reports whether a file is a pipe. Tests use one instead of a terminal.
func piped(file *os.File) bool {
	about, err := file.Stat()
	return err == nil && about.Mode()&os.ModeNamedPipe != 0
}

// scanFindings describes a scanned code and what to change in the scanner's setup. end is the name
// of the key that ended the code, or blank.
func (a *App) scanFindings(burst keyboard.Burst, end string, at time.Time) []string {
	words := a.Texts.Scanner
	gap := burst.Gap(at)
	rows := []string{
		"", words.Came.With(strconv.Quote(burst.Text), cmp.Or(a.Texts.KeyNames.Of(end), words.Nothing), gap.Milliseconds()),
		words.Code.With(CleanLabel(barcode.Canonical(burst.Code()))),
	}
	sound := len(rows)
	if end == "" {
		rows = append(rows, words.NoEnd)
	}
	if gap >= keyboard.ScannerGap {
		rows = append(rows, words.Slow)
	}
	if burst.French() {
		rows = append(rows, words.French)
	}
	if len(rows) == sound {
		rows = append(rows, words.Fine)
	}
	return rows
}
