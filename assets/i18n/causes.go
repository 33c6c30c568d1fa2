package i18n

import (
	"cmp"

	"checkout/till/payments"
)

// Cause is the domain's, for whoever shows one and decides nothing by it.
type Cause = payments.Cause

// Causes say why webhooks are refused, as what stands behind a colon.
type Causes struct {
	SecretChanged   Text   `toml:"secret_changed"`
	NoEvent         Text   `toml:"no_event"`
	Doubled         Text   `toml:"doubled"`
	OtherHeader     Phrase `toml:"other_header"` // The header's name.
	OtherScheme     Phrase `toml:"other_scheme"` // The scheme's name.
	OtherForm       Text   `toml:"other_form"`
	Base64          Text   `toml:"base64"`
	SecretItself    Text   `toml:"secret_itself"`
	OurWhiteSpace   Text   `toml:"our_white_space"`
	TheirWhiteSpace Text   `toml:"their_white_space"`
	SecretAsBytes   Text   `toml:"secret_as_bytes"`
	EmptySecret     Text   `toml:"empty_secret"`
	SignatureKnown  Text   `toml:"signature_known"` // A sentence of its own.
}

// Of says a cause, its detail cleaned; blank for no cause.
func (c Causes) Of(cause Cause) string {
	switch cause.Kind {
	case payments.CauseSecretChanged:
		return c.SecretChanged
	case payments.CauseNoEvent:
		return c.NoEvent
	case payments.CauseDoubled:
		return c.Doubled
	case payments.CauseOtherHeader:
		return c.OtherHeader.With(cause.Shown())
	case payments.CauseOtherScheme:
		return c.OtherScheme.With(cause.Shown())
	case payments.CauseOtherForm:
		return c.OtherForm
	case payments.CauseBase64:
		return c.Base64
	case payments.CauseSecretItself:
		return c.SecretItself
	case payments.CauseOurWhiteSpace:
		return c.OurWhiteSpace
	case payments.CauseTheirWhiteSpace:
		return c.TheirWhiteSpace
	case payments.CauseSecretAsBytes:
		return c.SecretAsBytes
	case payments.CauseEmptySecret:
		return c.EmptySecret
	case payments.CauseSignatureKnown:
		return c.SignatureKnown
	}
	return ""
}

// RefusedTodo says how many webhooks are refused, or that they may be forged,
// and what to do about it.
func (t Texts) RefusedTodo(count int64, cause Cause) string {
	switch cause.Kind {
	case payments.CauseSignatureKnown:
		return t.Illness.SignatureTodo
	case payments.CauseNone, payments.CauseSecretChanged:
		return t.Illness.RefusedTodo.With(count)
	}
	return t.Illness.RefusedWhy.With(count, t.Causes.Of(cause))
}

// WhyRefused says in one row that webhooks are refused, and why, or that they
// may be forged. Where no cause is known it asks after the likeliest.
func (t Texts) WhyRefused(cause Cause) string {
	if cause.Kind == payments.CauseSignatureKnown {
		return t.Causes.SignatureKnown
	}
	return t.Frame.Refused.With(cmp.Or(t.Causes.Of(cause), t.Causes.SecretChanged))
}
