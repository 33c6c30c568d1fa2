// Package receipt makes the receipts of a shop. The printer and the screen draw the same
// lines. A receipt contains only characters that the printer has, each one column wide. No
// line is wider than the paper, and an amount is never cut or wrapped.
package receipt

import (
	"context"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/wording"
)

// Shop is the data of a shop that is printed on every receipt.
type Shop struct {
	Name      string
	Header    []string // Lines below the name, such as the address.
	NIF, STAT string   // The tax and statistical numbers of the shop. If both are set, a receipt is an invoice.
	VAT       int64    // Percent of the value-added tax that the prices include; 0 without this tax.
	Footer    []string // The last lines; if there are none, the receipt ends with the usual thanks.

	Demo, Test bool // No real money moves, in the demo or with a test account. The receipt says so first.
}

// Config says how a till makes and prints receipts.
type Config struct {
	Shop    Shop
	Printer Printer // Address of the receipt printer; empty without a printer.
	Columns int
	When    When
}

// When says when a receipt is printed.
type When string

// The values of When. With Never, no receipt is shown on the screen either.
const (
	Offer  When = "offer"  // Only when the cashier asks for a receipt.
	Always When = "always" // After each settled sale.
	Never  When = "never"
)

// AfterSale prints the receipt of a sale that was just settled, if config.When is Always. If the
// customer paid in cash, AfterSale also opens the cash drawer. Without a printer, AfterSale does
// nothing.
func AfterSale(
	ctx context.Context, service *drawer.Service, t i18n.Texts, config Config, zone *time.Location, ref string, cash bool,
) error {
	always := config.When == Always
	if config.Printer == "" || !always && !cash {
		return nil
	}
	var bytes []byte
	if always {
		settled, err := service.IssueReceipt(context.WithoutCancel(ctx), ref)
		if err != nil {
			return err
		}
		bytes = Of(t, config, zone, settled).Bytes()
	}
	if cash {
		bytes = append(bytes, OpenDrawer()...)
	}
	return config.Printer.Print(ctx, bytes)
}

// Of returns the receipt of a settled sale in the language of t. It shows the time of the
// settlement or, for the receipt of a refund, the time of the refund.
func Of(t i18n.Texts, config Config, zone *time.Location, settled drawer.Settled) *Paper {
	words, paper := t.Receipt, NewPaper(config.Columns)
	order, cash, issued := settled.Order, settled.Cash, settled.Receipt
	if cash.Number != "" {
		order = payments.Order{Items: cash.Items, Amount: cash.Amount, CreatedAt: cash.At, OrderReference: cash.Number}
	}
	at, refunded := order.CountedAt(), cash.Refunded+order.Refunds.Sum()
	if refund, made := order.LastRefund(); made && issued.Kind == drawer.ByRefund {
		at = refund.At
	}
	paper.Unreal(t, config.Shop)
	paper.Heading(config.Shop)
	title := words.Ticket
	if config.Shop.NIF != "" && config.Shop.STAT != "" {
		title = words.Invoice
	}
	if settled.Copy {
		paper.Center(words.Copy, Bold)
	}
	paper.Text(title+" "+issued.Number, Bold)
	till := words.Till.With(issued.Till)
	if cash.By != "" && cash.By != cash.Till {
		till += " · " + cash.By
	}
	paper.Row(till, at.In(zone).Format("02/01/06 15:04"), Plain)
	paper.Rule()
	for _, item := range order.Items {
		paper.item(t, item)
	}
	paper.Rule()
	paper.Row(words.Total, i18n.Money(order.Amount), Tall)
	if vat := config.Shop.VAT; vat > 0 {
		paper.Row(words.Tax.With(vat), i18n.Money(money.TaxIn(order.Amount, vat)), Plain)
	}
	switch {
	case cash.Number != "":
		paper.Row(words.Given, i18n.Money(cash.Given), Plain)
		paper.Row(words.Change, i18n.Money(cash.Change()), Plain)
	case issued.Kind == drawer.ByFinding:
		paper.Row(words.MarkedPaid, i18n.Money(order.Amount), Plain)
	default:
		paper.Row(words.MobileMoney, i18n.Money(order.Amount), Plain)
	}
	if refunded > 0 {
		paper.Row(words.Refunded, i18n.Money(-refunded), Bold)
	}
	if order.OrderReference != "" {
		paper.Text(words.Reference.With(order.OrderReference), Plain)
	}
	paper.Rule()
	if len(config.Shop.Footer) == 0 {
		paper.Center(words.Thanks, Plain)
	}
	for _, line := range config.Shop.Footer {
		paper.Center(line, Plain)
	}
	return paper
}

// item adds the rows of an item: the label, the quantity with the amount before a discount, and the
// discount.
func (p *Paper) item(t i18n.Texts, item payments.Item) {
	price := max(item.ListPrice, item.UnitPrice)
	undiscounted := price * money.Ariary(item.Quantity)
	if item.Measured() {
		price = item.Measure.Price
	}
	p.Text(item.Article(), Plain)
	quantity := strings.TrimSuffix(wording.Quantity(t, item), " ×")
	p.Row("   "+quantity+" × "+i18n.Number(int64(price)), i18n.Number(int64(undiscounted)), Plain)
	if discount := undiscounted - item.Total(); discount > 0 {
		p.Row("   "+t.Receipt.Discount, i18n.Number(-int64(discount)), Plain)
	}
}

// Unreal adds a line that says that no real money moves, in the demo and with a test account.
func (p *Paper) Unreal(t i18n.Texts, shop Shop) {
	switch {
	case shop.Demo:
		p.Center(t.Frame.Demo, Bold)
	case shop.Test:
		p.Center(t.Frame.Test, Bold)
	}
}

// Heading adds the shop's name, its own lines and its numbers.
func (p *Paper) Heading(shop Shop) {
	if shop.Name != "" {
		p.Center(strings.ToUpper(shop.Name), Tall)
	}
	for _, line := range shop.Header {
		p.Center(line, Plain)
	}
	if shop.NIF != "" {
		p.Text("NIF "+shop.NIF, Plain)
	}
	if shop.STAT != "" {
		p.Text("STAT "+shop.STAT, Plain)
	}
	if len(p.lines) > 0 {
		p.Rule()
	}
}
