package tui_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
	"checkout/till/tui/cart"
	"checkout/till/tui/tuitest/shoptest"
)

// others is what people do in the shop without this console: at another till, at the command line,
// or as the owner. The shop may refuse each act.
var others = []func(ctx context.Context, l *lab, random *rand.Rand) error{
	func(ctx context.Context, l *lab, random *rand.Rand) error { // Charges a sale of this till.
		terms := l.terms(ctx, random)
		terms.Despite = []payments.ObjectionKind{payments.SalePaid, payments.SaleDoubtful, payments.SalePayable}
		_, err := l.Checkout(ctx, terms)
		return err
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error { // Takes a sale of this till, or a part of it.
		terms := l.terms(ctx, random)
		if due := terms.Due(); random.IntN(2) == 0 && due > 1 {
			terms.Part.Amount = 1 + money.Ariary(random.Int64N(int64(due)-1))
		}
		paying := drawer.Paying{Tender: pick(random, drawer.TenderCash, drawer.TenderCard, drawer.TenderAccount)}
		if paying.Tender == drawer.TenderAccount {
			paying.Customer, paying.New = debtor, true
		}
		_, err := l.Take(ctx, terms, paying)
		return err
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error { // Ends a sale of this till.
		terms := l.terms(ctx, random)
		_, err := l.VoidParts(ctx, "T2", payments.Sale{ID: terms.Sale, Taken: terms.Part.Taken}, "mistake", l.owner())
		return err
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		order := pick(random, append(l.All(), payments.Order{})...)
		finding := payments.Finding{
			Kind: pick(random, payments.FoundPaid, payments.FoundUnpaid), Note: "found",
			Seen: order.Verdict(payments.Conditions{}, l.Now()), Net: order.Net(),
		}
		_, err := l.Service.Resolve(ctx, order.Reference, finding, l.owner())
		return err
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		order := pick(random, append(l.All(), payments.Order{})...)
		_, err := l.Acknowledge(ctx, order.Reference, l.verdict(order), l.reach().Conditions())
		return err
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		order := pick(random, append(l.All(), payments.Order{})...)
		given := drawer.Given{Ref: order.Reference, InCash: random.IntN(2) == 0, Amount: 1, All: random.IntN(2) == 0, Net: order.Net(), Note: "broken"}
		return l.Service.Refund(ctx, "T2", given, l.owner())
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		sales, _ := l.CounterSales(ctx, l.DayOf(l.Now())) // After an error, the shop refuses the act.
		sale := pick(random, append(sales, drawer.CounterSale{})...)
		given := drawer.Given{Ref: sale.Number, InCash: true, Amount: 1, All: random.IntN(2) == 0, Net: sale.Left(), Note: "broken"}
		if random.IntN(2) == 0 {
			_, err := l.VoidSale(ctx, "T2", sale.Number, "mistake", l.owner())
			return err
		}
		return l.Service.Refund(ctx, "T2", given, l.owner())
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error { // Decides about an event without an order.
		events, err := l.Unmatched(ctx, 10)
		if len(events) == 0 {
			return err
		}
		event := pick(random, events...)
		if random.IntN(2) == 0 {
			return l.Service.Review(ctx, event, l.owner())
		}
		return l.Match(ctx, pick(random, append(l.All(), payments.Order{})...).Reference, event.Event.OrderReference, l.owner())
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		_, err := l.Service.Close(ctx, pick(random, shoptest.Till, "T2"), "owner", 20, l.owner())
		return err
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		_, err := l.Move(ctx, pick(random, shoptest.Till, "T2"), pick(random, drawer.Float, drawer.In, drawer.Out, drawer.Count), 5000, "change", l.owner())
		return err
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		article := payments.Article{
			Label: pick(random, "Vary", "Savony", strings.Repeat("中文", 100), "x"), UnitPrice: 1200,
			Code: pick(random, "", "12", "6111000000017"), Favourite: random.IntN(4), Unit: pick(random, payments.Units()...),
		}
		return l.AddArticles(ctx, []payments.Article{article})
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		articles, err := l.Articles(ctx)
		if len(articles) == 0 {
			return err
		}
		if random.IntN(3) == 0 {
			for _, article := range articles {
				err = l.DropArticle(ctx, article.ID)
			}
			return err
		}
		return l.DropArticle(ctx, pick(random, articles...).ID)
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		switch random.IntN(3) {
		case 0:
			return l.Rename(ctx, "T2", debtor, pick(random, "rabe", strings.Repeat("中文", 100)), l.owner())
		case 1:
			return l.WriteOff(ctx, "T2", debtor, 1, "lost", l.owner())
		}
		return l.Forget(ctx, debtor, l.owner())
	},
	func(ctx context.Context, l *lab, random *rand.Rand) error {
		if random.IntN(2) == 0 {
			_, err := l.AddCashier(ctx, "Soa", "", secret.New(shoptest.SoasPIN), l.owner())
			return err
		}
		return l.DropCashier(ctx, pick(random, "Soa", "Soa", "Hasina"), l.owner())
	},
}

const debtor = "Rabe"

func (l *lab) owner() staff.Identity {
	if !l.staffed {
		return staff.Identity{}
	}
	return staff.Identity{Name: "Hasina", PIN: secret.New(shoptest.HasinasPIN)}
}

// terms returns the terms of a random sale of this till for another till, or of a new sale.
func (l *lab) terms(ctx context.Context, random *rand.Rand) payments.Terms {
	sales, _ := l.Sales(ctx, shoptest.Till) // An error gives a new sale.
	terms := shoptest.Terms(fmt.Sprint("S", random.IntN(5)))
	for _, order := range l.All() {
		if random.IntN(3) == 0 {
			terms = payments.Terms{Sale: order.Sale, Items: order.Items}
		}
	}
	sales = slices.DeleteFunc(sales, func(sale payments.Sale) bool { return len(sale.Items) == 0 })
	if len(sales) > 0 && random.IntN(3) > 0 {
		terms = cart.TermsOf(pick(random, sales...))
	}
	terms.Till = "T2"
	return terms
}

// other performs a random act of others. The console sees the change at once or later.
func (l *lab) other(random *rand.Rand) {
	if l.broken {
		return
	}
	at := random.IntN(len(others))
	l.t.Logf("act %d of others: %v", at, others[at](l.t.Context(), l, random))
	if random.IntN(2) == 0 {
		l.look()
	}
}

// delays makes the results of some commands of the console late, or lets some commands begin late.
func (l *lab) delays(random *rand.Rand) {
	l.late = true
	some := func(msg tea.Msg) bool {
		switch msg.(type) {
		case tea.KeyMsg, tea.WindowSizeMsg:
			return false
		}
		return random.IntN(2) == 0
	}
	if random.IntN(2) == 0 {
		l.gate.HoldCommands(some)
	} else {
		l.gate.HoldMessages(some)
	}
}
