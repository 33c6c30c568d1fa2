package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"slices"
	"strings"

	"golang.org/x/term"

	"checkout/till/payments/drawer"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
)

// AskPIN asks for a PIN, which a terminal does not echo. A PIN is never a command-line argument,
// because other users can see the arguments of a process.
func (a *App) AskPIN(ctx context.Context, prompt string) (secret.Text, error) {
	text, err := a.ask(ctx, prompt+" ", true)
	if errors.Is(err, io.EOF) {
		err = errors.New(a.Texts.Shell.NeedsPIN)
	}
	return secret.New(text), err
}

// NewPIN asks for a cashier's new PIN. At a terminal, it asks twice, and again if the PIN is
// invalid or the answers differ. If it failed instead, a person might type the next PIN into the
// shell, which shows and keeps it.
func (a *App) NewPIN(ctx context.Context, name string) (secret.Text, error) {
	words := a.Texts.Shell
	for {
		pin, err := a.AskPIN(ctx, words.NewPIN.With(CleanLabel(name), staff.MinPIN, staff.MaxPIN))
		if err != nil || !IsTerminal(a.In) {
			return pin, err
		}
		if err := staff.CheckPIN(pin); err != nil {
			a.Say("%s", a.Explain(err))
			continue
		}
		again, err := a.AskPIN(ctx, words.SamePIN)
		if err != nil || again == pin {
			return pin, err
		}
		a.Say("%s", words.TwoPINs)
	}
}

// Agrees asks a question until the answer is yes or no, and reports whether it is yes. A blank
// answer means no. At the end of the input, Agrees returns an error.
func (a *App) Agrees(ctx context.Context, question string) (bool, error) {
	words := a.Texts.Plain
	for {
		answer, err := a.ask(ctx, wrapped(a.Err, fmt.Sprintf("%s %s [%s]", question, words.YesNo, words.No[0]))+" ", false)
		answer = strings.ToLower(answer)
		switch {
		case errors.Is(err, io.EOF):
			return false, errors.New(a.Texts.Shell.NeedsAnswer)
		case err != nil:
			return false, err
		case slices.Contains(words.Yes[:], answer):
			return true, nil
		case answer == "" || slices.Contains(words.No[:], answer):
			return false, nil
		}
	}
}

// Confirm asks a question. If the answer is no, it returns an error with the text refused.
func (a *App) Confirm(ctx context.Context, question, refused string) error {
	agreed, err := a.Agrees(ctx, question)
	if err == nil && !agreed {
		err = errors.New(refused)
	}
	return err
}

// ask reads a line from the input. If hidden is true, a terminal does not echo the line.
func (a *App) ask(ctx context.Context, prompt string, hidden bool) (string, error) {
	file, _ := a.In.(*os.File)
	if !IsTerminal(a.In) {
		return a.readLine()
	}
	_, _ = fmt.Fprint(a.Err, prompt)
	before, err := term.GetState(int(file.Fd()))
	if err != nil {
		return "", fmt.Errorf("ask at the terminal: %w", err)
	}
	read := a.readLine
	if hidden {
		read = func() (string, error) {
			line, err := term.ReadPassword(int(file.Fd()))
			_, _ = fmt.Fprintln(a.Err)
			return strings.TrimSpace(string(line)), err
		}
	}
	var text string
	typed := make(chan struct{})
	go func() {
		defer close(typed)
		text, err = read()
	}()
	select {
	case <-typed:
		return text, err
	case <-ctx.Done(): // A read cannot be canceled: its goroutine blocks until a line is entered or the program ends.
		return "", errors.Join(ctx.Err(), term.Restore(int(file.Fd()), before))
	}
}

func (a *App) readLine() (string, error) {
	line, err := a.lines.ReadSlice('\n') // Unlike ReadString, ReadSlice refuses a line that is longer than the buffer.
	if errors.Is(err, io.EOF) && len(line) > 0 {
		err = nil
	}
	return strings.TrimSpace(string(line)), err
}

// Identify asks for the PIN of the named cashier, but does not check it. In a shop without cashiers
// it returns the zero identity. In any other shop, a blank name is the error
// [staff.ErrIdentityNeeded].
func (a *App) Identify(ctx context.Context, service *drawer.Service, name string) (staff.Identity, error) {
	cashiers, err := service.Cashiers(ctx)
	if err != nil || len(cashiers) == 0 {
		return staff.Identity{}, err
	}
	if name == "" {
		return staff.Identity{}, staff.ErrIdentityNeeded
	}
	pin, err := a.AskPIN(ctx, a.Texts.Shell.PINOf.With(CleanLabel(name)))
	return staff.Identity{Name: name, PIN: pin}, err
}

// Operator returns the name of the operating system's user, or "somebody" if it cannot be read.
func (a *App) Operator() string {
	if current, err := user.Current(); err == nil && current.Username != "" {
		return current.Username
	}
	return "somebody"
}

// IsTerminal reports whether a reader or writer is a terminal, not a pipe or a file.
func IsTerminal(end any) bool {
	file, ok := end.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Columns returns the width for printed lines: the terminal's width, but at most 100, because
// longer lines are hard to read. Without a terminal, the width is 80.
func (a *App) Columns() int {
	const usual, widest = 80, 100
	if columns, is := terminalWidth(a.Out); is {
		return min(columns, widest)
	}
	return usual
}

func terminalWidth(end any) (columns int, is bool) {
	file, is := end.(*os.File)
	if !is {
		return 0, false
	}
	columns, _, err := term.GetSize(int(file.Fd()))
	return columns, err == nil && columns > 0
}

// Known returns [staff.ErrNoCashier] if one of the names is not a cashier's.
func (a *App) Known(ctx context.Context, service *drawer.Service, names ...string) error {
	cashiers, err := service.Cashiers(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, known := staff.FindCashier(cashiers, name); !known {
			return staff.ErrNoCashier
		}
	}
	return nil
}

// OnTerminal returns an error if input or output is a file but not a terminal, or if the terminal
// cannot move its cursor. It accepts the readers and writers of tests, which are no files.
func (a *App) OnTerminal() error {
	if a.Env("TERM") == "dumb" {
		return errors.New(a.Texts.Shell.Terminal)
	}
	for _, end := range []any{a.In, a.Out} {
		if _, file := end.(*os.File); file && !IsTerminal(end) {
			return errors.New(a.Texts.Shell.Terminal)
		}
	}
	return nil
}
