// Package receipt makes the receipts of a shop. The printer and the screen draw the same
// lines. A receipt contains only characters that the printer has, each one column wide. No
// line is wider than the paper, and an amount is never cut or wrapped.
package receipt

import (
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/wording"
)

// Shop is what every receipt of a shop says.
type Shop struct {
	Name      string
	Header    []string // Lines below the name, such as the address.
	NIF, STAT string   // The shop's tax and statistical numbers. With both numbers a receipt is an invoice.
	VAT       int64    // Percent of the value-added tax in the prices; 0 without.
	Footer    []string // The last lines; empty for the usual thanks.
}

// Ticket is one settled sale.
type Ticket struct {
	Number        string    // Number of the receipt, such as T1-000412.
	At            time.Time // Time of the settlement, in the shop's time zone.
	Till, Cashier string    // Cashier may be blank.
	Items         []payments.Item
	Total         payments.Ariary
	Tender        string          // How the sale was paid, if not in cash.
	Given, Change payments.Ariary // Cash; 0 for other tenders.
	Refunded      payments.Ariary // Amount given back; 0 without a refund.
	Reference     string          // The service's order reference; may be blank.
	Copy          bool            // The receipt was issued before.
}

// Make returns the receipt of a ticket in the language of t. A line has at most columns
// characters.
func Make(t i18n.Texts, shop Shop, ticket Ticket, columns int) *Paper {
	words, paper := t.Receipt, NewPaper(columns)
	paper.heading(shop)
	title := words.Ticket
	if shop.NIF != "" && shop.STAT != "" {
		title = words.Invoice
	}
	if ticket.Copy {
		paper.Center(words.Copy, Bold)
	}
	paper.Row(title+" "+ticket.Number, ticket.At.Format("02/01/06 15:04"), Bold)
	till := words.Till.With(ticket.Till)
	if ticket.Cashier != "" {
		till += " · " + ticket.Cashier
	}
	paper.Text(till, Plain)
	paper.Rule()
	for _, item := range ticket.Items {
		paper.item(t, item)
	}
	paper.Rule()
	paper.Row(words.Total, i18n.Money(ticket.Total), Tall)
	if shop.VAT > 0 {
		paper.Row(words.Tax.With(shop.VAT), i18n.Money(taxIn(int64(ticket.Total), shop.VAT)), Plain)
	}
	if ticket.Given > 0 {
		paper.Row(words.Given, i18n.Money(ticket.Given), Plain)
		paper.Row(words.Change, i18n.Money(ticket.Change), Plain)
	} else {
		paper.Row(ticket.Tender, i18n.Money(ticket.Total), Plain)
	}
	if ticket.Refunded > 0 {
		paper.Row(words.Refunded, i18n.Money(-ticket.Refunded), Bold)
	}
	if ticket.Reference != "" {
		paper.Text(words.Reference.With(ticket.Reference), Plain)
	}
	paper.Rule()
	if len(shop.Footer) == 0 {
		shop.Footer = []string{words.Thanks}
	}
	for _, line := range shop.Footer {
		paper.Center(line, Plain)
	}
	return paper
}

// item prints the rows of an item: its label, its price without a discount, and the discount.
func (p *Paper) item(t i18n.Texts, item payments.Item) {
	price := max(item.ListPrice, item.UnitPrice)
	undiscounted := price * payments.Ariary(item.Quantity)
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

// heading adds the lines about the shop.
func (p *Paper) heading(shop Shop) {
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

// taxIn returns the tax in a price that includes it, rounded half up.
func taxIn(price, percent int64) int64 {
	whole := 100 + percent
	return (2*price*percent + whole) / (2 * whole)
}
