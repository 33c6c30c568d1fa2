package counter_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/cart"
	"checkout/till/tui/counter"
	"checkout/till/tui/entry"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
	"checkout/till/tui/tuitest/story"
	"checkout/till/tui/wording"
)

func TestStories(t *testing.T) {
	story.Play(t, "counter", func(t *testing.T) story.Stage {
		t.Helper()
		stage := &stage{open(t)}
		acts := story.World(t, stage.Counter, func(by time.Duration) { stage.after(by) }, func() { stage.wake() })
		maps.Copy(acts, stage.acts())
		return story.Stage{
			Acts: acts, States: stage.states(), Settle: func() { stage.wake() },
			Account: func() string { return story.Account(t, stage.Store()) },
		}
	})
}

// stage plays stories with the counter. Each act calls a method of the counter.
type stage struct{ *desk }

func (s *stage) acts() map[string]func(string) {
	acts := map[string]func(rest string){
		"add":    func(rest string) { s.add(rest) },
		"scan":   func(code string) { s.add(code) },
		"charge": func(string) { s.at.Charge() },
		"signs":  func(name string) { s.at.SignIn(name) },
		"cash": func(rest string) {
			given := money.Ariary(0)
			if rest != "" {
				given = story.Amount(s.t, rest)
			}
			s.cash(given)
		},
		"card": func(string) {
			s.at.TenderBy(drawer.TenderCard)
			s.at.TakeCash(0)
		},
		"bill": func(name string) {
			s.at.TenderBy(drawer.TenderAccount)
			s.at.SellTo(name, true)
		},
		"pays": func(rest string) {
			name, amount, _ := strings.Cut(rest, " ")
			debtor, _ := drawer.FindDebtor(s.at.Debtors(), name)
			tuitest.Must(s.t, s.at.PayDebt(debtor, story.Amount(s.t, amount)))
		},
		"yes":  func(string) { s.yes() },
		"no":   func(string) { s.at.No() },
		"hold": func(name string) { s.at.Hold(name) },
		"resume": func(name string) {
			s.at.Resume(slices.IndexFunc(s.at.Cart().Held, func(held payments.Sale) bool { return held.Name == name }))
		},
		"leave": func(string) {
			s.at.Leave()
			s.yes()
		},
		"next": func(string) { s.next() },
		"back": func(string) {
			if s.at.Shown().Order.Reference == "" {
				s.at.ShowAgain(s.at.Picture().Awaited()[0])
			}
		},
		"again":   func(string) { s.at.Again(s.at.Shown().Order) },
		"send":    func(string) { s.at.Resend() },
		"lines":   func(string) { s.at.PutBack(s.at.Shown().Order) },
		"open":    func(string) { s.at.ShowNews() },
		"deaf":    func(string) { s.reach = payments.ReachNotListening },
		"restart": func(string) { s.desk = sell(s.t, s.Counter) },
	}
	maps.Copy(acts, s.service())
	for word, act := range acts {
		acts[word] = func(rest string) {
			act(rest)
			s.settle()
		}
	}
	return acts
}

// add adds the item that a story's line describes.
func (s *stage) add(line string) {
	s.at.RefreshArticles()
	items, err := entry.ParseAll(line, s.settle().at.Shelf(), wording.EntryWords(i18n.Load("en")))
	tuitest.Must(s.t, err)
	_, err = s.at.Add(items...)
	tuitest.Must(s.t, err)
}

// service returns the acts that the console performs without the counter, with calls of the
// service.
func (s *stage) service() map[string]func(rest string) {
	moves := func(kind drawer.Kind) func(string) {
		return func(rest string) {
			_, err := s.Move(s.t.Context(), shoptest.Till, kind, story.Amount(s.t, rest), "", staff.Identity{})
			tuitest.Must(s.t, err)
		}
	}
	return map[string]func(rest string){
		"refund": func(rest string) {
			from, amount, _ := strings.Cut(rest, " ")
			s.Refund(s.All()[0].Reference, story.Amount(s.t, amount), from == "drawer")
		},
		"find": func(rest string) {
			s.Resolve(s.All()[0].Reference, payments.Finding{Kind: payments.FindingKind(rest), By: "Soa", Note: "looked"})
		},
		"void": func(string) {
			s.Void(story.CashNumber)
		},
		"float": moves(drawer.Float),
		"count": moves(drawer.Count),
		"close": func(string) {
			_, err := s.Close(s.t.Context(), shoptest.Till, "Soa", 0, staff.Identity{})
			tuitest.Must(s.t, err)
		},
	}
}

