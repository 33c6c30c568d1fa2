package relay

import (
	"context"
	"errors"
	"time"
)

// Limits of boxes, requests and pairing codes.
const (
	MaxBody    = 64 << 10       // Largest body of a request, in bytes.
	BoxLetters = 4000           // Maximum number of unacknowledged requests in a box.
	BoxBytes   = 16 << 20       // Maximum size of all unacknowledged requests in a box, in bytes.
	ReplayFor  = 72 * time.Hour // How long an acknowledged request is kept for a till that restores a backup, unless the room is needed.
	CodeValid  = 24 * time.Hour // How long a pairing code is valid.
)

// Errors of a [Store], and of a till's calls to its relay.
var (
	// ErrNoBox is returned for an ID, a name or a token that no box has.
	ErrNoBox       = errors.New("the relay has no such box")
	ErrCode        = errors.New("the pairing code is wrong, used or older than a day: ask for a new one")
	ErrUnreachable = errors.New("the relay cannot be reached")
	// ErrFull is returned for a request that has no room, in its box or on the disk.
	ErrFull = errors.New("the box or the disk is full")
	// ErrSenderFull says that the sender has used up its part of a box. Other senders may still have
	// room.
	ErrSenderFull = errors.New("the sender's part of the box is full")
)

// Box is the mailbox of a shop at the relay. Key and Terms come from the till that is paired with
// the box. Key is nil if no till was paired yet.
type Box struct {
	ID        string // The random part of the webhook's address.
	Name      string // Name of the shop, for the relay's operator.
	TokenHash []byte
	Key       []byte // Public key of the till.
	Terms
}

// Terms tell the relay how to recognize a request with a valid signature.
type Terms struct {
	Header string `json:"header"` // Name of the signature header.
	// Stamps are the SHA-256 hashes of the valid values of the signature header, for the scheme
	// static. For the scheme body the list is empty, and the relay checks no signature: only the
	// till can.
	Stamps [][]byte `json:"stamps"`
}

// Letter is a stored request, which only the till can decrypt.
type Letter struct {
	Seq    int64         // Unique, and higher for later letters.
	Age    time.Duration // Time since the letter arrived at the relay.
	Sealed []byte
}

// Letters are the next letters of a box, oldest first.
type Letters struct {
	Letters  []Letter
	More     bool // Whether the box has more unacknowledged letters.
	OtherKey int  // Number of unacknowledged letters that are not in Letters because they were encrypted with another key.
}

// Store stores boxes and letters. If the error is nil, a change is durable. A Store is safe for
// concurrent use.
type Store interface {
	// Box returns a box by its ID, and BoxOf by the hash of its token. They return [ErrNoBox] if
	// there is no such box.
	Box(ctx context.Context, id string) (Box, error)
	BoxOf(ctx context.Context, tokenHash []byte) (Box, error)
	// Pair sets the token, the key and the terms of the box with this pairing code, and makes the code
	// invalid. Then it does the same as Replay. The error is [ErrCode] if no box has the code, or if
	// the code is too old.
	Pair(ctx context.Context, codeHash []byte, paired Box) (Box, error)
	// SetTerms replaces the terms of a box. It returns [ErrNoBox] if no box has the ID.
	SetTerms(ctx context.Context, id string, terms Terms) error
	// Keep adds a letter: sealed is the encrypted request. sender is the address that sent the request;
	// one sender may fill only a part of a box. The error is [ErrFull] or [ErrSenderFull] if there is
	// no room.
	Keep(ctx context.Context, box Box, sender string, sealed []byte) error
	// Letters returns the oldest unacknowledged letters with a number above skip that were encrypted
	// with the box's key. It returns one letter, or several of at most 64 KiB together, so that a slow
	// line needs at most a minute or two.
	Letters(ctx context.Context, box Box, skip int64) (Letters, error)
	// Acknowledge marks letters as acknowledged: those up to seq that were encrypted with the box's
	// key.
	Acknowledge(ctx context.Context, box Box, seq int64) error
	// Replay undoes the acknowledgements of the last [ReplayFor], for letters that were encrypted with
	// the box's key.
	Replay(ctx context.Context, box Box) error
}

// NewCode returns a random pairing code, and the hash by which [Store.Pair] finds it.
func NewCode() (code string, codeHash []byte) {
	code = randomText(10)
	return code, hash(code)
}
