package relay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

const (
	// maxHead limits the first line of a batch, in bytes.
	maxHead = 64 << 10
	// maxSealed limits an encrypted letter, in bytes. A letter is a request with its body, its
	// headers and the address of its sender.
	maxSealed = MaxBody + 32<<10
	// chunk is how many bytes are sent with one time limit.
	chunk = 4 << 10
	// chunkLimit is the time limit for a chunk. It is long, because on a slow line it takes long
	// until the system's send buffer has room again.
	chunkLimit = 2 * time.Minute
)

// batch is the answer to a fetch. It is sent as a line of JSON, followed by the bytes of the
// letters without separators. So the till can store and acknowledge each letter, even if the
// connection ends in the middle of the answer.
type batch struct {
	Letters  []entry `json:"letters"`
	More     bool    `json:"more"`
	OtherKey int     `json:"other_key"`
	Full     bool    `json:"full"`
	Replayed bool    `json:"replayed,omitempty"` // Whether the batch may contain letters that were acknowledged before: see [Fetcher.Replay].
	Sample   []byte  `json:"sample,omitempty"`
}

// entry describes a letter in the first line of a batch.
type entry struct {
	Seq  int64 `json:"seq"`
	Age  int64 `json:"age"`  // In milliseconds.
	Size int   `json:"size"` // In bytes.
}

func (b batch) bytes(letters []Letter) ([]byte, error) {
	for _, letter := range letters {
		b.Letters = append(b.Letters, entry{letter.Seq, letter.Age.Milliseconds(), len(letter.Sealed)})
	}
	var all bytes.Buffer
	if err := json.NewEncoder(&all).Encode(b); err != nil {
		return nil, err
	}
	for _, letter := range letters {
		all.Write(letter.Sealed)
	}
	return all.Bytes(), nil
}

// readBatch reads the first line of a batch. It skips the empty lines that the relay sends while it
// waits. The caller must read the letters, which follow the line.
func readBatch(from *bufio.Reader) (batch, error) {
	var b batch
	line := []byte("\n")
	for len(bytes.TrimSpace(line)) == 0 {
		var err error
		if line, err = from.ReadSlice('\n'); err != nil {
			return b, fmt.Errorf("the relay's answer is incomplete: %w", err)
		}
	}
	if err := json.Unmarshal(line, &b); err != nil {
		return b, fmt.Errorf("the relay's answer cannot be read: %w", err)
	}
	return b, nil
}

func (e entry) read(from io.Reader) ([]byte, error) {
	if e.Size < 0 || e.Size > maxSealed {
		return nil, errors.New("the relay's answer has a letter that is too large")
	}
	sealed := make([]byte, e.Size)
	if _, err := io.ReadFull(from, sealed); err != nil {
		return nil, fmt.Errorf("the relay's answer is incomplete: %w", err)
	}
	return sealed, nil
}

// send writes an answer in chunks. Each chunk has its own time limit, because the till's connection
// may be slow.
func send(w http.ResponseWriter, answer []byte) error {
	control := http.NewResponseController(w)
	for part := range slices.Chunk(answer, chunk) {
		if err := control.SetWriteDeadline(time.Now().Add(chunkLimit)); err != nil {
			return err
		}
		if _, err := w.Write(part); err != nil {
			return err
		}
		if err := control.Flush(); err != nil {
			return err
		}
	}
	return nil
}
