package cli

import (
	"context"
	"errors"

	"checkout/till/assets/i18n"
	"checkout/till/storage/settings"
	"checkout/till/tui/doctor"
	"checkout/till/tui/receipt"
	"checkout/till/tui/wording/errortext"
)

// Receipts returns the configuration of receipts from the settings.
func Receipts(loaded settings.Settings) receipt.Config {
	set := loaded.Receipt
	return receipt.Config{
		Shop: receipt.Shop{
			Name: loaded.Counter.Shop, Header: set.Header, Footer: set.Footer, NIF: set.NIF, STAT: set.STAT, VAT: int64(set.VAT),
			Demo: loaded.Files.Database == loaded.Files.Demo, Test: loaded.Account.Test(),
		},
		Printer: receipt.Printer{Address: set.Printer, NoStatus: !set.Status, CodePage: receipt.CodePage(set.CodePage)},
		Columns: set.Columns, NoCode: !set.Code, DrawerPin: set.Drawer, When: receipt.When(set.Print),
	}
}

// OpenDrawer opens the cash drawer. Without a printer in the settings it does nothing. If the
// printer fails, OpenDrawer prints a message.
func (a *App) OpenDrawer(ctx context.Context, shop *Shop) {
	if err := Receipts(shop.Settings).OpenDrawer(ctx); err != nil {
		a.Say("%s", a.Explain(err))
	}
}

// printerCheck checks the printer and prints nothing on paper.
func printerCheck(printer receipt.Printer) doctor.Check {
	return func(ctx context.Context) doctor.Report {
		ctx, cancel := context.WithTimeout(ctx, openPatience)
		defer cancel()
		talks, err := printer.Check(ctx)
		return func(t i18n.Texts) []doctor.Finding { return []doctor.Finding{printerFinding(t, printer, talks, err)} }
	}
}

func printerFinding(t i18n.Texts, printer receipt.Printer, talks bool, err error) doctor.Finding {
	switch {
	case err == nil && talks:
		return doctor.New(doctor.Printer, doctor.OK, "", t.Printer.Answers.With(printer.Address), "")
	case err == nil:
		return doctor.New(doctor.Printer, doctor.OK, "", t.Printer.Ready.With(printer.Address), "")
	}
	code := doctor.PrinterUnreachable
	for target, known := range map[error]doctor.Code{
		receipt.ErrForbidden: doctor.PrinterForbidden, receipt.ErrStuck: doctor.PrinterStuck, receipt.ErrBusy: doctor.PrinterBusy,
		receipt.ErrNoPaper: doctor.PrinterNoPaper, receipt.ErrCoverOpen: doctor.PrinterCoverOpen, receipt.ErrCutOff: doctor.PrinterCutOff,
	} {
		if errors.Is(err, target) {
			code = known
		}
	}
	if errors.As(err, new(*receipt.QueueError)) {
		code = doctor.PrinterStopped
	}
	words := errortext.Of(t, err, errortext.Place{Face: errortext.Commands})
	return doctor.New(doctor.Printer, doctor.Warn, code, words.Text, words.Advice)
}
