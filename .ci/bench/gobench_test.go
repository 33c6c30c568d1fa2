package main

import (
	"reflect"
	"testing"
)

func TestTheFiguresOfBenchmarksAreRead(t *testing.T) {
	const out = `goos: linux
pkg: checkout/till/storage/sqlite
BenchmarkScale/day's_sums-2         	      21	        65.35 us@1k	         0.9910 x@100k
BenchmarkScale/search/two_words-16  	      21	      1234 LIKE-x
BenchmarkSize-2 	       1	      1321 B/order
PASS
ok  	checkout/till/storage/sqlite	36.871s
`
	want := figures{
		"Scale/day's_sums":       {"us@1k": 65.35, "x@100k": 0.991},
		"Scale/search/two_words": {"LIKE-x": 1234},
		"Size":                   {"B/order": 1321},
	}
	if got := readFigures([]byte(out)); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
