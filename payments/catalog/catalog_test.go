package catalog_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"checkout/till/payments"
	"checkout/till/payments/catalog"
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
)

func read(t *testing.T, text string) catalog.Table {
	t.Helper()
	table, err := catalog.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// readsAs checks that each of the texts is read as these articles, without faults.
func readsAs(t *testing.T, texts map[string]string, want ...payments.Article) {
	t.Helper()
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			if table := read(t, text); !slices.Equal(articles(table), want) || len(table.Faults) != 0 || table.Windows1252 {
				t.Errorf("read %+v", table)
			}
		})
	}
}

// articles returns the articles of the valid lines.
func articles(table catalog.Table) []payments.Article {
	var found []payments.Article
	for _, row := range table.Rows {
		found = append(found, row.Article)
	}
	return found
}

// faults returns the errors of the invalid lines, each on a line.
func faults(faults []catalog.LineError) string {
	var all []string
	for _, fault := range faults {
		all = append(all, fault.Error())
	}
	return strings.Join(all, "\n")
}

func TestUnknownUnitsOfValidLinesAreListedOnce(t *testing.T) {
	table := read(t, "label,unit_price,code,favourite,unit\nVary,3500,,,lb\nRiz,3500,,,kg\nKoba,free,,,box\nCoca,2000,,,\nMofo,100,,,lb\nTaty,1,,,Pièce\nLay,1,,,sac\x1b 5\n")
	if got := strings.Join(table.Units, ","); got != "lb,sac 5" {
		t.Errorf("got the unknown units %q", got)
	}
}

func vary() payments.Article {
	return payments.Article{Label: "Vary", UnitPrice: 3500, Code: "6111000000017"}
}

func coca() payments.Article { return payments.Article{Label: "Coca, 1 L", UnitPrice: 2000} }

func TestReadAcceptsSeparatorsHeadingsAndLineEnds(t *testing.T) {
	readsAs(t, map[string]string{
		"with commas":                   "label,unit_price,code\nVary,3500,6111000000017\n\"Coca, 1 L\",2000,\n",
		"with semicolons":               "label;unit_price;code\nVary;3500;6111000000017\nCoca, 1 L;2000;\n",
		"with tabs":                     "label\tunit_price\tcode\nVary\t3500\t6111000000017\nCoca, 1 L\t2000\t\n",
		"with empty lines":              "Vary;3500;6111000000017\n;;\n\nCoca, 1 L;2000;\n;;\n",
		"without headings":              "Vary,3500,6111000000017\n\"Coca, 1 L\",2000\n",
		"without headings, semicolons":  "Vary;3500;6111000000017\nCoca, 1 L;2000\n",
		"with a byte order mark":        "\ufefflabel,unit_price,code\nVary,3500,6111000000017\n\"Coca, 1 L\",2000,\n",
		"with the line ends of Windows": "label;unit_price;code\r\nVary;3500;6111000000017\r\nCoca, 1 L;2000;\r\n",
		"with French headings":          "Désignation;Prix unitaire;Code-barres\nVary;3 500;6111000000017\nCoca, 1 L;2\u202f000;\n",
		"with an unknown column":        "label;unit_price;code;stock\nVary;3500;6111000000017;7\nCoca, 1 L;2000;;\n",
		"with blanks around the cells":  " Vary ; 3500 ; 6111000000017 \nCoca, 1 L ;2000\n",
		"with blanks before quotes":     "label, unit_price, code\nVary, \"3500\", \"6111000000017\"\n \"Coca, 1 L\", 2000,\n",
		"with the end of a DOS file":    "Vary;3500;6111000000017\r\nCoca, 1 L;2000\r\n\x1a",
		"with titles":                   "Liste des articles;;\n\nTana;;\nlabel;unit_price;code\nVary;3500;6111000000017\nCoca, 1 L;2000;\n",
		"with a title without a separator": "Liste des articles\nDésignation;Prix achat;Prix vente;Code\n" +
			"Vary;3000;3500;6111000000017\nCoca, 1 L;1;2000;\n",
	}, vary(), coca())
}

