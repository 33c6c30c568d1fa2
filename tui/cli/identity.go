package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"checkout/till/payments"
)

// maxSecretLine bounds a line of standard input that holds a PIN.
const maxSecretLine = 100

// askPIN asks for a PIN: at a terminal, where it is not shown, or as a line of
// standard input. It is never an argument: those are visible to every user of
// the machine.
func (a *app) askPIN(ctx context.Context, prompt string) (payments.Secret, error) {
	file, ok := a.In.(*os.File)
	if !ok || !a.atTerminal() {
		return a.readSecret()
	}
	_, _ = fmt.Fprint(a.Err, prompt+": ")
	defer func() { _, _ = fmt.Fprintln(a.Err) }()
	before, err := term.GetState(int(file.Fd()))
	if err != nil {
		return payments.Secret{}, fmt.Errorf("ask for the PIN: %w", err)
	}
	type line struct {
		text []byte
		err  error
	}
	typed := make(chan line, 1)
	go func() {
		text, err := term.ReadPassword(int(file.Fd()))
		typed <- line{text, err}
	}()
	select {
	case got := <-typed:
		if got.err != nil {
			return payments.Secret{}, fmt.Errorf("read the PIN: %w", got.err)
		}
		return payments.NewSecret(strings.TrimSpace(string(got.text))), nil
	case <-ctx.Done(): // The reading goes on until the program has ended.
		return payments.Secret{}, errors.Join(ctx.Err(), term.Restore(int(file.Fd()), before))
	}
}

// atTerminal tells whether a person types the input.
func (a *app) atTerminal() bool {
	file, ok := a.In.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// readSecret reads a line, and nothing of what follows it.
func (a *app) readSecret() (payments.Secret, error) {
	var text []byte
	one := make([]byte, 1)
	for len(text) < maxSecretLine {
		_, err := io.ReadFull(a.In, one)
		if errors.Is(err, io.EOF) && len(text) > 0 || err == nil && one[0] == '\n' {
			break
		}
		if err != nil {
			return payments.Secret{}, errors.New("a PIN is needed: type it, or give it as a line of standard input")
		}
		text = append(text, one[0])
	}
	return payments.NewSecret(strings.TrimSpace(string(text))), nil
}

// identify asks who answers for something. Without cashiers in the shop nobody
// has to.
func (a *app) identify(ctx context.Context, service *payments.Service, name string) (payments.Identity, error) {
	cashiers, err := service.Cashiers(ctx)
	if err != nil || len(cashiers) == 0 {
		return payments.Identity{}, err
	}
	if name == "" {
		return payments.Identity{}, misused("the shop has cashiers: say with --by who you are")
	}
	pin, err := a.askPIN(ctx, "PIN of "+shown(name))
	return payments.Identity{Name: name, PIN: pin}, err
}

// plainly says by the clock on the wall when a PIN is looked at again, and when
// a day was closed.
func plainly(err error) error {
	if earlier, ok := errors.AsType[*payments.ClosedError](err); ok {
		closing := earlier.Closing
		return fmt.Errorf("%s was closed by %s at till %s, %s", closing.Day, closing.By, closing.Till, moment(closing.At))
	}
	if paused, ok := errors.AsType[*payments.PausedError](err); ok {
		return fmt.Errorf("too many wrong PINs: wait until %s", moment(paused.Until))
	}
	return err
}
