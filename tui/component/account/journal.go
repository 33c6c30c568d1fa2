package account

import (
	"io"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/catalog"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
)

// Sale is an entry of the journal as JSON. [WriteSales] writes the same fields, in the same order.
// Scripts read both, so a new field comes last.
type Sale struct {
	At       time.Time         `json:"at"`
	Receipt  string            `json:"receipt"`
	Till     string            `json:"till"`
	By       string            `json:"by"`
	Ref      string            `json:"reference"`
	Articles string            `json:"articles"`
	Tender   drawer.Tender     `json:"tender"`
	Amount   money.Ariary      `json:"amount"`
	Refunded money.Ariary      `json:"refunded"`
	Outcome  drawer.Settlement `json:"outcome"`
	Debt     money.Ariary      `json:"debt_paid,omitzero"`
}

// NewSale returns an entry of the journal for the export.
func NewSale(entry drawer.Entry) Sale {
	order, cash := entry.Order, entry.Cash
	sale := Sale{
		At: entry.At, Receipt: entry.Receipt, Till: order.Till, By: entry.By, Ref: order.Reference, Articles: order.Description,
		Tender: drawer.TenderLink, Amount: entry.Amount, Refunded: entry.Refunded, Outcome: entry.Outcome, Debt: entry.Debt,
	}
	if cash.Number != "" {
		sale.Till, sale.Ref, sale.Articles, sale.Tender = cash.Till, cash.Number, cash.Description, cash.Tender()
	}
	return sale
}

// WriteSales writes the journal as a CSV table with a row for each entry.
func WriteSales(to io.Writer, texts i18n.Texts, zone *time.Location, entries []drawer.Entry) error {
	var rows [][]any
	for _, entry := range entries {
		sale, at := NewSale(entry), entry.At.In(zone)
		rows = append(rows, []any{
			at.Format(time.DateOnly), i18n.Clock(at), sale.Receipt, sale.Till, sale.By, sale.Ref, sale.Articles,
			texts.TenderTitles[string(sale.Tender)], sale.Amount, sale.Refunded, outcome(texts, sale.Outcome), sale.Debt,
		})
	}
	return WriteTable(to, texts, texts.Account.SaleColumns[:], rows)
}

func outcome(texts i18n.Texts, settled drawer.Settlement) string {
	words := badge.Of(texts, payments.Order{}, payments.Verdict(settled)).Name
	if word, atCounter := texts.TenderWords[string(settled)]; atCounter {
		words = word
	} else if settled == drawer.Voided {
		words = texts.Cash.Voided
	}
	return strings.ToLower(words)
}

// WriteTable writes headings and rows as CSV, with the separator that spreadsheet programs expect
// in the language of texts.
func WriteTable(to io.Writer, texts i18n.Texts, headings []i18n.Text, rows [][]any) error {
	var first []any
	for _, heading := range headings {
		first = append(first, heading)
	}
	separator := texts.Account.Separator[0]
	if separator == ';' {
		// A French Excel recognizes UTF-8 by the byte order mark.
		if _, err := io.WriteString(to, "\ufeff"); err != nil {
			return err
		}
	}
	return catalog.WriteTable(to, separator, append([][]any{first}, rows...))
}
