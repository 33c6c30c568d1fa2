package relay

import (
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/hpke"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

// ErrKey says that a text is not a relay key.
var ErrKey = errors.New("a relay key has 26 letters and digits: check what was written down")

// keyLength is the length of a key: 26 base32 characters are 130 bits.
const keyLength = 26

// Key is the secret of a till at its relay. It gives access to the box and opens the stored
// requests. The owner writes it down, because a backup of the shop does not contain it.
type Key struct {
	text    string
	token   string
	private hpke.PrivateKey
}

// NewKey returns a random key.
func NewKey() (Key, error) { return ParseKey(rand.Text()) }

// ParseKey returns the key in a text. It ignores case, blanks and hyphens. The error is
// [ErrKey].
func ParseKey(text string) (Key, error) {
	text = unspaced(text)
	foreign := func(r rune) bool { return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", r) }
	if len(text) != keyLength || strings.ContainsFunc(text, foreign) {
		return Key{}, ErrKey
	}
	token, err := hkdf.Key(sha256.New, []byte(text), nil, "till relay: token", 32)
	if err != nil {
		return Key{}, err
	}
	seed, err := hkdf.Key(sha256.New, []byte(text), nil, "till relay: requests", 32)
	if err != nil {
		return Key{}, err
	}
	private, err := hpke.DHKEM(ecdh.X25519()).DeriveKeyPair(seed)
	return Key{text: text, token: base64.RawURLEncoding.EncodeToString(token), private: private}, err
}

// unspaced removes blanks and hyphens and converts to upper case.
func unspaced(text string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(strings.TrimSpace(text)))
}

// Text returns the key in groups, for a person who writes it down.
func (k Key) Text() string {
	var groups []string
	for rest := k.text; rest != ""; {
		size := min(5, len(rest))
		groups = append(groups, rest[:size])
		rest = rest[size:]
	}
	return strings.Join(groups, "-")
}

// String hides the key from logs.
func (k Key) String() string { return "(relay key)" }

// public returns the public key that requests are encrypted to.
func (k Key) public() []byte { return k.private.PublicKey().Bytes() }

func (k Key) open(sealed []byte) (Request, error) {
	var request Request
	text, err := hpke.Open(k.private, hpke.HKDFSHA256(), hpke.AES256GCM(), nil, sealed)
	if err == nil {
		err = json.Unmarshal(text, &request)
	}
	return request, err
}

// Request is a webhook request as it arrived at the relay.
type Request struct {
	Header  http.Header `json:"header"`
	Body    []byte      `json:"body"`
	Address string      `json:"address"` // Sender, as ip:port or ip.
}

func seal(public []byte, request Request) ([]byte, error) {
	key, err := hpke.DHKEM(ecdh.X25519()).NewPublicKey(public)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	return hpke.Seal(key, hpke.HKDFSHA256(), hpke.AES256GCM(), nil, text)
}

func hash(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

func (k Key) bearer() string { return "Bearer " + k.token }

func (k Key) tokenHash() []byte { return hash(k.token) }
