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
	lost := func(fault string) string { return fmt.Sprintf("%v: %s", payments.ErrNotSent, fault) }
	for kept, want := range map[string]string{
		lost("dial tcp: lookup pay.example on 127.0.0.53:53: no such host"): "internet",
		lost("dial tcp 127.0.0.1:9: connect: connection refused"):           "personne ne répond",
		lost("dial tcp 10.0.0.1:443: connect: network is unreachable"):      "aucun accès au réseau",
		lost("dial tcp 10.0.0.1:443: connect: no route to host"):            "aucun accès au réseau",
		lost("dial tcp 10.0.0.1:443: i/o timeout"):                          "trop de temps",
		lost("tls: a certificate of 2019"):                                  "tls: a certificate of 2019",
		payments.ErrOrderReferenceTaken.Error():                             "autre commande",
		payments.ErrNotSent.Error():                                         "not sent",
		payments.ErrNoAnswer.Error():                                        "pas de réponse",
		payments.ErrInterrupted.Error():                                     "interrompu",
		payments.ErrConnectionLost.Error():                                  "coupée",
		payments.ErrUnreadable.Error():                                      "illisible",
		payments.ErrUnsoundReply.Error() + ": a field is repeated":          "n'est pas utilisable (a field is repeated)",
		payments.ErrAnswered.Error() + " 503 Service Unavailable":           "a répondu 503 Service Unavailable",
		"Solde insuffisant":                                                 "Solde insuffisant",
		"":                                                                  "",
	} {
		if got := french.Reasons.Of(payments.Order{Error: kept}); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("of %q it says %q, want %q", kept, got, want)
		}
	}
}
