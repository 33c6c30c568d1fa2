package gateway_test

import (
	"fmt"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
)

// A receiver verifies the signature before it decodes the body.
func Example() {
	key := secret.New("whsec_demo_0123456789abcdef")
	body := gateway.EncodeEvent(gateway.Notification{
		Event: payments.PaymentSuccess, OrderReference: "REF_700001", Reference: "T1-20261121-GT-0007",
		Amount: 9000, Currency: payments.Currency, Description: "Vary",
	})
	header := []string{gateway.Sign(gateway.Static, key, body)}

	verifier, err := gateway.NewVerifier(gateway.Static, key)
	if err != nil {
		panic(err)
	}
	if err := verifier.Verify(header, body); err != nil {
		panic(err)
	}
	event, err := gateway.DecodeEvent(body)
	fmt.Println(event.Kind, event.OrderReference, event.Amount.Is(9000), err)
	// Output: payment.success REF_700001 true <nil>
}
