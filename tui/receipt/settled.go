package receipt

import (
	"fmt"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
)

// Config is how a till makes and prints receipts.
type Config struct {
	Shop    Shop
	Printer Printer // Address of the receipt printer; may be empty.
	Columns int
	When    When
}

// When says when a receipt is printed.
type When string

// The times of printing. With Never, the screen does not show receipts, either.
const (
	Offer  When = "offer"  // When the cashier asks for a receipt.
	Always When = "always" // At each settlement.
	Never  When = "never"
)

// Of returns the receipt of a settled sale, at the time at which it was settled.
func Of(t i18n.Texts, config Config, zone *time.Location, settled drawer.Settled) *Paper {
	words, issued := t.Receipt, settled.Receipt
	ticket := Ticket{
		Number: fmt.Sprintf("%s-%06d", payments.TillCode(issued.Till), issued.Number),
		Till:   issued.Till, Copy: settled.Copy,
	}
	if cash := settled.Cash; cash.Number != "" {
		ticket.Items, ticket.Total = cash.Items, cash.Amount
		ticket.Given, ticket.Change = cash.Given, cash.Change()
		ticket.Refunded = cash.Refunded
		ticket.At = cash.At.In(zone)
		if cash.By != cash.Till {
			ticket.Cashier = cash.By
		}
		return Make(t, config.Shop, ticket, config.Columns)
	}
	order := settled.Order
	ticket.Items, ticket.Total = order.Items, order.Amount
	ticket.Reference = order.OrderReference
	ticket.Tender = words.MobileMoney
	if issued.Kind == drawer.ByFinding {
		ticket.Tender = words.MarkedPaid
	}
	ticket.At = order.CountedAt().In(zone)
	if issued.Kind == drawer.ByRefund {
		ticket.Refunded = order.Finding.Amount
		ticket.At = order.Finding.At.In(zone)
	}
	return Make(t, config.Shop, ticket, config.Columns)
}
