// Package receipt makes the receipts of a shop. The printer and the screen draw the same lines;
// only the printer draws the QR code. No line is wider than the paper, and no amount is cut or
// wrapped.
package receipt

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/wording"
)

// Shop contains the facts about a shop for its receipts.
type Shop struct {
	Name      string
	Header    []string // Lines below the name, such as the address.
	NIF, STAT string   // The shop's tax and statistical numbers. With both, a receipt is an invoice.
	VAT       int64    // Value-added tax in the prices, in percent; 0 without this tax.
	Footer    []string // The last lines of a receipt; by default the usual thanks.

	Demo, Test bool // No real money moves: this is the demo or a test account.
}

// Config configures how a till makes and prints receipts.
type Config struct {
	Shop    Shop
	Printer Printer
	Columns int
	NoCode  bool // The printer cannot print pictures such as the QR code.
	// Pin of the printer's socket for the cash drawer, 2 or 5.
	DrawerPin int
	When      When
}

// When says when a receipt is printed.
type When string

// The values of When. With Never, the screen shows no receipt either.
const (
	Offer  When = "offer"  // Only when the cashier asks for a receipt.
	Always When = "always" // After each settled sale.
	Never  When = "never"
)

// AfterSale opens the drawer after a sale in cash, and prints the receipt of the sale if
// config.When is Always. For a part of a sale, ref is empty, and no receipt is printed. Without a
// printer, AfterSale does nothing.
func AfterSale(
	ctx context.Context, service *drawer.Service, t i18n.Texts, config Config, zone *time.Location, ref string, cash bool,
) error {
	always := config.When == Always && ref != ""
	if config.Printer.None() || !always && !cash {
		return nil
	}
	if !always {
		return config.OpenDrawer(ctx)
	}
	var bytes []byte
	if cash {
		bytes = OpenDrawer(config.DrawerPin)
	}
	settled, err := service.IssueReceipt(context.WithoutCancel(ctx), ref)
	if err != nil {
		if cash {
			err = errors.Join(err, config.OpenDrawer(ctx))
		}
		return err
	}
	bytes = append(bytes, Of(t, config, zone, settled).Bytes()...)
	_, err = printNoted(ctx, service, config.Printer, settled.Receipt, bytes)
	return err
}

// OpenDrawer opens the cash drawer. Without a printer, it does nothing.
func (c Config) OpenDrawer(ctx context.Context) error {
	if c.Printer.None() {
		return nil
	}
	_, err := c.Printer.Print(ctx, OpenDrawer(c.DrawerPin))
	return err
}

// Print prints the receipt of a sale. A later print is marked as a copy.
func Print(
	ctx context.Context, service *drawer.Service, t i18n.Texts, config Config, zone *time.Location, settled drawer.Settled,
) (Outcome, error) {
	return printNoted(ctx, service, config.Printer, settled.Receipt, Of(t, config, zone, settled).Bytes())
}

// printNoted prints a receipt and records that. If only the recording fails, a later print is not
// marked as a copy.
func printNoted(ctx context.Context, service *drawer.Service, printer Printer, issued drawer.Receipt, bytes []byte) (Outcome, error) {
	outcome, err := printer.Print(ctx, bytes)
	if err == nil {
		_ = service.NotePrinted(context.WithoutCancel(ctx), issued)
	}
	return outcome, err
}

