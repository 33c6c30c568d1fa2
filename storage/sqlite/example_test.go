package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
)

func ExampleOpen() {
	folder, err := os.MkdirTemp("", "till")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()

	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(folder, "till.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = store.Close() }()

	err = store.Update(ctx, func(tx payments.Tx) error {
		for range 2 {
			number, err := tx.Sales().NextNumber("T1-20261121")
			if err != nil {
				return err
			}
			fmt.Println(number)
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// 1
	// 2
	// <nil>
}
