package sqlstore

import (
	"context"
	"time"

	"checkout/till/payments"
)

// Numbers are the last numbers that a database issued.
type Numbers struct {
	Tag  string
	Last map[string]int64 // The last issued number of each series, by the name of the series.
}

// ReadNumbers reads the tag of a database and the last numbers that it issued.
func ReadNumbers(ctx context.Context, database Endpoint) (given Numbers, err error) {
	t, err := begin(ctx, database.Pool, database.Dialect, database.Dialect.BeginRead)
	if err != nil {
		return given, err
	}
	defer t.release(false)
	if given.Tag, err = t.Tag(); err != nil {
		return given, err
	}
	given.Last = make(map[string]int64)
	for _, kind := range payments.NumberKinds() {
		counted, err := t.counted(kind)
		if err != nil {
			return given, err
		}
		for _, each := range counted {
			given.Last[each.series] = each.value
		}
	}
	return given, nil
}

// SkipNumbers makes a restored backup continue above the numbers of the replaced database. If that
// database has another tag, the numbers that were issued after the backup are unknown. SkipNumbers
// then raises the numbers of the given till and of all known tills to the next thousand, and
// returns true. now gives the day, because order numbers have a series for each day.
func SkipNumbers(ctx context.Context, backup Endpoint, former Numbers, till string, now time.Time) (thousand bool, err error) {
	t, err := begin(ctx, backup.Pool, backup.Dialect, backup.Dialect.BeginWrite)
	if err != nil {
		return false, err
	}
	defer t.release(false) // Rolls back unless committed.
	tag, err := t.Tag()
	if err != nil {
		return false, err
	}
	if thousand = tag != former.Tag; thousand {
		err = t.skipToThousand(tag, till, now)
	} else {
		err = t.skipTo(former.Last)
	}
	if err != nil {
		return false, err
	}
	t.queue(&Statement{What: "commit", Text: "COMMIT"})
	return thousand, t.flush()
}

func (t *tx) skipTo(last map[string]int64) error {
	const raise = `INSERT INTO counters (series, value, skipped) VALUES ($1, $2, $2) ON CONFLICT (series) DO UPDATE
		SET value = excluded.value, skipped = counters.skipped + excluded.value - counters.value WHERE excluded.value > counters.value`
	for series, value := range last {
		if err := t.write("skip numbers", raise, series, value); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) skipToThousand(tag, till string, now time.Time) error {
	const raise = `INSERT INTO counters (series, value, skipped) VALUES ($1, 1000, 1000) ON CONFLICT (series) DO UPDATE
		SET value = 1000 * (counters.value / 1000 + 1), skipped = counters.skipped + 1000 - counters.value % 1000`
	tills, err := list(t, "read the tills", column[string], `SELECT code FROM tills WHERE code <> $1`, payments.TillCode(till))
	if err != nil {
		return err
	}
	for _, code := range append(tills, till) {
		for _, kind := range payments.NumberKinds() {
			if err := t.write("skip numbers", raise, kind.Series(code, tag, now)); err != nil {
				return err
			}
		}
	}
	return nil
}
