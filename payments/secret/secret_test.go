package secret_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"checkout/till/payments/secret"
)

func TestASecretIsNotPrinted(t *testing.T) {
	const token = "TGP_test_not_a_real_token"
	held := secret.New(token)
	if held.Reveal() != token || held.Empty() || held != secret.New(token) || held == secret.New("other") {
		t.Fatal("the secret does not hold its text")
	}
	var none secret.Text
	if !none.Empty() || none.Reveal() != "" || secret.New("") != none {
		t.Error("an empty secret is not empty")
	}
	hidden := struct{ token secret.Text }{held}
	open := struct{ Token secret.Text }{held}
	var out strings.Builder
	for verb := range strings.SplitSeq("v +v #v s q x X d t p T", " ") {
		for _, value := range []any{held, &held, hidden, &hidden, open, &open, []secret.Text{held}, fmt.Errorf("x: %v", held)} {
			fmt.Fprintf(&out, "%"+verb+"\n", value)
		}
	}
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("settings", "token", held, "open", open, "hidden", hidden, "pointer", &hidden)
	}
	for _, encode := range []func(any) ([]byte, error){json.Marshal, xml.Marshal} {
		text, err := encode(held)
		if err != nil || !strings.Contains(string(text), "[redacted]") {
			t.Errorf("encoded as %q, %v", text, err)
		}
		out.Write(text)
	}
	if got := fmt.Sprintf("%v %+v %s %q", held, held, held, held); got != strings.TrimSpace(strings.Repeat("[redacted] ", 4)) {
		t.Errorf("printed as %q", got)
	}
	if slog.AnyValue(held).Resolve().String() != "[redacted]" {
		t.Errorf("logged as %v", slog.AnyValue(held).Resolve())
	}
	for _, leak := range []string{token, fmt.Sprintf("%x", token), fmt.Sprintf("%X", token), fmt.Sprintf("%d", []byte(token))} {
		if strings.Contains(out.String(), leak) {
			t.Errorf("the secret is in\n%s", out.String())
		}
	}
}