func TestEachWrongLineIsReported(t *testing.T) {
	text := `label,unit_price,code
Vary,3500,1
 ,3500,2
Coca,,
Coca,"3,50",
Coca,0,
Coca,-5,
Coca,3 50,
Coca,9999999999999999,
Coca,2000,61 11
Coca,2000,"6,111E+12"
Vary,100,
Riz,100,1
Ko"ba,100,
Mofo,300,
"Never,300,
Lost,1,
`
	table := read(t, text)
	want := `line 3, column label: the label is missing: write the article's name
line 4, column unit_price: the price is missing: write it as 3500
line 5, column unit_price: "3,50": a price has no cents: write a whole number, as 3500
line 6, column unit_price: "0": the price is not a whole number above zero: write it as 3500 or 3 500
line 7, column unit_price: "-5": the price is not a whole number above zero: write it as 3500 or 3 500
line 8, column unit_price: "3 50": the price is not a whole number above zero: write it as 3500 or 3 500
line 9, column unit_price: "9999999999999999": the price is too large: the highest is 1000000000000
line 10, column code: "61 11": a code has no blanks and at most 64 characters: correct it or leave it blank
line 11, column code: "6,111E+12": a spreadsheet has shortened the number and lost digits: give its column the format text, and type it again
line 12, column label: "Vary": line 2 has the same label: keep one of them
line 13, column code: "1": line 2 has the same code: keep one of them
line 14: its quotes do not match, to line 14: write a quote within a cell twice, and the cell in quotes
line 16: its quotes do not match, to line 17: write a quote within a cell twice, and the cell in quotes`
	if got := faults(table.Plan(nil).Faults); got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
	if got := len(table.Rows); got != 2 {
		t.Errorf("%d valid lines, want Vary and Mofo: %+v", got, table.Rows)
	}
}

func TestAFileThatIsNoTableIsRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want error
	}{
		"nothing":                {"", catalog.ErrEmpty},
		"blank lines":            {"\n;;\n", catalog.ErrEmpty},
		"only headings":          {"label;unit_price;code\n", catalog.ErrEmpty},
		"more than a shop sells": {strings.Repeat("Vary,3500,\n", catalog.MaxFile/10), catalog.ErrTooLarge},
		"UTF-16":                 {"\xff\xfeV\x00a\x00r\x00y\x00;\x001\x00", catalog.ErrEncoding},
		"the old DOS encoding":   {"Caf\x82,1000\n", catalog.ErrEncoding},
		"the î of DOS":           {"Huile ma\x8ctre,1000\n", catalog.ErrEncoding},
	} {
		t.Run(name, func(t *testing.T) {
			if table, err := catalog.Read([]byte(tt.text)); !errors.Is(err, tt.want) {
				t.Errorf("%v with %d lines, want %v", err, len(table.Rows), tt.want)
			}
		})
	}
}

