package postgres_test

import (
	"bytes"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// proxy stands between a store and the server, and lets a test decide what
// becomes of what is said.
type proxy struct {
	t      *testing.T
	server string // The server's socket.
	folder string

	mu sync.Mutex
	// asks is called with what a client says, before it reaches the server, and
	// tells whether to pass it on. answers is the same for the server's words.
	// After a false the connection is closed.
	asks, answers func(said []byte) bool
	silent        chan struct{} // While it is not closed nothing is passed on; nil for a server that speaks.
	open          []net.Conn
}

// between starts a proxy before the server of an address, and returns it with
// the address through it.
func between(t *testing.T, address string) (*proxy, string) {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{t: t, server: parsed.Query().Get("host"), folder: t.TempDir()}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go p.serve(client)
		}
	}()
	through := strings.Replace(address, "@/", "@"+listener.Addr().String()+"/", 1)
	return p, strings.Replace(through, "?host="+url.QueryEscape(p.server), "?sslmode=disable", 1)
}

func (p *proxy) serve(client net.Conn) {
	server, err := net.Dial("unix", filepath.Join(p.server, ".s.PGSQL.5432"))
	if err != nil {
		_ = client.Close()
		return
	}
	p.mu.Lock()
	p.open = append(p.open, client, server)
	p.mu.Unlock()
	go p.pass(server, client, func() func([]byte) bool { return p.asks })
	p.pass(client, server, func() func([]byte) bool { return p.answers })
}

// pass passes on what comes, message by message as it was sent.
func (p *proxy) pass(to, from net.Conn, rule func() func([]byte) bool) {
	defer func() { _ = to.Close() }()
	defer func() { _ = from.Close() }()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		p.mu.Lock()
		decide, silent := rule(), p.silent
		p.mu.Unlock()
		if silent != nil {
			<-silent
		}
		if decide != nil && !decide(buffer[:n]) {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// set changes the rules.
func (p *proxy) set(asks, answers func([]byte) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asks, p.answers = asks, answers
}

// silence lets nothing through until the function is called that it returns.
func (p *proxy) silence() (speak func()) {
	silent := make(chan struct{})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent = silent
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.silent = nil
		close(silent)
	}
}

// once is a rule by which the first words that hold a text are the last.
func once(text string, pass bool) (rule func([]byte) bool, seen func() bool) {
	var mu sync.Mutex
	found := false
	rule = func(said []byte) bool {
		mu.Lock()
		defer mu.Unlock()
		if found || !bytes.Contains(said, []byte(text)) {
			return true
		}
		found = true
		return pass
	}
	return rule, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return found
	}
}

// afterwards is a rule by which the first words after something was seen are
// lost, and their connection with them.
func afterwards(seen func() bool) func([]byte) bool {
	var mu sync.Mutex
	done := false
	return func([]byte) bool {
		mu.Lock()
		defer mu.Unlock()
		if done || !seen() {
			return true
		}
		done = true
		return false
	}
}
