package cli

import (
	"context"

	"checkout/till/storage/settings"
	"checkout/till/tui/receipt"
)

// Receipts returns the configuration of receipts that the settings contain.
func Receipts(loaded settings.Settings) receipt.Config {
	set := loaded.Receipt
	return receipt.Config{
		Shop: receipt.Shop{
			Name: loaded.Counter.Shop, Header: set.Header, Footer: set.Footer, NIF: set.NIF, STAT: set.STAT, VAT: int64(set.VAT),
			Demo: loaded.Files.Database == loaded.Files.Demo, Test: loaded.Account.Test(),
		},
		Printer: receipt.Printer{Address: set.Printer, NoStatus: !set.Status, CodePage: receipt.CodePage(set.CodePage)},
		Columns: set.Columns, NoCode: !set.Code, When: receipt.When(set.Print),
	}
}

// OpenDrawer opens the cash drawer after a movement of money that was recorded. If the printer fails,
// OpenDrawer only says so.
func (a *App) OpenDrawer(ctx context.Context, shop *Shop) {
	if err := Receipts(shop.Settings).OpenDrawer(ctx); err != nil {
		a.Say("%s", a.Explain(err))
	}
}