func TestAnAmountMayHaveGroupsAndCentsThatAreZero(t *testing.T) {
	for text, want := range map[string]money.Ariary{
		"3500": 3500, "3 500 Ar": 3500, "3,500": 3500, "3.500": 3500, "Ar 3,500.00": 3500, "3.500,00 MGA": 3500, "1,234,567": 1234567,
		"3500.00": 3500, "3,50": 0, "3500,5": 0, "1,234.567": 0, "12,34,567": 0, "-3,500": 0, "": 0,
	} {
		if got, err := catalog.ParseAmount(text); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q is %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestWindows1252IsRecognized(t *testing.T) {
	table := read(t, "libell\xe9;prix\nCaf\xe9 moulu;1\xa0000\nSac \xe0 dos;1\n\xc9ponge;1\nFa\xe7on d\x92\xeatre;1\nB\x9cuf \xabzebu\xbb;1\n\x8cufs;1\nB\x8cUF;1\n")
	want := []string{"Café moulu", "Sac à dos", "Éponge", "Façon d’être", "Bœuf «zebu»", "Œufs", "BŒUF"}
	var got []string
	for _, article := range articles(table) {
		got = append(got, article.Label)
	}
	if !slices.Equal(got, want) || !table.Windows1252 {
		t.Errorf("read %q (%v), want %q", got, table.Windows1252, want)
	}
}

func TestComposedAndDecomposedAccentsAreEqual(t *testing.T) {
	table := read(t, "P\u00e2t\u00e9;1000\nPa\u0302te\u0301;2000\n")
	if got, want := faults(table.Faults), `line 2, column 1: "Pâté": line 1 has the same label: keep one of them`; got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
}

func TestPlanAddsAndChangesArticles(t *testing.T) {
	have := []payments.Article{
		{ID: "v", Label: "Vary", UnitPrice: 3500, Code: "1", Favourite: 1, Uses: 7},
		{ID: "c", Label: "Coca", UnitPrice: 2000, Code: "2", Favourite: 2},
		{ID: "k", Label: "Koba", UnitPrice: 500},
		{ID: "m", Label: "Menaka", UnitPrice: 6000, Unit: "l"},
	}
	with := func(i int, change func(a *payments.Article)) payments.Article {
		article := have[i]
		change(&article)
		return article
	}
	type list = []payments.Article
	renamed := with(0, func(a *payments.Article) { a.Label = "Vary gasy" })
	const ofAnother = `line 1, column 3: "2": the code is that of "Coca" in the catalogue: correct the code or the label`
	for name, tt := range map[string]struct {
		text           string
		added, changed list
		unchanged      int
		faults         string
	}{
		"a new one is added":           {text: "Mofo,300,3,", added: list{{Label: "Mofo", UnitPrice: 300, Code: "3"}}},
		"the same changes nothing":     {text: "Vary,3500,1\nKoba,500,", unchanged: 2},
		"missing cells change nothing": {text: "Vary,3500\nCoca,2000", unchanged: 2},
		"a price is changed by the label": {
			text: "Koba,600", changed: list{with(2, func(a *payments.Article) { a.UnitPrice = 600 })},
		},
		"a label is changed by the code": {text: "Vary gasy,3500,1", changed: list{renamed}},
		"a code is given by the label": {
			text: "Koba,500,9", changed: list{with(2, func(a *payments.Article) { a.Code = "9" })},
		},
		"a unit is set": {
			text: "Koba,500,,,kg", changed: list{with(2, func(a *payments.Article) { a.Unit = "kg" })},
		},
		"a missing unit changes nothing": {text: "Menaka,6000,,,\nKoba,500,,,carton", unchanged: 2},
		"a unit is removed": {
			text: "Menaka,6000,,,piece", changed: list{with(3, func(a *payments.Article) { a.Unit = "" })},
		},
		"a favourite is placed": {
			text: "Koba,500,,3", changed: list{with(2, func(a *payments.Article) { a.Favourite = 3 })},
		},
		"a favourite loses its place": {text: "Vary,3500,1,0", changed: list{with(0, func(a *payments.Article) { a.Favourite = 0 })}},
		"two favourites change places": {text: "Vary,3500,1,2\nCoca,2000,2,1", changed: list{
			with(0, func(a *payments.Article) { a.Favourite = 2 }), with(1, func(a *payments.Article) { a.Favourite = 1 }),
		}},
		"a place is taken from an article of the table": {text: "Koba,500,,1\nVary,3500,1", changed: list{
			with(2, func(a *payments.Article) { a.Favourite = 1 }), with(0, func(a *payments.Article) { a.Favourite = 0 }),
		}},
		"a place is taken from an article outside the table": {text: "Koba,500,,2", changed: list{
			with(2, func(a *payments.Article) { a.Favourite = 2 }), with(1, func(a *payments.Article) { a.Favourite = 0 }),
		}},
		"the code of one article with the label of another": {text: "Vary,3500,2", faults: ofAnother},
		"a label that another line gave up": {
			text: "Vary gasy,3500,1\nVary,100", changed: list{renamed},
			faults: `line 2, column 1: "Vary": line 1 is for the same article of the catalogue, "Vary": keep one of them`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			plan := read(t, tt.text).Plan(have)
			var changed, added list
			for _, change := range plan.Changed {
				if !slices.Contains(have, change.From) || change.From.ID != change.To.ID {
					t.Errorf("changes %+v", change)
				}
				changed = append(changed, change.To)
			}
			for _, change := range plan.Added {
				added = append(added, change.To)
			}
			if !slices.Equal(added, tt.added) || !slices.Equal(changed, tt.changed) ||
				plan.Unchanged != tt.unchanged || faults(plan.Faults) != tt.faults {
				t.Errorf("planned %+v", plan)
			}
			if got := plan.Changes(); len(got) != len(tt.added)+len(tt.changed) {
				t.Errorf("changes %+v", got)
			}
		})
	}
}

func TestWriteEscapesFormulas(t *testing.T) {
	type list = []payments.Article
	const head = "label,unit_price,code,favourite,unit\r\n"
	for name, tt := range map[string]struct {
		articles list
		want     string
	}{
		"has only headings without articles": {nil, head},
		"has a line for each article": {
			list{vary(), coca()}, head + "Vary,3500,6111000000017,,\r\n\"Coca, 1 L\",2000,,,\r\n",
		},
		"has the places of favourites": {
			list{{Label: "Vary", UnitPrice: 1, Favourite: 9}}, head + "Vary,1,,9,\r\n",
		},
		"has the unit": {list{{Label: "Vary", UnitPrice: 1, Unit: "kg"}}, head + "Vary,1,,,kg\r\n"},
		"has no formula in a label or in a code": {
			list{{Label: "=1+1", UnitPrice: 1, Code: "-5"}}, head + "'=1+1,1,'-5,,\r\n",
		},
		"has no formula after a semicolon": {
			list{{Label: "a;=1+1", UnitPrice: 1}, {Label: "b;c", UnitPrice: 2}},
			head + "\"a;'=1+1\",1,,,\r\n\"b;c\",2,,,\r\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := writeArticles(&out, tt.articles); err != nil || out.String() != tt.want {
				t.Errorf("wrote %q (%v), want %q", &out, err, tt.want)
			}
		})
	}
	full, writer := io.Pipe()
	broken := errors.New("disk full")
	_ = full.CloseWithError(broken)
	if err := writeArticles(writer, []payments.Article{vary()}); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the disk", err)
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add("Vary", int64(3500), "6111000000017", 1)
	for _, label := range []string{
		"=1+1", "'x", "''", "'=1", "@SUM(A1)", "－1", "a,\"b\"", "a;b;c", "a;=1", "a;'=1", ";'", "label", "é'", "100", "'",
	} {
		f.Add(label, int64(1), label, 0)
	}
	f.Fuzz(func(t *testing.T, label string, price int64, code string, place int) {
		article, err := payments.NewArticle(label, money.Ariary(price), code)
		if err != nil || place < 0 || place > payments.MaxFavourite || strings.Contains(article.Code, "E+") || !norm.NFC.IsNormalString(label+code) {
			return // A code with E+ is refused as a shortened number. Accents are converted to NFC.
		}
		article.Favourite = place
		article.Unit = payments.Units()[place%len(payments.Units())]
		want := []payments.Article{article, {Label: article.Label + "2", UnitPrice: 1}}
		if clean.Text(want[1].Label, payments.MaxLabelWidth) != want[1].Label {
			want = want[:1]
		}
		var out bytes.Buffer
		if err := writeArticles(&out, want); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(out.Bytes())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range slices.Concat(rows...) {
			for part := range strings.SplitSeq(cell, ";") { // A French Excel also splits cells at semicolons.
				if strings.IndexAny(part, "=+-@\t\r\n|%＝＋－＠") == 0 {
					t.Errorf("%q begins like a formula", cell)
				}
			}
		}
		table, err := catalog.Read(out.Bytes())
		if err != nil || len(table.Faults) != 0 || !slices.Equal(articles(table), want) {
			t.Errorf("%+v came back as %+v, %v", want, table, err)
		}
	})
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "label,unit_price,code\nVary,3500,1\n", ",\rA", "\"", "sep=\t\nVary\t1", "a;b\n\"c;1\n", "Caf\xe9,1", ",,\n'=1,1",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		table, err := catalog.Read(file)
		if err != nil {
			return
		}
		lines := max(bytes.Count(file, []byte("\n")), bytes.Count(file, []byte("\r"))) + 1
		for _, fault := range table.Plan(nil).Faults {
			if fault.Line < 1 || fault.Line > lines || clean.Text(fault.Error(), 10_000) != fault.Error() && fault.Says == "" {
				t.Errorf("%q has the fault %+v", file, fault)
			}
		}
		for _, row := range table.Rows {
			checked, err := payments.NewArticle(row.Article.Label, row.Article.UnitPrice, row.Article.Code)
			checked.Favourite = row.Article.Favourite
			if slices.Contains(payments.Units(), row.Article.Unit) {
				checked.Unit = row.Article.Unit
			}
			if err != nil || checked != row.Article || row.Line < 1 || row.Line > lines {
				t.Errorf("%q gives %+v (%v)", file, row, err)
			}
		}
	})
}

// writeArticles writes articles with the headings that Read needs.
func writeArticles(to io.Writer, articles []payments.Article) error {
	headings := []any{"label", "unit_price", "code", "favourite", "unit"}
	return catalog.WriteTable(to, ',', append([][]any{headings}, catalog.Rows(articles)...))
}

func Example() {
	table, err := catalog.Read([]byte("label;unit_price;code\nVary;3 500;101\nCoca;free;\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	plan := table.Plan([]payments.Article{{ID: "1", Label: "Vary", UnitPrice: 3000, Code: "101"}})
	fmt.Println(len(plan.Added), len(plan.Changed), plan.Faults[0])
	var out strings.Builder
	if err := writeArticles(&out, []payments.Article{plan.Changed[0].To}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.ReplaceAll(out.String(), "\r\n", "\n"))
	// Output:
	// 0 1 line 3, column unit_price: "free": the price is not a whole number above zero: write it as 3500 or 3 500
	// label,unit_price,code,favourite,unit
	// Vary,3500,101,,
}
