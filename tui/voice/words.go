package voice

import "strings"

// malagasy returns the words for n, which is not negative. The smallest part comes first: 23 is
// "telo amby roapolo".
func malagasy(n int64) string {
	words := strings.Fields("lavitrisa tapitrisa hetsy alina arivo " +
		"sivinjato valonjato fitonjato eninjato dimanjato efajato telonjato roanjato zato " +
		"sivifolo valopolo fitopolo enimpolo dimampolo efapolo telopolo roapolo folo " +
		"sivy valo fito enina dimy efatra telo roa iray")
	for i, value := range []int64{
		1_000_000_000, 1_000_000, 100_000, 10_000, 1000,
		900, 800, 700, 600, 500, 400, 300, 200, 100,
		90, 80, 70, 60, 50, 40, 30, 20, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
	} {
		if n < value {
			continue
		}
		head, rest := words[i], malagasy(n%value)
		if n >= 2000 {
			head = malagasy(n/value) + " " + head
		}
		if n < 200 && rest == "iray" {
			rest = "iraika"
		}
		switch {
		case n%value == 0:
			return head
		case n < 20:
			return rest + " ambin'ny " + head
		case n < 200:
			return rest + " amby " + head
		}
		return rest + " sy " + head
	}
	return "aotra"
}