// yes waits until the question accepts keys, and answers it with yes.
func (s *stage) yes() { s.after(counter.Grace).at.Yes() }

// next closes the shown outcome.
func (s *stage) next() {
	if s.after(counter.Grace); s.at.Shown().Cash.Number != "" {
		s.at.DoneCash()
		return
	}
	if s.at.Done(s.at.Shown().Order); s.at.Asking() == counter.AskDone {
		s.yes()
	}
}

func (s *stage) states() map[string]func(string) {
	states := map[string]func(rest string){
		"owes":   func(rest string) { story.Owes(s.t, s.Counter, rest) },
		"orders": func(rest string) { s.is("orders", len(s.All()), rest) },
		"seen":   func(string) { s.is("unseen outcomes", len(s.at.Picture().News()), 0) },
		"part":   func(rest string) { s.part(counter.AskRest, rest) },
		"stays":  func(rest string) { s.part(counter.AskLess, rest) },
		"board":  func(rest string) { s.is("awaited", fmt.Sprint(s.at.Awaited()), rest) },
		"total":  func(rest string) { s.is("total", fmt.Sprint(int64(cart.Total(s.at.Cart().Items()))), rest) },
		"seller": func(name string) { s.is("cashier", s.at.Seller(), name) },
		"by":     func(names string) { s.is("cashiers", story.Sellers(s.t, s.Counter), names) },
		"empty": func(string) {
			s.is("stage", s.at.Stage(), counter.Selling)
			s.is("question", s.at.Asking(), "")
			s.is("untouched", s.at.Cart().Untouched(), true)
		},
		"carded": func(amount string) {
			sale := s.at.Shown().Cash
			s.is("card", fmt.Sprint(sale.Tender(), " ", int64(sale.Amount)), "card "+amount)
		},
		"change": func(rest string) {
			sale := s.at.Shown().Cash
			s.is("cash", fmt.Sprint(int64(sale.Amount), " ", int64(sale.Change())), rest)
		},
		"asks": func(rest string) {
			kind, amount, _ := strings.Cut(rest, " ")
			question := s.at.Question()
			if question == nil {
				s.t.Fatalf("no question is open, want %s", rest)
			}
			s.is("in cash", question.Tender != "", kind == "instead")
			s.is("question", string(question.Kind), strings.Replace(kind, "instead", "again", 1))
			s.is("total", fmt.Sprint(int64(cart.Total(question.Terms.Items))), amount)
		},
		"news": func(rest string) {
			word, amount, _ := strings.Cut(rest, " ")
			is := func(order payments.Order) bool {
				return s.at.Picture().Verdict(order) == story.Verdicts()[word] && fmt.Sprint(int64(order.Amount)) == amount
			}
			s.is("news "+rest, slices.ContainsFunc(s.at.Picture().News(), is), true)
		},
	}
	for word, verdict := range story.Verdicts() {
		states[word] = func(amount string) {
			s.is("verdict", s.at.Shown().Verdict(), verdict)
			s.is("amount", fmt.Sprint(int64(s.at.Shown().Order.Amount)), amount)
			s.is("shows the code", s.at.Shown().HasCode(), verdict == payments.VerdictWaiting || s.at.Shown().Retrying())
		}
	}
	return states
}

// part fails the test unless a question of the kind is open, and its part and total are those in
// the story.
func (s *stage) part(kind counter.Kind, rest string) {
	s.is("question", s.at.Asking(), kind)
	s.is("part", fmt.Sprint(int64(s.at.Question().Part), " ", int64(s.at.Question().Terms.Due())), rest)
}
