package e2e_test

import (
	"os/exec"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

func TestATerminalWithoutUTF8GetsASCIIAlone(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{"LC_ALL=C", "LC_CTYPE=fr_FR.ISO-8859-15", "LANG=fr_FR"} {
		t.Run("T6 "+setting, func(t *testing.T) {
			t.Parallel()
			service := serve(t, payAt(func(string) string { return page(78) }))
			shop := openAt(t, service.url)
			cmd := exec.Command(binary)
			cmd.Env = shop.env(setting, "TILL_LANGUAGE=fr", "TILL_SHOP=Épicerie Voahangy")
			terminal := tuitest.Start(t, 120, 40, cmd).Sees("Total", "Epicerie Voahangy", "recoit les paiements")
			terminal.Type("Vary 3500 x2").Press("enter").Sees("7 000").Press("enter").Sees("Encaisser").Press("enter")
			terminal.Sees("A payer", "2 x Vary", "EN ATTENTE")
			if link := terminal.QR(); link != page(78) {
				t.Errorf("the code says %q", link)
			}
			service.tell(shop.webhook(), "payment.success", service.received()[0], "")
			terminal.Sees("v PAYE")
			terminal.Resize(20, 5).Sees("v PAYE").Resize(80, 24).Sees("v PAYE", "7 000 Ar")
			if strings.ContainsFunc(terminal.Raw(), func(r rune) bool { return r >= 0x80 }) {
				t.Errorf("more than ASCII was written: %q", terminal.Raw())
			}
		})
	}
}
