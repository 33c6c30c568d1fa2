package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/storage"
)

// secret is an obviously fake one, for loopback alone.
const secret = "whsec_bench_0123456789abcdef"

// stage is what the measurements need: the program, and a database with orders
// that each measurement gets a copy of.
type stage struct {
	options
	folder   string
	program  string
	shop     string    // The database.
	names    []string  // The service's names of the orders.
	postgres *postgres // With the same orders; nil where there is none.
}

// prepare builds the program and makes the databases. Who prepares a stage
// clears it.
func prepare(ctx context.Context, folder string, chosen options) (*stage, error) {
	s := &stage{
		options: chosen, folder: folder, program: filepath.Join(folder, "till"),
		shop: filepath.Join(folder, "shop.db"),
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", s.program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the program: %w\n%s", err, out)
	}
	if err := s.fill(ctx); err != nil || s.slow { // strace slows what it starts alone.
		return s, err
	}
	var err error
	if s.postgres, err = startPostgres(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "without PostgreSQL:", err)
		return s, nil
	}
	move := exec.CommandContext(ctx, s.program, "database", "copy", s.shop, s.postgres.Address(original))
	move.Env = s.environment()
	if out, err := move.CombinedOutput(); err != nil {
		s.clear()
		return nil, fmt.Errorf("copy the orders to PostgreSQL: %w\n%s", err, out)
	}
	return s, nil
}

// environment is that of a program that nobody has set up.
func (s *stage) environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.folder}
}

// clear ends what runs behind the measurements.
func (s *stage) clear() {
	if s.postgres != nil {
		s.postgres.Remove()
	}
}

// fill makes the orders as a till makes them.
func (s *stage) fill(ctx context.Context) error {
	store, err := storage.Open(ctx, s.shop)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	maker := &namer{}
	service := payments.New(store, maker, time.Now)
	terms := payments.Terms{Till: "T1", Items: []payments.Item{
		{Label: "Vary", UnitPrice: 3500, Quantity: 2}, {Label: "Coca", UnitPrice: 2000, Quantity: 1},
	}}
	for range s.orders {
		order, err := service.Checkout(ctx, terms)
		if err != nil {
			return fmt.Errorf("make an order: %w", err)
		}
		s.names = append(s.names, order.OrderReference)
	}
	return nil
}

// namer stands in for the payment service, and takes every order.
type namer struct{ last int }

// Create gives an order its name.
func (n *namer) Create(_ context.Context, order payments.Order) (payments.Created, error) {
	n.last++
	name := fmt.Sprintf("REF_%d", 700_000+n.last)
	return payments.Created{
		OrderReference: name, CheckoutURL: "https://pay.example.mg/c/" + order.Reference, ExpiresMinutes: 60,
	}, nil
}

// event returns the nth event: each differs from all others, so that every one
// is stored.
func (s *stage) event(n int64) []byte {
	return gateway.EncodeEvent(gateway.Notification{
		Event: payments.PaymentFailed, OrderReference: s.names[n%int64(len(s.names))],
		Amount: 9000, Currency: payments.Currency, Error: fmt.Sprintf("Solde insuffisant %d", n),
	})
}

// fresh returns a database with the orders, of which nothing is paid.
func (s *stage) fresh(ctx context.Context, kind string) (string, error) {
	if kind == served {
		return s.postgres.fresh(ctx)
	}
	return s.copies(s.shop, "run.db")
}

// copies returns a fresh copy of a database.
func (s *stage) copies(database, name string) (string, error) {
	text, err := os.ReadFile(database)
	if err != nil {
		return "", err
	}
	fresh := filepath.Join(s.folder, name)
	for _, suffix := range []string{"-wal", "-shm", ".lock", ".reserve"} {
		_ = os.Remove(fresh + suffix)
	}
	return fresh, os.WriteFile(fresh, text, 0o600)
}
