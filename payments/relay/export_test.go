package relay

// Open decrypts a stored request.
func (k Key) Open(sealed []byte) (Request, error) { return k.open(sealed) }

// Seal encrypts a request so that only this key decrypts it.
func Seal(to Key, request Request) ([]byte, error) { return seal(to.public(), request) }

// Token returns the key's bearer token.
func (k Key) Token() string { return k.token.Reveal() }
