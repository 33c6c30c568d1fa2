package e2e_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/storage"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/story"
)

// The test plays only the stories that name the stage program. They are fewer than those of other
// stages, because the program needs hundreds of milliseconds for a key press.
func TestStories(t *testing.T) {
	t.Parallel()
	story.Play(t, story.Program, func(t *testing.T) story.Stage {
		t.Helper()
		t.Parallel()
		stage := &stage{texts: i18n.Load("en")}
		stage.shop = open(t, file, stage.answer)
		stage.Terminal = stage.console()
		return story.Stage{Acts: stage.acts(), States: stage.states(), Settle: stage.settle, Account: stage.account}
	})
}

// stage plays stories in the program. An act presses keys, and waits for the screens or questions
// that they open.
type stage struct {
	*shop
	*tuitest.Terminal
	texts   i18n.Texts
	refuses atomic.Bool // Whether the payment service refuses orders.
	unpaid  bool        // Whether the last event was not a success, so that the customer can still pay.
	labels  []string    // Labels of the lines that were added to the sale.
}

func (s *stage) answer(w http.ResponseWriter, r *http.Request, order wireOrder) {
	if s.refuses.Load() {
		http.Error(w, `{"message": "Compte suspendu"}`, http.StatusBadRequest)
		return
	}
	payWithin(10, somePage)(w, r, order)
}

func (s *stage) acts() map[string]func(string) {
	return map[string]func(rest string){
		"add": func(entry string) {
			if label, _, is := strings.Cut(entry, " "); is {
				s.labels = append(s.labels, label)
			}
			s.Type(entry).Press("enter").Gone("› " + entry)
		},
		"stocks": func(rest string) {
			article, table := story.Article(s.shop.t, rest), filepath.Join(s.home, "articles.csv")
			line := fmt.Sprintf("label,price,code,unit\n%s,%d,%s,%s\n", article.Label, article.UnitPrice, article.Code, article.Unit)
			tuitest.Must(s.shop.t, os.WriteFile(table, []byte(line), 0o600))
			if out, errs, code := s.till("catalog", "import", table); code != 0 {
				s.shop.t.Errorf("the import: exit code %d\n%s%s", code, out, errs)
			}
			s.Kill() // An open console would read changed articles only some seconds later.
			s.Terminal = s.console()
			// A scan is not delayed until the articles are read. Therefore, wait until the screen suggests one
			// of them.
			s.Type(article.Label).Sees(i18n.Number(int64(article.UnitPrice))).Press("ctrl+u").Gone("› " + article.Label)
		},
		"scan": func(code string) {
			s.Type(code + "\r")
			<-time.After(held) // A key that follows a scan immediately would count as a part of the scan.
		},
		"charge": func(string) { s.Press("enter").Sees("Charge ") },
		"yes":    func(string) { s.yes() },
		"no":     func(string) { s.Press("esc").Gone("mobile money") },
		"undo":   func(string) { s.Press("ctrl+z").Sees("As before") },
		"leave":  func(string) { s.Press("esc").Sees("Leave it waiting until").Press("enter").Sees(s.texts.Sale.Empty) },
		"lines":  func(string) { s.Press("r").Sees("Its lines are back") },
		"open":   func(string) { s.Press("f2").Gone("F2  Show") },
		"back":   func(string) { s.Sees(s.texts.Keys.ToCode).Press("esc") },
		"press":  func(key string) { s.Press(key) },
		"hold": func(name string) {
			s.Press("f5").Sees("Hold this sale under which name?").Type(name).Press("enter").Sees("Held as " + name)
			s.labels = nil
		},
		"resume": func(string) {
			s.Press("f5").Sees(s.texts.Held.Title).Press("enter").Gone(s.texts.Held.Since)
		},
		"cash": func(given string) {
			if !strings.Contains(s.Screen(), "mobile money") {
				s.Press("enter").Sees("mobile money")
			}
			s.Press("tab").Sees("the exact sum").Type(given).Press("enter")
			s.labels = nil
		},
		"next": func(string) { s.next() },
		"restart": func(string) {
			if len(s.labels) > 0 {
				s.keeps(s.labels...)
			}
			s.Kill()
			s.Terminal = s.console()
		},
		"refund": func(rest string) {
			from, amount, _ := strings.Cut(rest, " ")
			way, asks := "2", "in the merchant area?"
			if from == "drawer" {
				way, asks = "1", "given back in cash?"
			}
			reference := s.newest().Reference
			s.Type(reference).Press("enter").Sees("─ "+reference+" ─", "b money back").Press("b").Sees("Money back: how?").Press(way)
			s.Sees(asks).Type(amount + " broken").Press("enter").Gone(asks).Press("f3").Sees(s.texts.Sale.Empty)
		},
		"void": func(string) {
			exported, _, _ := s.till("export")
			number := regexp.MustCompile(`T1-[A-Z]{2}-C-000001`).FindString(exported)
			s.Type(number).Press("enter").Sees("─ "+number+" ─", "b money back").Press("b").Sees("Money back: how?").Press("2")
			s.Sees("Why is sale").Type("mistake").Press("enter").Sees("VOIDED").Press("f3").Sees(s.texts.Sale.Empty)
		},
		"answers": func(rest string) { s.refuses.Store(rest == "refused") },
		"event": func(rest string) {
			event, order := story.ParseEvent(s.shop.t, rest), s.service.last()
			if event.Amount > 0 {
				order.Amount = int64(event.Amount)
			}
			s.unpaid = event.Kind != payments.PaymentSuccess
			why := ""
			if s.unpaid {
				why = "Insufficient funds"
			}
			s.tell(strings.TrimPrefix(string(event.Kind), "payment."), order, why)
		},
	}
}

