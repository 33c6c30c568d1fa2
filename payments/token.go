package payments

import (
	"strings"

	"checkout/till/payments/secret"
)

// Prefixes of the payment service's access tokens.
const (
	TokenPrefix     = "TGP_"
	TestTokenPrefix = "TGPT_" // Prefix of the token of a test account, which moves no money.
)

// MinSecret is the shortest webhook secret, in characters. The signature of an empty secret is publicly
// known, and a short one can be guessed.
const MinSecret = 16

// IsToken reports whether the text has one of the prefixes above, followed by at least one
// character.
func IsToken(token secret.Text) bool {
	text := token.Reveal()
	return strings.HasPrefix(text, TokenPrefix) && text != TokenPrefix ||
		strings.HasPrefix(text, TestTokenPrefix) && text != TestTokenPrefix
}

// IsTestToken reports whether the access token is for a test account, by its prefix only.
func IsTestToken(token secret.Text) bool {
	return strings.HasPrefix(token.Reveal(), TestTokenPrefix)
}
