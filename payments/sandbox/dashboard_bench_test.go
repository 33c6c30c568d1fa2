package sandbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// A page of a sandbox that is full: 10,000 orders, each with a delivery.
func BenchmarkTheDashboard(b *testing.B) {
	made, err := sandbox.New(settings(""))
	if err != nil {
		b.Fatal(err)
	}
	for i := range 10_000 {
		local(made, http.MethodPost, "/api/payement/service", orderBody(fmt.Sprintf("T1-%d", i)))
	}
	for _, order := range newest(b, made) {
		if err := made.Act(b.Context(), order, payments.PaymentFailed); err != nil {
			b.Fatal(err)
		}
	}
	for name, filter := range map[string]string{"all": "", "chosen": "?order=t1-12"} {
		b.Run(name, func(b *testing.B) {
			request := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/"+filter, nil)
			request.RemoteAddr = "127.0.0.1:5000"
			for b.Loop() {
				recorder := httptest.NewRecorder()
				if made.ServeHTTP(recorder, request); recorder.Code != http.StatusOK {
					b.Fatal(recorder.Code)
				}
				b.ReportMetric(float64(recorder.Body.Len()), "B/page")
			}
		})
	}
}

// newest returns the order references of the newest orders.
func newest(b *testing.B, made *sandbox.Sandbox) (references []string) {
	b.Helper()
	var orders []labOrder
	if err := json.Unmarshal(lab(made, http.MethodGet, "/lab/orders?limit=1000", "").Body.Bytes(), &orders); err != nil {
		b.Fatal(err)
	}
	for _, order := range orders {
		references = append(references, order.OrderReference)
	}
	return references
}
