package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// blockSize is how many orders are searched together. A smaller block is
	// read faster, a larger one makes the index smaller.
	blockSize = 64
	// gramSize is the longest run of characters that is looked up as one.
	gramSize = 4
	// maxGrams is how many runs of a text are looked up. What they find is
	// compared with the whole text.
	maxGrams = 16
)

const (
	lastBlock = `SELECT coalesce(max(block), -1) FROM order_blocks`
	lastOrder = `SELECT coalesce(max(id), 0) FROM orders`

	textsOfBlock = `SELECT search FROM orders WHERE id > $1 AND id <= $2`

	// The sums keep a planner from looking for the oldest and the newest by the
	// index of times, through all orders of the shop, instead of by key.
	addBlock = `INSERT INTO order_blocks (block, oldest, newest) VALUES ($1,
		(SELECT coalesce(min(created_at + 0), 0) FROM orders WHERE id > $2 AND id <= $3),
		(SELECT max(newest) FROM (SELECT coalesce(max(created_at + 0), 0) AS newest FROM orders WHERE id > $2 AND id <= $3
			UNION ALL SELECT * FROM (SELECT newest FROM order_blocks ORDER BY block DESC LIMIT 1) before) blocks))`
)

// Grams is an index of the runs of characters in documents, by their numbers.
type Grams struct {
	// Add is the statement that adds a text, $2, to what document $1 holds: runs,
	// parted by blanks.
	Add string
	// Tidy is the statement that does a little of what keeps the index fast.
	// Empty when nothing needs to be done.
	Tidy string
	// Table is the index, as it stands in a FROM. Its rows have a rowid, the
	// document's number, by which they come in descending order when asked.
	Table string
	// Match is the condition that a document has what its parameter asks for.
	Match func(parameter string) string
	// Query is what that parameter is for documents that have all of these runs,
	// or, for one that is shorter than others, a run that begins with it.
	Query func(runs []string) string
}

// blockOf returns the block of an order's key, and ends its first and its last
// key, of which the first is not included.
func blockOf(id int64) int64 { return (id - 1) / blockSize }

func ends(block int64) (before, last int64) { return block * blockSize, (block + 1) * blockSize }

// gramSet is the runs of a document.
type gramSet map[[gramSize]rune]struct{}

// add adds the runs of a text. Its last characters begin runs, too, which end
// in what no text that is searched for holds.
func (s gramSet) add(text string) {
	var run [gramSize]rune
	for _, r := range text + strings.Repeat("\n", gramSize) {
		copy(run[:], run[1:])
		run[gramSize-1] = letter(r)
		if run[0] != 0 {
			s[run] = struct{}{}
		}
	}
}

// String is the document of the set.
func (s gramSet) String() string {
	var text strings.Builder
	for run := range s {
		text.WriteString(string(run[:]))
		text.WriteByte(' ')
	}
	return text.String()
}

// letter returns a letter for every character: itself where it is an ASCII
// letter or digit, and otherwise one of many others, which two characters may
// share.
func letter(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return r
	}
	const first, count = 0x4E00, 0x5000 // Ideographs.
	return first + r%count
}

// gramsOf returns what documents are asked for that may hold a folded text: the
// runs of it, or the text alone when it is shorter than a run.
func gramsOf(text string) []string {
	letters := []rune(strings.Map(letter, text))
	if len(letters) < gramSize {
		return []string{string(letters)}
	}
	var runs []string
	for i := 0; i+gramSize <= len(letters) && len(runs) < maxGrams; i++ {
		if run := string(letters[i : i+gramSize]); !slices.Contains(runs, run) {
			runs = append(runs, run)
		}
	}
	return runs
}

// Short tells whether runs are one that is shorter than others.
func Short(runs []string) bool { return len(runs) == 1 && utf8.RuneCountInString(runs[0]) < gramSize }

// indexed returns the last order that the index holds.
func indexed(query queryFunc) (int64, error) {
	block, err := one(query, scanInt, lastBlock)
	if err != nil {
		return 0, fmt.Errorf("read how far orders are indexed: %w", err)
	}
	_, last := ends(block)
	return last, nil
}

// due tells whether another block is to be indexed: a whole one, and not the
// newest, whose orders may still be without their order references.
func due(last, newest int64) bool { return last+2*blockSize <= newest }

// grams is how the database searches in texts.
func (t *transaction) grams() Grams { return t.batch.writer.dialect.Grams() }

// indexNew indexes the block that has become due with a new order.
func (t *transaction) indexNew(id int64) error {
	if id%blockSize != 0 || t.grams().Add == "" {
		return nil
	}
	last, err := indexed(t.query)
	if err != nil || !due(last, id) {
		return err
	}
	return t.indexBlock(blockOf(last + 1))
}

func (t *transaction) indexBlock(block int64) error {
	before, last := ends(block)
	texts, err := list(t.query, scanText, textsOfBlock, before, last)
	if err != nil {
		return fmt.Errorf("read the texts of orders: %w", err)
	}
	grams := gramSet{}
	for _, text := range texts {
		grams.add(text)
	}
	if err := t.addGrams(block, grams); err != nil {
		return err
	}
	if tidy := t.grams().Tidy; tidy != "" {
		if _, err := t.exec(tidy); err != nil {
			return fmt.Errorf("tidy the index: %w", err)
		}
	}
	if _, err := t.exec(addBlock, block, before, last); err != nil {
		return fmt.Errorf("note that orders are indexed: %w", err)
	}
	return nil
}

// indexLate adds what an order is found by and had not when its block was
// indexed.
func (t *transaction) indexLate(id int64, text string) error {
	if t.grams().Add == "" {
		return nil
	}
	last, err := indexed(t.query)
	if err != nil || id > last {
		return err
	}
	grams := gramSet{}
	grams.add(text)
	return t.addGrams(blockOf(id), grams)
}

func (t *transaction) addGrams(block int64, grams gramSet) error {
	if _, err := t.exec(t.grams().Add, block, grams.String()); err != nil {
		return fmt.Errorf("index orders: %w", err)
	}
	return nil
}

// indexBlocks indexes what is not yet, as after an older version of the program
// or a copy, some blocks at a time. Quietly it does not touch the change
// sequence.
func (s *Store) indexBlocks(ctx context.Context, quietly bool) error {
	const some = 100
	for behind := s.writer.dialect.Grams().Add != ""; behind; {
		err := s.writer.do(ctx, func(tx *transaction) error {
			last, err := indexed(tx.query)
			if err != nil {
				return err
			}
			newest, err := one(tx.query, scanInt, lastOrder)
			for n := 0; err == nil && n < some && due(last, newest); n++ {
				err = tx.indexBlock(blockOf(last + 1))
				last += blockSize
			}
			behind = due(last, newest)
			if err == nil && quietly {
				err = tx.quieten()
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func scanText(scan scanFunc) (text string, err error) {
	err = scan(&text)
	return text, err
}
