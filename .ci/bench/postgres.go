package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"checkout/till/storage/storagetest/postgrestest"
)

// The names of the databases at the server: the one with the orders, and the
// copy that a measurement uses.
const (
	original = "original"
	copied   = "copied"
)

// postgres is a database server of the bench's own, as the tests start one.
type postgres struct{ *postgrestest.Server }

// startPostgres starts a server with an empty database.
func startPostgres(ctx context.Context) (*postgres, error) {
	server, err := postgrestest.Start()
	if err != nil {
		return nil, err
	}
	p := &postgres{server}
	if err := p.run(ctx, "CREATE DATABASE "+original); err != nil {
		server.Remove()
		return nil, err
	}
	return p, nil
}

// run runs statements in the server's first database.
func (p *postgres) run(ctx context.Context, statements ...string) (err error) {
	plain, err := pgx.Connect(ctx, p.Address("postgres"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plain.Close(ctx)) }()
	for _, statement := range statements {
		if _, err := plain.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// fresh makes a copy of the database with the orders, in place of the last one,
// and returns its address. What was written before is on the disk then, and the
// next measurement does not pay for it.
func (p *postgres) fresh(ctx context.Context) (string, error) {
	err := p.run(ctx, "DROP DATABASE IF EXISTS "+copied+" WITH (FORCE)",
		"CREATE DATABASE "+copied+" TEMPLATE "+original, "CHECKPOINT")
	return p.Address(copied), err
}

// processes returns the server's processes: one for each connection, and its
// own.
func (p *postgres) processes() []int {
	text, err := os.ReadFile(filepath.Join(p.Folder, "data", "postmaster.pid"))
	if err != nil {
		return nil
	}
	first, _, _ := strings.Cut(string(text), "\n")
	main, err := strconv.Atoi(first)
	if err != nil {
		return nil
	}
	return append(children(main), main)
}
