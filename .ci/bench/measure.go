package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What the real program is called beside the yardsticks, with its database in a
// file and at a server.
const (
	program = "till listen"
	served  = "till listen on PostgreSQL"
)

// kinds are what can be measured, in the order of one round. What PostgreSQL has
// still to write is written while the handler runs that writes nothing.
func kinds() []string { return []string{bare, plain, queue, group, program, served} }

// sample is one measurement.
type sample struct {
	events  float64 // A second.
	p50     time.Duration
	p99     time.Duration
	cpu     time.Duration // Of the server, an event.
	written float64       // Bytes an event.
}

// key names a series of samples.
type key struct {
	kind        string
	connections int
}

// results are the samples of all rounds.
type results map[key][]sample

// measure measures everything in turns, round by round.
func (s *stage) measure(ctx context.Context) (results, error) {
	all := results{}
	var sent atomic.Int64
	for round := range s.rounds {
		for _, connections := range s.connections {
			for _, kind := range kinds() {
				if kind == served && s.postgres == nil {
					continue
				}
				taken, err := s.once(ctx, kind, connections, &sent)
				if err != nil {
					return nil, fmt.Errorf("%s with %d connections: %w", kind, connections, err)
				}
				all[key{kind, connections}] = append(all[key{kind, connections}], taken)
				fmt.Fprintf(os.Stderr, "round %d, %d connections, %s: %.0f events/s, p50 %s\n",
					round+1, connections, kind, taken.events, taken.p50)
			}
		}
	}
	return all, nil
}

// once starts a server on a fresh database, loads it and stops it.
func (s *stage) once(ctx context.Context, kind string, connections int, sent *atomic.Int64) (sample, error) {
	ctx, cancel := context.WithTimeout(ctx, s.length+time.Minute)
	defer cancel()
	server, address, err := s.start(ctx, kind)
	if err != nil {
		return sample{}, err
	}
	own := []int{server.Process.Pid}
	if s.slow {
		own = children(server.Process.Pid) // Of strace, which passes no signal on.
	}
	defer func() {
		for _, pid := range own {
			if process, err := os.FindProcess(pid); err == nil {
				_ = process.Signal(os.Interrupt)
			}
		}
		_ = server.Wait()
	}()
	used := func() (cpu time.Duration, written float64) {
		if kind == served {
			return usage(append(s.postgres.processes(), own...)...)
		}
		return usage(own...)
	}
	cpu, written := used()
	started := time.Now()
	latencies, err := s.load(ctx, address, connections, sent)
	if err != nil {
		return sample{}, err
	}
	took := time.Since(started)
	cpuAfter, writtenAfter := used()
	count := len(latencies)
	if count == 0 {
		return sample{}, errors.New("no event was answered")
	}
	slices.Sort(latencies)
	return sample{
		events: float64(count) / took.Seconds(), p50: latencies[count/2], p99: latencies[count*99/100],
		cpu: (cpuAfter - cpu) / time.Duration(count), written: (writtenAfter - written) / float64(count),
	}, nil
}

// start starts a server and returns its webhook's address. With -slow each of
// its fsyncs takes 5 ms more.
func (s *stage) start(ctx context.Context, kind string) (*exec.Cmd, string, error) {
	environment := s.environment()
	var command []string
	switch kind {
	case program, served:
		database, err := s.fresh(ctx, kind)
		if err != nil {
			return nil, "", err
		}
		command = []string{s.program, "listen"}
		environment = append(environment, "TILL_DATABASE="+database, "TILL_LISTEN=127.0.0.1:0", "TILL_WEBHOOK_SECRET="+secret)
	default:
		database, err := s.copies(s.shop, "plain-run.db")
		if err != nil {
			return nil, "", err
		}
		self, err := os.Executable()
		if err != nil {
			return nil, "", err
		}
		command = []string{self}
		environment = append(environment, serveKey+"="+kind, fileKey+"="+database)
	}
	if s.slow {
		slowed := []string{"strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:delay_exit=5000", "-o", os.DevNull}
		command = append(slowed, command...)
	}
	server := exec.CommandContext(ctx, command[0], command[1:]...)
	server.Env = environment
	out, err := server.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := server.Start(); err != nil {
		return nil, "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	address, found := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !found {
		_ = server.Process.Kill()
		_ = server.Wait()
		return nil, "", fmt.Errorf("the server says %q (%w)", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return server, address, nil
}

// load sends events over so many connections until the time is over, and
// returns how long each took.
func (s *stage) load(ctx context.Context, address string, connections int, sent *atomic.Int64) ([]time.Duration, error) {
	until := time.Now().Add(s.length)
	to := newSender(address, connections)
	defer to.close()
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		all   []time.Duration
		fault error
	)
	for range connections {
		group.Go(func() {
			own, err := s.send(ctx, to, until, sent)
			mu.Lock()
			defer mu.Unlock()
			all, fault = append(all, own...), errors.Join(fault, err)
		})
	}
	group.Wait()
	return all, fault
}

// send sends events, one after the other.
func (s *stage) send(ctx context.Context, to *sender, until time.Time, sent *atomic.Int64) (took []time.Duration, err error) {
	for time.Now().Before(until) && err == nil {
		event := s.event(sent.Add(1))
		began := time.Now()
		if err = to.post(ctx, event); err == nil {
			took = append(took, time.Since(began))
		}
	}
	return took, err
}
