package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"slices"
	"strings"

	"golang.org/x/term"

	"checkout/till/payments"
)

// maxInputLine bounds a line of standard input, in bytes.
const maxInputLine = 100

// AskPIN asks for a PIN: at a terminal, where it is not shown, or as a line of
// standard input. It is never an argument: those are visible to every user of
// the machine.
func (a *App) AskPIN(ctx context.Context, prompt string) (payments.Secret, error) {
	text, err := a.ask(ctx, prompt+": ", term.ReadPassword)
	if errors.Is(err, io.EOF) {
		err = errors.New("a PIN is needed: type it, or give it as a line of standard input")
	}
	return payments.NewSecret(text), err
}

// Agrees asks a question at the terminal, and tells whether the answer is yes.
func (a *App) Agrees(ctx context.Context, question string) (bool, error) {
	answer, err := a.ask(ctx, question+" yes or no: ", nil)
	return slices.Contains([]string{"yes", "y"}, strings.ToLower(answer)), err
}

// ask reads a line of standard input, and nothing of what follows it. At a
// terminal it asks for it, and hidden reads what shall not be seen there.
func (a *App) ask(ctx context.Context, prompt string, hidden func(int) ([]byte, error)) (string, error) {
	if !a.AtTerminal() {
		return readLine(a.In)
	}
	file, _ := a.In.(*os.File)
	_, _ = fmt.Fprint(a.Err, prompt)
	before, err := term.GetState(int(file.Fd()))
	if err != nil {
		return "", fmt.Errorf("ask at the terminal: %w", err)
	}
	type line struct {
		text string
		err  error
	}
	typed := make(chan line, 1)
	go func() {
		if hidden == nil {
			text, err := readLine(file)
			typed <- line{text, err}
			return
		}
		text, err := hidden(int(file.Fd()))
		_, _ = fmt.Fprintln(a.Err)
		typed <- line{strings.TrimSpace(string(text)), err}
	}()
	select {
	case got := <-typed:
		return got.text, got.err
	case <-ctx.Done(): // The reading goes on until the program has ended.
		return "", errors.Join(ctx.Err(), term.Restore(int(file.Fd()), before))
	}
}

// AtTerminal tells whether a person types the input.
func (a *App) AtTerminal() bool { return IsTerminal(a.In) }

// readLine reads a line without the blanks around it. It returns [io.EOF] where
// there is none.
func readLine(in io.Reader) (string, error) {
	var text []byte
	one := make([]byte, 1)
	for len(text) < maxInputLine {
		_, err := io.ReadFull(in, one)
		if errors.Is(err, io.EOF) && len(text) > 0 || err == nil && one[0] == '\n' {
			break
		}
		if err != nil {
			return "", err
		}
		text = append(text, one[0])
	}
	return strings.TrimSpace(string(text)), nil
}

// Identify asks who answers for something. Without cashiers in the shop nobody
// has to.
func (a *App) Identify(ctx context.Context, service *payments.Service, name string) (payments.Identity, error) {
	cashiers, err := service.Cashiers(ctx)
	if err != nil || len(cashiers) == 0 {
		return payments.Identity{}, err
	}
	if name == "" {
		return payments.Identity{}, Misused("the shop has cashiers: say with --by who you are")
	}
	pin, err := a.AskPIN(ctx, "PIN of "+Shown(name))
	return payments.Identity{Name: name, PIN: pin}, err
}

// Plainly says by the clock on the wall when a PIN is looked at again, and when
// a day was closed.
func Plainly(err error) error {
	if earlier, ok := errors.AsType[*payments.ClosedError](err); ok {
		closing := earlier.Closing
		return fmt.Errorf("%s was closed by %s at till %s, %s", closing.Day, closing.By, closing.Till, Moment(closing.At))
	}
	if paused, ok := errors.AsType[*payments.PausedError](err); ok {
		return fmt.Errorf("too many wrong PINs: wait until %s", Moment(paused.Until))
	}
	return err
}

// Operator is the user of this machine who runs the command.
func (a *App) Operator() string {
	current, err := user.Current()
	if err == nil && current.Username != "" {
		return current.Username
	}
	return cmp.Or(a.Env("USER"), a.Env("USERNAME"), "somebody")
}

// IsTerminal tells whether an end of the program is a terminal.
func IsTerminal(end any) bool {
	file, ok := end.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
