package relay

// Open decrypts a stored request.
func (k Key) Open(sealed []byte) (Request, error) { return k.open(sealed) }

// Seal encrypts a request for a key.
func Seal(to Key, request Request) ([]byte, error) { return seal(to.public(), request) }

// Token returns the key's bearer token.
func (k Key) Token() string { return k.token.Reveal() }
