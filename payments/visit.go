package payments

import "time"

// Visit is what a look at an address found: the header of its answer to a request
// that asks for nothing.
type Visit struct {
	Status   int           // Of the HTTP answer.
	Listener string        // Which of till's listeners answered; empty for another program.
	Ahead    time.Duration // By how much its clock is ahead of this machine's; zero where it does not tell.
	Expires  time.Time     // When its certificate ends; zero without TLS.
}
