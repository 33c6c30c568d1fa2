//go:build unix

package e2e_test

import (
	"syscall"
	"testing"
)

func TestAConsoleThatIsStoppedGoesOnWithTheTruth(t *testing.T) {
	service := serve(t, payAt(somePage))
	shop := openAt(t, service.url)
	terminal := shop.console()
	sell(terminal)
	terminal.Signal(syscall.SIGSTOP)
	made, answered := service.received()[0], make(chan reply, 1)
	// The kernel takes the call, and the console answers once it goes on.
	go func() { answered <- service.tell(shop.webhook(), "payment.success", made, "") }()
	terminal.Signal(syscall.SIGCONT)
	if got := <-answered; got.Status != "success" {
		t.Errorf("T10 the event is answered %+v", got)
	}
	terminal.Sees("PAID", "9 000 Ar", "done").Press("enter").Sees("A new sale").Press("ctrl+c")
	if code := terminal.Wait(); code != 0 {
		t.Errorf("T10 the console ended with %d", code)
	}
	terminal.Restored()
}
