package archive_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/archive"
)

// A sandbox takes an order and ends; the next one on the same file knows it.
func Example() {
	folder, err := os.MkdirTemp("", "sandbox")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	const body = `{"description": "Vary", "access": "TGP_test_not_a_real_token", "reference": "T1-20261121-0007",
		"amount": 3500, "currency": "Ar", "metadata": [{"label": "Vary", "unit_price": 3500, "quantity": 1}]}`
	for range 2 {
		if err := call(context.Background(), filepath.Join(folder, "sandbox.db"), body); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 200
	// 409
}

// call makes one order call to the sandbox of a data file.
func call(ctx context.Context, path, body string) error {
	file, err := archive.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	service, err := sandbox.Reopen(ctx, file, sandbox.Config{
		Token:         payments.NewSecret("TGP_test_not_a_real_token"),
		WebhookSecret: payments.NewSecret("whsec_demo_0123456789abcdef"),
	})
	if err != nil {
		return err
	}
	request := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/api/payement/service", strings.NewReader(body))
	recorder := httptest.NewRecorder()
	service.ServeHTTP(recorder, request)
	fmt.Println(recorder.Code)
	return nil
}
