package payments

import "strings"

// TokenPrefix begins every access token.
const TokenPrefix = "TGP_"

// TestTokenPrefix begins the access tokens of a test account, with which no
// money moves.
const TestTokenPrefix = "TGPT_"

// IsToken tells whether a text has the form of an access token.
func IsToken(token Secret) bool {
	text := token.Reveal()
	rest, found := strings.CutPrefix(text, TokenPrefix)
	if !found {
		rest, found = strings.CutPrefix(text, TestTokenPrefix)
	}
	return found && rest != ""
}

// IsTestToken tells whether an access token is that of a test account.
func IsTestToken(token Secret) bool {
	return strings.HasPrefix(token.Reveal(), TestTokenPrefix)
}
