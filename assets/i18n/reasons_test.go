package i18n_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

func TestAnOrdersReasonIsTranslated(t *testing.T) {
	french := i18n.Load("fr")
	for _, c := range []struct {
		fault        payments.CallError
		detail, want string
	}{
		{payments.ErrNoHost, "dial tcp", "internet"},
		{payments.ErrNobody, "dial tcp", "personne ne répond"},
		{payments.ErrNoNetwork, "dial tcp", "aucun accès au réseau"},
		{payments.ErrTooSlow, "dial tcp", "trop de temps"},
		{payments.ErrNotSent, "tls: a certificate of 2019", "tls: a certificate of 2019"},
		{payments.ErrNotSent, "", "not sent"},
		{payments.ErrOrderReferenceTaken, "", "autre vente"},
		{payments.ErrNoAnswer, "", "pas de réponse"},
		{payments.ErrInterrupted, "", "interrompu"},
		{payments.ErrConnectionLost, "", "coupée"},
		{payments.ErrUnreadable, "", "illisible"},
		{payments.ErrUnsoundReply, "a field is repeated", "n'est pas utilisable (a field is repeated)"},
		{payments.ErrAnswered, "503 Service Unavailable", "a répondu 503 Service Unavailable"},
		{"", "Solde insuffisant", "Solde insuffisant"},
		{"", "", ""},
	} {
		reason := payments.Reason{Fault: c.fault, Detail: c.detail}
		if got := french.Reasons.Of(reason); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%+v: got %q, want %q", reason, got, c.want)
		}
	}
}

func TestEveryCauseOfRefusedWebhooksIsTranslated(t *testing.T) {
	for _, language := range i18n.Languages() {
		texts, said := i18n.Load(language), map[string]bool{}
		for _, kind := range payments.CauseKinds() {
			text := texts.Causes.Of(payments.Cause{Kind: kind, Detail: "X-Brand-Signature"})
			if text == "" || said[text] {
				t.Errorf("%s has %q for the cause %s", language, text, kind)
			}
			said[text] = true
			row := texts.WhyRefused(payments.Cause{Kind: kind, Detail: "body"})
			if width := utf8.RuneCountInString(row); width > 80 {
				t.Errorf("%s: %q is %d columns wide", language, row, width)
			}
		}
	}
}

func TestWithoutACauseAChangedSecretIsSuspected(t *testing.T) {
	for language, want := range map[string]string{
		"en": "Webhooks refused: did the secret change?",
		"fr": "Notifs refusées : le secret a-t-il changé ?",
		"mg": "Filazana nolavina: niova ny teny miafina?",
	} {
		texts := i18n.Load(language)
		if got := texts.WhyRefused(payments.Cause{}); got != want {
			t.Errorf("%s: got %q", language, got)
		}
		if got := texts.Causes.Of(payments.Cause{}); got != "" {
			t.Errorf("%s has %q for no cause", language, got)
		}
	}
}

func TestACauseFromOutsideIsCleaned(t *testing.T) {
	cause := payments.Cause{Kind: payments.CauseOtherHeader, Detail: "X\x1b-Sum"}
	if got := i18n.Load("fr").WhyRefused(cause); got != "Notifs refusées : la bonne signature est dans X-Sum : changez signature_header" {
		t.Errorf("got %q", got)
	}
}
