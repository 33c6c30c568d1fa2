package payments

// maxDetailWidth bounds what a cause speaks of, in terminal columns.
const maxDetailWidth = 40

// CauseKind is what kind of mistake has webhooks refused, or else is wrong with
// them. It is the key of the texts that say it.
type CauseKind string

// The kinds. "Ours" is the till's settings, "theirs" what the service sends.
const (
	CauseNone            CauseKind = ""                  // No cause is known.
	CauseSecretChanged   CauseKind = "secret_changed"    // A signature that nothing known explains.
	CauseNoEvent         CauseKind = "no_event"          // Signed, and no event of the specification.
	CauseDoubled         CauseKind = "doubled"           // A right signature that does not stand alone.
	CauseOtherHeader     CauseKind = "other_header"      // Right, and in the header that Detail names.
	CauseOtherScheme     CauseKind = "other_scheme"      // Right by the scheme that Detail names.
	CauseOtherForm       CauseKind = "other_form"        // Right but for capitals or a prefix.
	CauseBase64          CauseKind = "base64"            // Right, but in base64.
	CauseSecretItself    CauseKind = "secret_itself"     // The secret stands in the signature's place.
	CauseOurWhiteSpace   CauseKind = "our_white_space"   // Our secret has white space around it.
	CauseTheirWhiteSpace CauseKind = "their_white_space" // Their secret has white space around it.
	CauseSecretAsBytes   CauseKind = "secret_as_bytes"   // They sign with the bytes that the secret spells.
	CauseEmptySecret     CauseKind = "empty_secret"      // They have no secret.
	CauseSignatureKnown  CauseKind = "signature_known"   // A burst of successes that no order has: somebody else may know the signature.
)

// CauseKinds returns every kind but [CauseNone].
func CauseKinds() []CauseKind {
	return []CauseKind{
		CauseSecretChanged, CauseNoEvent, CauseDoubled, CauseOtherHeader, CauseOtherScheme, CauseOtherForm, CauseBase64,
		CauseSecretItself, CauseOurWhiteSpace, CauseTheirWhiteSpace, CauseSecretAsBytes, CauseEmptySecret, CauseSignatureKnown,
	}
}

// Cause is why webhooks are refused, for the operator. It holds no secret and
// no value of a header. The zero value is no cause.
type Cause struct {
	Kind CauseKind
	// Detail is what the kind speaks of, and blank for most. It may come from
	// outside: show [Cause.Shown].
	Detail string
}

// Shown returns the detail, cleaned and cut to 40 columns.
func (c Cause) Shown() string { return Clean(c.Detail, maxDetailWidth) }
