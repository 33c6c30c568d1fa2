package serve

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/relay"
	"checkout/till/payments/secret"
	"checkout/till/storage/mailbox"
	"checkout/till/tui/cli"
	"checkout/till/tui/wording/errortext"
)

// withMailbox returns a function for cobra that opens the relay's mailbox and calls do. address is
// the relay's public address.
func (a *app) withMailbox(
	options *relayOptions, do func(ctx context.Context, box *mailbox.Mailbox, address string, arguments []string) error,
) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, arguments []string) error {
		file, err := filepath.Abs(filepath.Join(options.data, urlFile))
		if err := errors.Join(a.checkFilled(command.Flags()), err); err != nil {
			return err
		}
		address, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			return errors.New(a.Texts.Relay.NoData.With(cli.Clean(filepath.Dir(file))))
		}
		if err != nil {
			return a.folderError(options.data, err)
		}
		box, err := mailbox.Open(command.Context(), options.data, options.room<<30, a.Now)
		if err != nil {
			return err
		}
		return errors.Join(do(command.Context(), box, strings.TrimSpace(string(address)), arguments), box.Close())
	}
}

type codeJSON struct {
	Name       string    `json:"name"`
	Address    string    `json:"address"` // Address of the relay.
	Code       string    `json:"code"`
	ValidUntil time.Time `json:"valid_until"`
	Webhook    string    `json:"webhook"`
}

// relayCode returns a function for withMailbox that makes and prints a pairing code. store saves
// the code's hash.
func (a *app) relayCode(
	store func(box *mailbox.Mailbox, ctx context.Context, name string, codeHash []byte) (id string, err error),
) func(context.Context, *mailbox.Mailbox, string, []string) error {
	return func(ctx context.Context, box *mailbox.Mailbox, address string, arguments []string) error {
		code, codeHash := relay.NewCode()
		name := clean.Text(arguments[0], payments.MaxLabelWidth)
		id, err := store(box, ctx, name, codeHash)
		if err != nil {
			return errortext.About(name, err)
		}
		made := codeJSON{name, address, code, a.Now().Add(relay.CodeValid), address + "/w/" + id}
		return a.Print(made, a.Texts.Relay.Added.With(address, code, made.Webhook))
	}
}

// boxJSON is the JSON of a shop's box at the relay. Waiting and Refused are numbers of requests.
type boxJSON struct {
	Name         string       `json:"name"`
	Paired       bool         `json:"paired"`
	Till         string       `json:"till"` // Name of the till that fetched last, with its machine.
	Connected    bool         `json:"connected"`
	LastSeen     time.Time    `json:"last_seen"`
	Waiting      int          `json:"waiting"`
	WaitingSince time.Time    `json:"waiting_since"`
	Refused      int          `json:"refused"`
	LastRefused  *refusalJSON `json:"last_refused"`
}

type refusalJSON struct {
	At     time.Time `json:"at"`
	Status int       `json:"status"`
}

// relayRuns reports whether a relay uses the folder now. It also returns true if the lock fails for
// another reason.
func (a *app) relayRuns(folder string) bool {
	release, err := a.lockRelay(folder)
	if err == nil {
		release()
	}
	return err != nil
}

func (a *app) relayList(ctx context.Context, box *mailbox.Mailbox, folder string) error {
	boxes, err := box.List(ctx)
	if err != nil {
		return err
	}
	words := a.Texts.Relay
	runs := a.relayRuns(folder)
	list := []boxJSON{}
	rows := [][]string{{words.BoxHead, words.TillHead, words.SeenHead, words.WaitingHead, words.RefusedHead}}
	for _, one := range boxes {
		told := boxJSON{
			Name: one.Name, Paired: one.Paired, Till: clean.Text(one.Till, payments.MaxLabelWidth), Connected: one.Connected && runs,
			LastSeen: one.Seen, Waiting: one.Waiting, WaitingSince: one.Oldest, Refused: one.Refused,
		}
		if one.Refused > 0 {
			told.LastRefused = &refusalJSON{one.RefusedAt, one.RefusedAs}
		}
		list = append(list, told)
		rows = append(rows, a.boxRow(told))
	}
	if !runs {
		a.Say("%s", words.NotRunning)
	}
	if len(boxes) == 0 {
		a.Say("%s", words.NoBoxes)
		rows = nil
	}
	return a.Print(list, cli.Table(rows...))
}

func (a *app) boxRow(box boxJSON) []string {
	words := a.Texts.Relay
	till, seen := box.Till, words.Never
	switch {
	case !box.Paired:
		till = words.Unpaired
	case box.Connected:
		seen = words.Connected
	case !box.LastSeen.IsZero():
		seen = minute(box.LastSeen)
	}
	waiting, refused := strconv.Itoa(box.Waiting), strconv.Itoa(box.Refused)
	if box.Waiting > 0 {
		waiting = words.Since.With(box.Waiting, minute(box.WaitingSince))
	}
	if box.LastRefused != nil {
		refused = words.Last.With(box.Refused, minute(box.LastRefused.At), box.LastRefused.Status)
	}
	return []string{box.Name, till, seen, waiting, refused}
}

// minute formats a time in UTC with its zone: the list's readers may be in several countries.
func minute(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 MST") }

func (a *app) relayRemove(ctx context.Context, box *mailbox.Mailbox, _ string, arguments []string) error {
	words, name := a.Texts.Relay, clean.Text(arguments[0], payments.MaxLabelWidth)
	boxes, err := box.List(ctx)
	switch {
	case err != nil:
		return err
	case !slices.ContainsFunc(boxes, func(one mailbox.Summary) bool { return one.Name == name }):
		return errortext.About(name, relay.ErrNoBox)
	}
	agreed, err := a.Agrees(ctx, words.Remove.With(name))
	if err == nil && !agreed {
		a.Say("%s", words.Kept.With(name))
	}
	if err != nil || !agreed {
		return err
	}
	return errortext.About(name, box.Remove(ctx, name))
}

func (a *app) relayJoinCommand() *cobra.Command {
	recovers := false
	command := &cobra.Command{Use: "join ADDRESS CODE", RunE: func(command *cobra.Command, arguments []string) error {
		settings, err := a.Settings()
		if err != nil {
			return err
		}
		var recovery secret.Text
		if recovers {
			if recovery, err = a.AskPIN(command.Context(), a.Texts.Relay.Recovery); err != nil {
				return err
			}
			if recovery.Empty() {
				return relay.ErrKey
			}
		}
		return a.JoinRelay(command.Context(), settings, arguments[0], arguments[1], recovery.Reveal())
	}}
	command.Flags().BoolVar(&recovers, "recover", false, "")
	return command
}

func (a *app) askRelay(request func(*relay.Fetcher, context.Context) error, done i18n.Text) func(*cobra.Command, []string) error {
	return a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
		if err := shop.AskRelay(ctx, request); err != nil {
			return err
		}
		a.Tell("%s", done)
		return nil
	})
}