// Of returns the receipt of a sale or refund in the language of t.
func Of(t i18n.Texts, config Config, zone *time.Location, settled drawer.Settled) *Paper {
	words, paper := t.Receipt, NewPaper(config.Columns, config.Printer.CodePage)
	order, cash, issued := settled.Order, settled.Cash, settled.Receipt
	if cash.Number != "" {
		order = payments.Order{Items: cash.Items, Amount: cash.Amount, Total: cash.Total, CreatedAt: cash.At, Reference: cash.Number}
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
	paper.number(t, title+" "+issued.Number, settled, at.In(zone).Format("02/01/06 15:04"))
	paper.Rule()
	for _, item := range order.Items {
		paper.item(t, item)
	}
	paper.Rule()
	paper.Row(words.Total, i18n.Money(order.SaleTotal()), Tall)
	if vat := config.Shop.VAT; vat > 0 && cmp.Or(order.Debt, cash.Debt) == "" { // The receipt of the debt's sale showed the tax.
		paper.Row(words.Tax.With(vat), i18n.Money(money.TaxIn(order.SaleTotal(), vat)), Plain)
	}
	settledAt := i18n.Clock(order.CountedAt().In(zone))
	switch {
	case len(settled.Parts) > 0:
		refunded = paper.parts(t, order.SaleTotal(), settled.Parts)
	case cash.Number != "":
		paper.Row(t.TenderWords[string(cash.Tender())]+" "+settledAt, i18n.Money(cash.Given), Bold)
		if way, _ := cash.Tender().Way(); way.Given {
			paper.Row(words.Change, i18n.Money(cash.Change()), Plain)
		}
	case issued.Kind == drawer.ByFinding || !order.Paid(): // Print PAID only with a proof, also on the receipt of a refund.
		paper.Text(t.Verdicts[payments.VerdictMarkedPaid]+" "+settledAt, Bold)
	default:
		paper.Row(t.Verdicts[payments.VerdictPaid]+" "+settledAt, words.MobileMoney, Bold)
	}
	if settled.Debtor.Code != "" {
		paper.Text(wording.Owes(t, settled.Debtor, cmp.Or(order.Debt, cash.Debt) != ""), Bold)
	}
	if refunded > 0 {
		paper.Row(words.Refunded, i18n.Money(-refunded), Bold)
	}
	if order.OrderReference != "" {
		paper.Text(order.OrderReference, Plain)
	}
	if order.Reference != "" {
		paper.Text(order.Reference, Plain)
	}
	// Print no QR code for a reference that a person chose: the console cannot open a sale by it.
	if number, is := payments.SaleNumber(order.Reference); is && number == order.Reference && !config.NoCode {
		paper.Code(number)
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

// parts adds a row for each payment of a sale, and one for what is still to pay. It returns how
// much was given back. What is still to pay includes that amount.
func (p *Paper) parts(t i18n.Texts, total money.Ariary, parts []drawer.Part) (refunded money.Ariary) {
	left := total
	for _, part := range parts {
		word := t.TenderWords[string(part.Tender)]
		switch {
		case part.Proven: // Print PAID only with a proof.
			word = t.Verdicts[payments.VerdictPaid]
		case part.Tender == drawer.TenderLink:
			word = t.Verdicts[payments.VerdictMarkedPaid]
		}
		p.Row(word, i18n.Money(part.Amount), Bold)
		left -= part.Amount
		refunded += part.Refunded
	}
	if left > 0 {
		p.Row(t.Cash.Due, i18n.Money(left+refunded), Bold)
	}
	return refunded
}

// number adds the number of a receipt and its time. If a cashier sold, or if these two do not fit in
// a row, it adds the till and the cashier.
func (p *Paper) number(t i18n.Texts, number string, settled drawer.Settled, at string) {
	till, by := t.Receipt.Till.With(settled.Receipt.Till), cmp.Or(settled.Cash.By, settled.Order.By)
	if by != "" && by != settled.Cash.Till {
		till += " · " + by
	} else if width(number)+1+width(at) <= p.columns {
		p.Row(number, at, Bold)
		return
	}
	p.Text(number, Bold)
	p.Row(till, at, Plain)
}

func (p *Paper) item(t i18n.Texts, item payments.Item) {
	price := max(item.ListPrice, item.UnitPrice)
	undiscounted := price * money.Ariary(item.Quantity)
	amount := i18n.Number(int64(undiscounted))
	if item.Measured() {
		price = item.Measure.Price
	}
	label, counted := item.Article(), ""
	if item.Quantity > 1 || item.Measured() {
		counted = strings.TrimSuffix(wording.Quantity(t, item), " ×") + " × " + i18n.Number(int64(price))
	}
	switch {
	case counted == "":
		p.Row(label, amount, Plain)
	case width(p.page.printable(label))+width("  "+counted+"  "+amount) <= p.columns:
		p.Row(label, counted+"  "+amount, Plain)
	default:
		p.Text(label, Plain)
		p.Row("   "+counted, amount, Plain)
	}
	if discount := undiscounted - item.Total(); discount > 0 {
		p.Row("   "+t.Receipt.Discount, i18n.Number(-int64(discount)), Plain)
	}
}

// Unreal adds a line for the demo or a test account, in which no real money moves.
func (p *Paper) Unreal(t i18n.Texts, shop Shop) {
	switch {
	case shop.Demo:
		p.Center(t.Frame.Demo, Bold)
	case shop.Test:
		p.Center(t.Frame.Test, Bold)
	}
}

// Heading adds the shop's name, its header lines and its numbers.
func (p *Paper) Heading(shop Shop) {
	if shop.Name != "" {
		p.Title(strings.ToUpper(shop.Name))
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
