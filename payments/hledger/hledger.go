// Package hledger writes transfers as a journal for the accounting program hledger. The program Ledger
// can read it, too.
//
// It guarantees that
//   - names, notes and articles cannot change the meaning of the journal, whatever they contain;
//   - hledger computes the same balances as the till's ledger.
package hledger

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"checkout/till/payments/ledger"
)

// Write writes a journal: the commodity, the accounts, and a transaction for each transfer. The
// transactions are sorted by their day in the zone, then by ID. articles maps each payment to what
// was sold, and customers maps each customer's account to a name. An account without a name keeps
// its code.
func Write(
	to io.Writer, zone *time.Location, transfers []ledger.Transfer, articles map[ledger.Payment]string, customers map[ledger.Account]string,
) error {
	transfers = withNames(transfers, customers)
	var journal strings.Builder
	journal.WriteString("commodity Ar\n\n")
	for _, name := range accounts(transfers) {
		journal.WriteString("account " + name + "\n")
	}
	var transactions []transaction
	for _, transfer := range transfers {
		transactions = append(transactions, transaction{
			Transfer: transfer, articles: articles[transfer.Payment],
			day: transfer.At.In(zone).Format(time.DateOnly), booked: transfer.Booked.In(zone).Format(time.DateOnly),
		})
	}
	slices.SortFunc(transactions, func(a, b transaction) int {
		return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.ID, b.ID))
	})
	for _, transaction := range transactions {
		transaction.write(&journal)
	}
	_, err := io.WriteString(to, journal.String())
	return err
}

// withNames returns the transfers with accounts that contain the customers' names instead of their
// codes. If two names are equal as parts of accounts, such as "Rabe" and "(Rabe)", each is followed
// by the code: otherwise both customers would have one account.
func withNames(transfers []ledger.Transfer, customers map[ledger.Account]string) []ledger.Transfer {
	transfers = slices.Clone(transfers)
	equal := make(map[string]int)
	for _, customer := range customers {
		equal[accountPart(customer)]++
	}
	name := func(account *ledger.Account) {
		customer := accountPart(customers[*account])
		switch {
		case customer == "":
		case equal[customer] > 1:
			*account = ledger.Customer(customer + " " + account.Name())
		default:
			*account = ledger.Customer(customer)
		}
	}
	for i := range transfers {
		name(&transfers[i].From)
		name(&transfers[i].To)
	}
	return transfers
}

// accountPart replaces the characters that would end an account name, divide it, or mark a virtual
// posting.
func accountPart(text string) string {
	return strings.Trim(strings.NewReplacer(":", "-", "/", "-", ";", "-", "(", "-", ")", "-", "[", "-", "]", "-").Replace(oneLine(text)), "- ")
}

func accounts(transfers []ledger.Transfer) []string {
	names := make(map[string]bool)
	for _, account := range []ledger.Account{ledger.Sales, ledger.Service, ledger.Owner, ledger.Difference} {
		names[name(account)] = true
	}
	for _, transfer := range transfers {
		names[name(transfer.From)] = true
		names[name(transfer.To)] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// name returns the name of an account in the journal. The first part of the name tells hledger the
// type of the account.
func name(account ledger.Account) string {
	kind := "assets"
	switch account {
	case ledger.Sales:
		kind = "income"
	case ledger.Owner:
		kind = "equity"
	case ledger.Difference, ledger.WrittenOff:
		kind = "expenses"
	}
	return kind + ":" + oneLine(strings.ReplaceAll(string(account), "/", ":"))
}

type transaction struct {
	ledger.Transfer
	articles string
	day      string
	booked   string
}

// A transfer that moves nothing, such as a count, has no postings.
func (t transaction) write(journal *strings.Builder) {
	journal.WriteString("\n" + t.day + " *")
	if t.Payment.Ref != "" {
		journal.WriteString(" (" + code(t.Payment.Ref) + ")")
	}
	journal.WriteString(" " + t.description() + "\n")
	for _, line := range t.comments() {
		journal.WriteString("    ; " + line + "\n")
	}
	if t.From == t.To {
		return
	}
	_, _ = fmt.Fprintf(journal, "    %s  %d Ar\n", name(t.To), t.Amount)
	_, _ = fmt.Fprintf(journal, "    %s  %d Ar\n", name(t.From), -t.Amount)
}

func (t transaction) description() string {
	about := description(cmp.Or(t.articles, t.Note))
	if about == "" {
		return string(t.Kind)
	}
	return string(t.Kind) + ": " + about
}

// comments returns the comments of the transaction. They contain tags, which hledger can search
// for.
func (t transaction) comments() []string {
	first := []string{fmt.Sprintf("transfer:%d", t.ID)}
	if t.Till != "" {
		first = append(first, "till:"+tag(t.Till))
	}
	if t.By != "" {
		first = append(first, "by:"+tag(t.By))
	}
	lines := []string{strings.Join(first, ", ")}
	if t.Kind == ledger.Count {
		lines = append(lines, fmt.Sprintf("counted:%d", t.Amount))
	}
	if t.Corrects != 0 {
		lines = append(lines, fmt.Sprintf("corrects:%d", t.Corrects))
	}
	if t.Note != "" {
		lines = append(lines, "note:"+tag(t.Note))
	}
	if t.booked > t.day {
		lines = append(lines, "booked:"+t.booked)
	}
	return lines
}

// code returns a text without ")", which would end the code of a transaction.
func code(text string) string { return strings.NewReplacer(")", "]").Replace(oneLine(text)) }

// description returns a text without the characters that end a description or divide it.
func description(text string) string {
	return strings.NewReplacer(";", ",", "|", "/").Replace(oneLine(text))
}

// tag returns a text without the characters that begin or end a tag in hledger. It also replaces
// square brackets, because Ledger expects a date in them.
func tag(text string) string {
	return strings.NewReplacer(",", ".", ":", ".", ";", ".", "[", "(", "]", ")").Replace(oneLine(text))
}

// oneLine returns a text as valid UTF-8 on one line. It has one space between words and no control
// characters.
func oneLine(text string) string {
	printed := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(printed), " ")
}
