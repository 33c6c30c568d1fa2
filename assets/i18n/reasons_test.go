package i18n_test

import (
	"fmt"
	"strings"
	"testing"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

func TestTheReasonOfAnOrderIsSaidInTheLanguage(t *testing.T) {
	french, err := i18n.Load(assets.Locales, "fr")
	if err != nil {
		t.Fatal(err)
	}
	lost := func(fault payments.Fault) string { return fmt.Sprintf("%v: %v: dial tcp", payments.ErrNotSent, fault) }
	for kept, want := range map[string]string{
		lost(payments.ErrNoHost):                                     "internet",
		lost(payments.ErrNobody):                                     "personne ne répond",
		lost(payments.ErrNoNetwork):                                  "aucun accès au réseau",
		lost(payments.ErrTooSlow):                                    "trop de temps",
		payments.ErrNotSent.Error() + ": tls: a certificate of 2019": "tls: a certificate of 2019",
		payments.ErrOrderReferenceTaken.Error():                      "autre vente",
		payments.ErrNotSent.Error():                                  "not sent",
		payments.ErrNoAnswer.Error():                                 "pas de réponse",
		payments.ErrInterrupted.Error():                              "interrompu",
		payments.ErrConnectionLost.Error():                           "coupée",
		payments.ErrUnreadable.Error():                               "illisible",
		payments.ErrUnsoundReply.Error() + ": a field is repeated":   "n'est pas utilisable (a field is repeated)",
		payments.ErrAnswered.Error() + ": 503 Service Unavailable":   "a répondu 503 Service Unavailable",
		"Solde insuffisant":                                          "Solde insuffisant",
		"":                                                           "",
	} {
		if got := french.Reasons.Of(payments.Order{Error: kept}); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("of %q it says %q, want %q", kept, got, want)
		}
	}
}
