package barcode_test

import (
	"fmt"
	"strings"
	"testing"

	"checkout/till/payments/barcode"
)

func TestEqualCodesHaveTheSameCanonicalForm(t *testing.T) {
	for want, forms := range map[string][]string{
		"0012345678905": { // This is an EAN-13; the UPC has 12 digits.
			"012345678905", "0012345678905", "00012345678905", "0 012345 678905", "0 12345 67890 5", "0-12345-67890-5",
			"]E00012345678905", "0\u00a012345\u202f678905", " 012345678905\r\n", "012345678905.0",
			"12345678905", "12345678905.0", "https://example.com/01/012345678905",
		},
		"5449000054227": {
			"5449000054227", "05449000054227", "5 449000 054227", "]E05449000054227", "]C05449000054227", "5449000054227.0",
			"]C10105449000054227", "]C1010544900005422710AB\x1d17261231", "]C11726123110A]B\x1d0105449000054227",
			"]d20105449000054227211234", "]Q30105449000054227", "]e00105449000054227", "\x1d0105449000054227",
			"]d2310300123401054490000542271712", "]C1\x1d0105449000054227", "(01)05449000054227", "(17)261231(01)05449000054227(10)A",
			"https://id.gs1.org/01/05449000054227/10/AB?17=261231", "HTTP://example.com/a/01/05449000054227", "]Q1https://id.gs1.org/01/05449000054227?a",
			"5449000054227\x1d",
		},
		"96385074":                   {"96385074", "9638 5074", "0000096385074", "000096385074", "00000096385074", "]E496385074"},
		"15449000054224":             {"15449000054224", "1 54 49000 05422 4", "]C10115449000054224"},
		"HA112":                      {"HA112", "ha112", " Ha112 ", "]C0ha112", "]A0HA112"},
		"1001":                       {"1001", "1001.0", "1001,00"},
		"HTTPS://A/01/0544900005422": {"https://a/01/0544900005422"},
		"12345678906":                {"12345678906"}, // The check digit is wrong.
		"A-1":                        {"A-1", "a-1"},
		"5449000054228":              {"5449000054228", "]E05449000054228"}, // The check digit is wrong.
		"0 012345 678906":            {"0 012345 678906"},
		"12-34":                      {"12-34"},
		"3.5":                        {"3.5"},
		".0":                         {".0"},
		"010544900005422":            {"]C1010544900005422"}, // Too short.
		"0205449000054227371":        {"]C10205449000054227371"},
		"(10)AB":                     {"(10)ab"},
		"]E0":                        {"]E0"},
		"]]]":                        {"]]]"},
		"":                           {"", " ", "\x1d"},
	} {
		for _, form := range forms {
			if got := barcode.Canonical(form); got != want {
				t.Errorf("Canonical(%q) is %q, want %q", form, got, want)
			}
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{"]C10105449000054227", "]E0]d2(01)", "0 012345 678905", "1.0.0", "]ı1a", "http://a/01/05449000054227", "\x1dhttp://a/01/12345678905", "\x1d\x1d01", "ŉ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := barcode.Canonical(text)
		if twice := barcode.Canonical(once); twice != once {
			t.Errorf("Canonical(%q) is %q, and Canonical of that is %q", text, once, twice)
		}
		if barcode.Canonical("]E0"+text) != once && strings.TrimSpace(text) == text && text != "" {
			t.Errorf("with a symbology identifier %q has another canonical form", text)
		}
	})
}

func ExampleCanonical() {
	for _, text := range []string{"0 12345 67890 5", "]E00012345678905", "(01)00012345678905(10)AB", "ha112"} {
		fmt.Println(barcode.Canonical(text))
	}
	// Output:
	// 0012345678905
	// 0012345678905
	// 0012345678905
	// HA112
}
