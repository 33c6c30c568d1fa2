package relay

// Open opens a letter.
func (k Key) Open(sealed []byte) (Request, error) { return k.open(sealed) }

// Seal encrypts a request to a key.
func Seal(to Key, request Request) ([]byte, error) { return seal(to.public(), request) }
