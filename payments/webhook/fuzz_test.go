package webhook_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/webhook"
)

// FuzzHandler sends any body with any signature header. It checks the status of the answer, that
// only events with the right signature are stored, and that no answer contains a signature.
func FuzzHandler(f *testing.F) {
	f.Add([]byte(successBody), secretValue, true)
	f.Add([]byte(successBody), secretValue, false)
	f.Add([]byte(successBody), strings.ToUpper(secretValue), true)
	f.Add([]byte(`{}`), secretValue, true)
	f.Add([]byte(`{"event":"x","data":{"order_reference":"REF_9"}}`), secretValue, true)
	f.Add([]byte(``), secretValue, true)
	f.Add(bytes.Repeat([]byte(" "), 64<<10+1), "", true)
	config := config(f)
	f.Fuzz(func(t *testing.T, body []byte, signature string, present bool) {
		receiver := &receiver{receipt: payments.Receipt{Effect: payments.Applied, Status: payments.StatusSuccess}}
		handler := webhook.NewHandler(receiver, config)
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhook", bytes.NewReader(body))
		if present {
			request.Header[http.CanonicalHeaderKey(header)] = []string{signature}
		}
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		if !slices.Contains([]int{200, 400, 401, 413}, answer.Code) {
			t.Fatalf("answered %d", answer.Code)
		}
		signed := present && signature == secretValue
		if reached := receiver.calls > 0; reached != (answer.Code == 200) || (reached && !signed) {
			t.Fatalf("answered %d, stored %v, signed %v", answer.Code, reached, signed)
		}
		if strings.Contains(answer.Body.String(), secretValue) || strings.Contains(handler.Health().Cause.Detail, secretValue) {
			t.Fatal("the signature is shown")
		}
	})
}
