package relay

import (
	"bytes"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/hpke"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"checkout/till/payments/secret"
)

// ErrKey is the error for an invalid relay key or recovery code.
var ErrKey = errors.New("a recovery code has 26 letters and digits, and a relay key 52: check what was written down")

// A recovery code is 24 random characters (120 bits) and two check characters.
const (
	codeLength = 26
	randomPart = 24
)

// alphabet has the characters of keys and codes. The letters I, L and O are not in it, because
// people confuse them with digits; [unspaced] reads them as these digits.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// randomText returns random characters of the alphabet. Each has 5 bits.
func randomText(length int) string {
	text := make([]byte, length)
	_, _ = rand.Read(text) // Never fails.
	for i, b := range text {
		text[i] = alphabet[int(b)%len(alphabet)]
	}
	return string(text)
}

// Key is the secret of a till at its relay. A till needs the whole key to fetch requests. The first
// half of the key is the recovery code, which is enough to decrypt the stored requests. The owner
// writes the recovery code down, because a backup of the shop does not contain it.
type Key struct {
	secret.Hidden

	text    secret.Text
	token   secret.Text // Bearer token for HTTP requests to the relay.
	private hpke.PrivateKey
}

// NewKey returns a key with a new random recovery code.
func NewKey() (Key, error) {
	code := randomText(randomPart)
	return KeyOf(code + checkOf(code))
}

// KeyOf returns a new key with this recovery code. The new key can decrypt requests that were stored
// for an earlier key with the same code. But it has another token: when a till is paired with the
// new key, the earlier key loses its access. The error is [ErrKey].
func KeyOf(code string) (Key, error) {
	code = unspaced(code)
	if len(code) != codeLength || checkOf(code[:randomPart]) != code[randomPart:] {
		return Key{}, ErrKey
	}
	return ParseKey(code + randomText(codeLength))
}

func checkOf(random string) string {
	sum := sha256.Sum256([]byte(random))
	return base32.NewEncoding(alphabet).EncodeToString(sum[:5])[:codeLength-randomPart]
}

// ParseKey parses the text of a key. Case, blanks and hyphens do not matter. The error is [ErrKey].
func ParseKey(text string) (Key, error) {
	text = unspaced(text)
	if len(text) != 2*codeLength || strings.Trim(text, alphabet) != "" {
		return Key{}, ErrKey
	}
	token, err := hkdf.Key(sha256.New, []byte(text), nil, "till relay: token", 32)
	if err != nil {
		return Key{}, err
	}
	seed, err := hkdf.Key(sha256.New, []byte(text[:codeLength]), nil, "till relay: requests", 32)
	if err != nil {
		return Key{}, err
	}
	private, err := hpke.DHKEM(ecdh.X25519()).DeriveKeyPair(seed)
	return Key{text: secret.New(text), token: secret.New(base64.RawURLEncoding.EncodeToString(token)), private: private}, err
}

// unspaced returns a typed key or code in capitals, without blanks and hyphens, and with digits for the
// letters that look like them.
func unspaced(text string) string {
	return strings.NewReplacer(" ", "", "-", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(strings.TrimSpace(text)))
}

// Text returns the whole key in the form in which the settings file stores it.
func (k Key) Text() string { return k.text.Reveal() }

// Code returns the recovery code in groups of five, to be written down.
func (k Key) Code() string {
	var groups []string
	for group := range slices.Chunk([]byte(k.Text()[:codeLength]), 5) {
		groups = append(groups, string(group))
	}
	return strings.Join(groups, "-")
}

func (k Key) public() []byte { return k.private.PublicKey().Bytes() }

// open decrypts a stored request. It fails if the request was encrypted for a key with another
// recovery code.
func (k Key) open(sealed []byte) (Request, error) {
	var request Request
	text, err := hpke.Open(k.private, hpke.HKDFSHA256(), hpke.AES256GCM(), nil, sealed)
	if err != nil {
		return request, err
	}
	head, body, _ := bytes.Cut(text, []byte("\n"))
	err = json.Unmarshal(head, &request)
	request.Body = body
	return request, err
}

// Request is what the relay stores of a webhook request.
type Request struct {
	Header  http.Header `json:"header"`
	Address string      `json:"address"`        // Address of the sender: ip:port or ip.
	Astray  string      `json:"path,omitempty"` // Path of a request that did not have the webhook's path, with "…" instead of the box's ID; else empty.
	Body    []byte      `json:"-"`
}

// seal encrypts a request with the public key of a till. The plain text is a line of JSON, followed
// by the body.
func seal(public []byte, request Request) ([]byte, error) {
	key, err := hpke.DHKEM(ecdh.X25519()).NewPublicKey(public)
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	text := slices.Concat(head, []byte("\n"), request.Body)
	return hpke.Seal(key, hpke.HKDFSHA256(), hpke.AES256GCM(), nil, text)
}

// hash returns the SHA-256 hash under which a token, a pairing code or a signature header is
// stored.
func hash(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}
