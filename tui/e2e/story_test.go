package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"checkout/till/payments"
)

func TestARushHour(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, at store) {
		service := serve(t, payAt(somePage))
		shop := at.openAt(t, service.url)
		terminal := shop.console()
		customers := sized(5, 8, 20)
		for i := range customers {
			terminal.Type(fmt.Sprintf("Coca %d", 2000+i)).Press("enter").Sees("charges 2 0")
			terminal.Press("enter").Sees("Charge").Press("enter").Sees("To pay")
			if terminal.Press("esc"); i == 0 {
				terminal.Sees("This link can be paid until").Press("enter") // It is asked once.
			}
			terminal.Sees("Type what the customer takes", fmt.Sprintf("F4 Waiting  %d", i+1))
		}
		made := service.received()
		random := rand.New(rand.NewPCG(20, 26))
		random.Shuffle(customers, func(i, j int) { made[i], made[j] = made[j], made[i] })
		for i, order := range made {
			terminal.Type("Savony 1").Sees("› Savony 1")
			if got := service.tell(shop.webhook(), "payment.success", order, ""); got.code != http.StatusOK {
				t.Errorf("the event of %s is answered %+v", order.reference, got)
			}
			if left := customers - i - 1; left > 0 {
				terminal.Sees(fmt.Sprintf("F4 Waiting  %d", left))
			} else {
				terminal.Gone("F4 Waiting  1")
			}
			terminal.Sees("› Savony 1", "F2  Show").Type("200").Press("enter").Gone("› Savony 1")
		}
		total := "charges " + strings.TrimSuffix(spaced(payments.Ariary(1200*customers)), " Ar")
		terminal.Sees(total, fmt.Sprintf("(+%d)", customers-1))
		for i := range customers {
			terminal.Press("f2").Sees("PAID", fmt.Sprintf("2 %03d Ar", i), "next sale").Press("enter").Sees(total)
		}
		terminal.Gone("F2  Show").Press("f3").Sees("History").Gone("WAITING")
	})
}

func TestACustomerWhoLeavesAndPaysAfterAll(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, at store) {
		service := serve(t, payAt(somePage))
		shop := at.openAt(t, service.url)
		terminal := shop.console()
		sell(terminal)
		terminal.Press("esc").Sees("This link can be paid until").Press("enter").Sees("Type what the customer takes", "Waiting  1")
		made := service.received()[0]
		service.tell(shop.webhook(), "payment.expired", made, "Payment time exceeded")
		terminal.Sees("NOT PAID: expired", "F2  Show").Press("f2").Sees("Payment time exceeded", "done").Press("enter")
		terminal.Sees("Type what the customer takes").Gone("F2  Show", "F4 Waiting  1")
		service.tell(shop.webhook(), "payment.success", made, "")
		terminal.Sees("CHECK", "F2  Show").Press("f2").Sees("CHECK", "Are the goods still here?", "done").Press("enter")
		terminal.Sees("F3 Orders  1").Press("f3").Sees(made.reference[len(made.reference)-4:], "CHECK")
		if now := shop.newest(); !now.Paid || now.Status != "success" || now.Verdict != "check" {
			t.Errorf("W18 the order is %+v", now)
		}
	})
}

func TestAPowerCutInEveryState(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, at store) {
		t.Run("at the charge question: the sale is back, and no order was made", func(t *testing.T) {
			t.Parallel()
			service := serve(t, payAt(somePage))
			shop := at.openAt(t, service.url)
			terminal := shop.console()
			enter(terminal)
			shop.keeps(t, "Vary", "Coca")
			terminal.Kill()
			shop.console().Sees("Vary", "Coca", "charges 9 000", "The previous sale is back")
			if orders := service.received(); len(orders) != 0 {
				t.Errorf("the service received %d orders", len(orders))
			}
		})
		t.Run("while the code is shown: the order waits, and the same code is shown again", func(t *testing.T) {
			t.Parallel()
			shop := at.openAt(t, serve(t, payAt(somePage)).url)
			terminal := shop.console()
			link := sell(terminal)
			terminal.Kill()
			again := shop.console().Sees("Waiting  1").Press("f4").Sees("─ Waiting ─").Press("enter").Sees("To pay")
			if got := again.QR(); got != link {
				t.Errorf("the code says %q, want %q", got, link)
			}
		})
		t.Run("before an outcome was acknowledged: it is announced again", func(t *testing.T) {
			t.Parallel()
			service := serve(t, payAt(somePage))
			shop := at.openAt(t, service.url)
			terminal := shop.console()
			sell(terminal)
			service.tell(shop.webhook(), "payment.failed", service.received()[0], "Insufficient funds")
			terminal.Sees("Payment refused: Insufficient funds").Kill()
			shop.console().Sees("NOT PAID: refused", "F2  Show").Press("f2").Sees("Insufficient funds", "done")
		})
		t.Run("in the catalogue's editor: what was saved is there, and the rest is not", func(t *testing.T) {
			t.Parallel()
			shop := at.openAt(t, serve(t, payAt(somePage)).url)
			terminal := shop.console()
			terminal.Press("f6").Press("ctrl+n").Type("Mofo gasy").Press("tab").Type("500").Press("ctrl+s")
			terminal.Sees("Saved: Mofo gasy").Press("ctrl+n").Type("Koba").Sees("Koba").Kill()
			terminal = shop.console().Press("f6").Sees("Mofo gasy")
			if strings.Contains(terminal.Screen(), "Koba") {
				t.Errorf("half an article is there\n%s", terminal.Screen())
			}
			terminal.Press("esc").Sees("Type what the customer takes").Type("mofo").Sees("Mofo gasy").Press("enter").Sees("charges 500")
		})
	})
}

func TestATerminalThatIsClosedLosesNothing(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, at store) {
		service := serve(t, payAt(somePage))
		shop := at.openAt(t, service.url)
		terminal := shop.console()
		terminal.Type("Vary 3500 x2").Press("enter").Sees("7 000").Press("enter").Sees("Charge").Press("esc")
		terminal.HangUp()
		if code := terminal.Wait(); code != 0 {
			t.Errorf("T10 the console ended with %d", code)
		}
		shop.console().Sees("Vary", "charges 7 000", "The previous sale is back")
	})
}