// yes answers the question on the screen with yes. A question that opened without a key press
// ignores keys for a while.
func (s *stage) yes() {
	if strings.Contains(s.Screen(), "Continue all the same: cash?") {
		<-time.After(held)
	}
	s.Press("enter")
	s.labels = nil
}

// next closes the shown outcome as soon as the screen shows the key for it.
func (s *stage) next() {
	keys := []string{"Enter  next sale", "Enter  done", "Enter  back"}
	eventually(s.shop.t, "the outcome takes keys", func() bool {
		return slices.ContainsFunc(keys, func(key string) bool { return strings.Contains(s.Screen(), key) })
	})
	if s.Press("enter"); s.unpaid {
		s.Sees("Close this order?").Press("enter")
	}
	s.Gone(append(keys, "Close this order?")...)
}

// settle waits until the program has read all earlier keys: it opens the help and closes it again.
func (s *stage) settle() {
	s.Press("f1").Sees(s.texts.Guide.Everywhere).Press("esc").Gone(s.texts.Guide.Everywhere)
}

func (s *stage) account() string {
	store, err := storage.Open(s.shop.t.Context(), s.database(), storage.Options{})
	tuitest.Must(s.shop.t, err)
	defer func() { _ = store.Close() }()
	return story.Account(s.shop.t, store)
}

func (s *stage) states() map[string]func(string) {
	states := story.Shown(s.shop.t, s.texts, func(texts ...string) { s.Sees(texts...) }, func() { s.QR() }, func() payments.Order { return payments.Order{} })
	maps.Copy(states, map[string]func(rest string){
		"seen": func(string) { s.Gone("F2  Show") },
		"orders": func(rest string) {
			if got := len(s.service.received()); money.Ariary(got) != story.Amount(s.shop.t, rest) {
				s.shop.t.Errorf("got %d orders, want %s", got, rest)
			}
		},
		"asks": func(rest string) {
			kind, amount, _ := strings.Cut(rest, " ")
			s.Sees(map[string]string{
				"charge": s.texts.Sale.Charge.With(i18n.Money(story.Amount(s.shop.t, amount))), "instead": "Continue all the same: cash?",
			}[kind])
		},
	})
	return states
}
