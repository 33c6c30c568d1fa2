package i18n_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

func TestTheReasonOfAnOrderIsSaidInTheLanguage(t *testing.T) {
	french := load(t, "fr")
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

func TestEveryCauseOfRefusedWebhooksIsSaidInEachLanguage(t *testing.T) {
	for _, language := range i18n.Languages() {
		texts, said := load(t, language), map[string]bool{}
		for _, kind := range payments.CauseKinds() {
			text := texts.Causes.Of(payments.Cause{Kind: kind, Detail: "X-Brand-Signature"})
			if text == "" || said[text] {
				t.Errorf("%s says %q for the cause %s", language, text, kind)
			}
			said[text] = true
			row := texts.WhyRefused(payments.Cause{Kind: kind, Detail: "body"})
			if width := utf8.RuneCountInString(row); width > 80 {
				t.Errorf("%s: %q is %d columns wide", language, row, width)
			}
		}
	}
}

func TestWithoutACauseTheLikeliestIsAsked(t *testing.T) {
	for language, want := range map[string]string{
		"en": "Webhooks refused: did the secret change?",
		"fr": "Avis refusés : le secret a-t-il changé ?",
		"mg": "Filazana nolavina: niova ny teny miafina?",
	} {
		texts := load(t, language)
		if got := texts.WhyRefused(payments.Cause{}); got != want {
			t.Errorf("%s asks %q", language, got)
		}
		if got := texts.Causes.Of(payments.Cause{}); got != "" {
			t.Errorf("%s says %q for no cause", language, got)
		}
	}
}

func TestACauseFromOutsideIsCleaned(t *testing.T) {
	cause := payments.Cause{Kind: payments.CauseOtherHeader, Detail: "X\x1b-Sum"}
	if got := load(t, "fr").WhyRefused(cause); got != "Avis refusés : la bonne signature est dans X-Sum : changez signature_header" {
		t.Errorf("it says %q", got)
	}
}
