package payments

import "fmt"

// maxDetailWidth bounds what a cause speaks of, in terminal columns.
const maxDetailWidth = 40

// CauseKind is what kind of mistake has webhooks refused, or else is wrong with
// them.
type CauseKind int

// The kinds. "Ours" is the till's settings, "theirs" what the service sends.
const (
	CauseNone            CauseKind = iota // Nobody knows of any.
	CauseSecretChanged                    // A signature that nothing known explains.
	CauseNoEvent                          // Signed, and no event of the specification.
	CauseDoubled                          // A right signature that does not stand alone.
	CauseOtherHeader                      // Right, and in the header that Detail names.
	CauseOtherScheme                      // Right by the scheme that Detail names.
	CauseOtherForm                        // Right but for capitals or a prefix.
	CauseBase64                           // Right, but in base64.
	CauseSecretItself                     // The secret stands in the signature's place.
	CauseOurWhiteSpace                    // Our secret has white space around it.
	CauseTheirWhiteSpace                  // Their secret has white space around it.
	CauseSecretAsBytes                    // They sign with the bytes that the secret spells.
	CauseEmptySecret                      // They have no secret.
	CauseSignatureKnown                   // A burst of successes that no order has: somebody else may know the signature.
	causeEnd
)

// CauseKinds returns every kind but [CauseNone].
func CauseKinds() []CauseKind {
	var kinds []CauseKind
	for kind := CauseNone + 1; kind < causeEnd; kind++ {
		kinds = append(kinds, kind)
	}
	return kinds
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

// String returns the cause as an English sentence for logs, without a capital
// and a full stop; blank for no cause. What people at the counter read is
// written in their language, elsewhere.
func (c Cause) String() string {
	switch c.Kind {
	case CauseSecretChanged:
		return "has the secret changed?"
	case CauseNoEvent:
		return "a signed webhook request was no event of the specification"
	case CauseDoubled:
		return "there is more than one signature header, and one of them is right; something between doubles it"
	case CauseOtherHeader:
		return fmt.Sprintf("the header %s carries a right signature: set signature_header to it", c.Shown())
	case CauseOtherScheme:
		return fmt.Sprintf("the signature is right for the other scheme: set signature_scheme to %q", c.Shown())
	case CauseOtherForm:
		return "the signature is right but for its form: it must be lower-case hexadecimal without a prefix"
	case CauseBase64:
		return "the signature is right but in base64: it must be hexadecimal"
	case CauseSecretItself:
		return "the header holds the secret itself instead of a signature"
	case CauseOurWhiteSpace:
		return "the signature was made with the secret without the white space around it: trim webhook_secret"
	case CauseTheirWhiteSpace:
		return "the signature was made with the secret and white space around it: trim it on the other side"
	case CauseSecretAsBytes:
		return "the signature was made with the bytes that the secret spells in hexadecimal"
	case CauseEmptySecret:
		return "the signature was made with an empty secret: none is set on the other side"
	case CauseSignatureKnown:
		return "many successes that no order of this shop has: somebody else may know the signature: change the secret"
	}
	return ""
}
