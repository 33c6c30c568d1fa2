package catalog_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/catalog"
)

func TestHeadingsNameTheColumns(t *testing.T) {
	readsAs(t, map[string]string{
		"in another order":                "code;label;unit_price\n5449000054227;Vary;3500\n",
		"with a buying and a sales price": "Désignation;Prix achat;Prix vente;Code barres\nVary;2000;3500;5449000054227\n",
		"with prices without and with tax": "Code article;Libellé;PA HT;PV HT;PV TTC;Code-barres;Famille\n" +
			"ART1;Vary;2000;2917;3500,00;5449000054227;Riz\n",
		"in Malagasy": "Anarana;Vidiny;Kaody\nVary;3500;5449000054227\n",
		"of a till with variants and several shops": "Handle,SKU,Name,Category,Sold by weight,Cost,Barcode,Track stock,Price [Tana],In stock [Tana]\n" +
			"vary,10001,Vary,Riz,N,2000.00,5449000054227,N,3500.00,7\n",
		"of a till with a stock code and a unit cost": "Token,Item Name,Variation Name,SKU,Description,Price,Default Unit Cost,GTIN\n" +
			"A1,Vary,Regular,10001,Rice,3500.00,2000.00,5449000054227\n",
		"of a program with internal references": "External ID,Name,Internal Reference,Barcode,Sales Price,Cost\n" +
			"p1,Vary,V-1,5449000054227,3500.0,2000.0\n",
		"with the names of fields": "Réf.* (p.ref);Libellé* (p.label);Prix d'achat (p.cost_price);Prix de vente HT (p.price);" +
			"Prix de vente TTC (p.price_ttc);Code-barres (p.barcode)\nV1;Vary;2000.00000000;2917.00000000;3500.00000000;5449000054227\n",
		"with supply and retail prices": "id,handle,code,name,description,supply_price,retail_price\n1,vary,5449000054227,Vary,Rice,2000,3500\n",
		"with buy and sell prices":      "Reference,Barcode,Name,Buy Price,Sell Price,Category,Tax\n001,5449000054227,Vary,2000.0,3500.0,Riz,0.2\n",
		"of a web shop":                 "ID,SKU,Name,Sale price,Regular price,\"GTIN, UPC, EAN, or ISBN\"\n1,10001,Vary,,3500,5449000054227\n",
		"of a web shop with variants": "Handle,Title,Variant SKU,Variant Price,Variant Compare At Price,Variant Barcode\n" +
			"vary,Vary,10001,3500.00,4000.00,5449000054227\n",
		"with the currency": "Article;Prix (Ar);Code\nVary;3 500;5449000054227\n",
	}, payments.Article{Label: "Vary", UnitPrice: 3500, Code: "5449000054227"})
}

func TestHeadingsWithoutALabelOrAPriceAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"Désignation;Prix achat\nVary;2000\n":           `no heading names the column unit_price; the file has Désignation, Prix achat. Rename the right heading`,
		"Name,Cost,Barcode\nVary,2000,1\n":              `no heading names the column unit_price; the file has Name, Cost, Barcode. Rename the right heading`,
		"Désignation;PV HT\nVary;2917\n":                `no heading names the column unit_price; the file has Désignation, PV HT. Rename the right heading`,
		"Famille;Prix\nRiz;3500\n":                      `no heading names the column label; the file has Famille, Prix. Rename the right heading`,
		"Name,Price [Tana],Price [Toliara]\nVary,1,2\n": `no heading names the column unit_price; the file has Name, Price [Tana], Price [Toliara]. Rename the right heading`,
	} {
		_, err := catalog.Read([]byte(text))
		if wrong, ok := errors.AsType[*catalog.HeadingsError](err); !ok || wrong.Error() != want {
			t.Errorf("%q gives %v, want %s", text, err, want)
		}
	}
}

func TestReadAcceptsTheFormatsOfSpreadsheets(t *testing.T) {
	readsAs(t, map[string]string{
		"cents that are zero":             "Vary;3500,00;00123\n",
		"many decimals that are zero":     "Vary;3500.00000000;00123\n",
		"the currency":                    "Vary;3 500 Ar;00123\n",
		"the currency before":             "Vary;Ar 3500;00123\n",
		"no-break spaces":                 "Vary;3\u00a0500\u00a0Ar;00123\n",
		"a formula that keeps a text":     "Vary;3500;=\"00123\"\n",
		"such a formula in quotes":        "Vary;3500;\"=\"\"00123\"\"\"\n",
		"a line that names the separator": "sep=;\nVary;3500;00123\n",
		"such a line of Windows":          "sep=;\r\nlabel;unit_price;code\r\nVary;3500;00123\r\n",
		"the line ends of an old Mac":     "label;unit_price;code\rVary;3500;00123\r",
		"a code with a fraction":          "label;unit_price;code\nVary;3500;00123.0\n",
	}, payments.Article{Label: "Vary", UnitPrice: 3500, Code: "00123"})
	table := read(t, "sep=;\nlabel;unit_price;code;favourite\nVary;3500,50;1;1\nRiz;6E+3;2;2\nCoca;2000;6E+12;3\nKoba;500;;10\nMofo;3,500;;\nSoda;100;;yes\n")
	want := strings.Join([]string{
		`line 3, column unit_price: "3500,50": a price has no cents: write a whole number, as 3500`,
		`line 4, column unit_price: "6E+3": a spreadsheet has shortened the number and lost digits: give its column the format text, and type it again`,
		`line 5, column code: "6E+12": a spreadsheet has shortened the number and lost digits: give its column the format text, and type it again`,
		`line 6, column favourite: "10": a favourite's place is 1 to 9, or 0 for none`,
		`line 7, column unit_price: "3,500": the price is not a whole number above zero: write it as 3500 or 3 500`,
		`line 8, column favourite: "yes": a favourite's place is 1 to 9, or 0 for none`,
	}, "\n")
	if got := faults(table.Faults); got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
}

func TestTheUnitIsReadInThreeLanguages(t *testing.T) {
	for text, want := range map[string]string{
		"label;unit_price;unit\nVary;2500;kg\n": "kg", "Désignation;Prix unitaire;Unité\nVary;2500;Kilo\n": "kg",
		"Libellé;PU;U.\nVary;2500;L\n": "l", "Anarana;Vidiny;Unite\nVary;2500;mètre\n": "m",
		"Article;Prix;U\nVary;2500;pièce\n": "", "label,unit_price,code,favourite,unit\nVary,2500,,,\n": "", "Vary,2500,,,kg\n": "kg",
	} {
		table := read(t, text)
		want := []payments.Article{{Label: "Vary", UnitPrice: 2500, Unit: want}}
		if got := articles(table); !slices.Equal(got, want) || len(table.Faults) != 0 {
			t.Errorf("%q gives %+v, want %+v", text, table, want)
		}
	}
}
