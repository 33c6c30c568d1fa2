// Command bench measures the program beside its yardsticks, in turns and on the
// same machine, so that every figure is a ratio. For the webhook listener they
// are a bare handler that verifies and decodes and stores nothing, a handler
// that stores each event in a transaction of its own on the same driver, as one
// is usually written, and two that hand the events to one writer with prepared
// statements, for a transaction each or shared by those that wait; none of them
// keeps a rule. Besides there are the program itself on a PostgreSQL server of
// the bench's own, where the server's programs are installed, and the disk; for
// the store the same shop with 1,000 orders; for the console the smallest Bubble
// Tea program. It prints tables, and writes them into a file between two marks
// when asked:
//
//	go run ./.ci/bench -into README.md
//	go run ./.ci/bench -what listener -rounds 5 -connections 64
//	go run ./.ci/bench -what listener -connections 64 -slow   # with 5 ms added to each fsync, by strace
//
// All of it takes about a quarter of an hour and two gigabytes. Load goes to
// loopback alone, and the program ends by itself.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	rounds, orders int
	length         time.Duration // Of one measurement.
	connections    []int
	slow           bool
	into           string
	what           []string
}

// parts are what can be measured.
func parts() []string { return []string{"listener", "store", "console"} }

func main() {
	if err := begin(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// begin measures, or is a yardstick that is measured.
func begin() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if kind := os.Getenv(serveKey); kind != "" {
		return serveYardstick(ctx, kind, os.Getenv(fileKey))
	}
	return run(ctx)
}

func run(ctx context.Context) error {
	var chosen options
	var connections string
	flag.IntVar(&chosen.rounds, "rounds", 5, "how often each is measured, in turns")
	flag.IntVar(&chosen.orders, "orders", 5000, "orders that wait for their events")
	flag.DurationVar(&chosen.length, "length", 2*time.Second, "how long one measurement takes")
	flag.StringVar(&connections, "connections", "1,8,64,256", "how many connections send at once")
	flag.BoolVar(&chosen.slow, "slow", false, "add 5 ms to each fsync, by strace")
	flag.StringVar(&chosen.into, "into", "", "write the table into this file, between its marks")
	flag.Func("what", "measure these alone, parted by commas: "+strings.Join(parts(), ", "), func(words string) error {
		chosen.what = strings.Split(words, ",")
		for _, word := range chosen.what {
			if !slices.Contains(parts(), word) {
				return fmt.Errorf("there is no %q", word)
			}
		}
		return nil
	})
	flag.Parse()
	if len(chosen.what) == 0 {
		chosen.what = parts()
	}
	for word := range strings.SplitSeq(connections, ",") {
		number, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || number < 1 || number > 512 {
			return fmt.Errorf("-connections: %q is no number from 1 to 512", word)
		}
		chosen.connections = append(chosen.connections, number)
	}
	var tables []string
	for _, part := range chosen.what {
		table, err := tableOf(ctx, part, chosen)
		if err != nil {
			return err
		}
		fmt.Printf("%s\n\n", table)
		tables = append(tables, table)
	}
	if chosen.into == "" {
		return nil
	}
	return write(chosen.into, strings.Join(tables, "\n\n"))
}

func tableOf(ctx context.Context, part string, chosen options) (string, error) {
	switch part {
	case "store":
		return storeTable(ctx)
	case "console":
		return consoleTable(ctx)
	}
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	stage, err := prepare(ctx, folder, chosen)
	if err != nil {
		return "", err
	}
	defer stage.clear()
	measured, err := stage.measure(ctx)
	if err != nil {
		return "", err
	}
	syncs, err := syncsPerSecond(folder)
	if err != nil {
		return "", err
	}
	return measured.table(chosen) + fmt.Sprintf(" The disk alone does %.0f fsyncs of 4 KB a second.", syncs), nil
}
