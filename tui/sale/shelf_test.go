package sale_test

import (
	"fmt"
	"strings"

	"checkout/till/payments"
)

// articles are what the shop sells at a fixed price.
func articles() []payments.Article {
	return []payments.Article{
		{ID: "1", Label: "Vary gasy", UnitPrice: 3500, Code: "6111000000017"},
		{ID: "2", Label: "Vary stock", UnitPrice: 3000, Code: "12"},
		{ID: "3", Label: "Coca 1L", UnitPrice: 6000, Code: "A1"},
		{ID: "4", Label: "Coca", UnitPrice: 2000, Favourite: 1},
		{ID: "5", Label: "Éclair", UnitPrice: 4500, Favourite: 3},
		{ID: "6", Label: "Eau 150", UnitPrice: 700, Code: "E150"},
		{ID: "7", Label: "2*Savon", UnitPrice: 900, Code: "SAV"},
		{ID: "8", Label: "Vis 400x20", UnitPrice: 100},
		{ID: "9", Label: "Bon 2000 Ar", UnitPrice: 1900, Code: "20001111"},
	}
}

func item(label string, price payments.Ariary, quantity int64) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity}
}

// stall is a shelf of n articles of some length.
func stall(n int) []payments.Article {
	words := strings.Fields("Vary Menaka Savony Coca Éclair Ronono Sira Siramamy Kafe Dité Paty Voanjo Tsaramaso Labozia Afokasika")
	made := make([]payments.Article, n)
	for i := range made {
		label := fmt.Sprintf("%s %s %s %d", words[i%15], words[i/15%15], words[i/225%15], i)
		made[i] = payments.Article{
			ID: label, Label: label, UnitPrice: payments.Ariary(100 + i), Code: fmt.Sprintf("61110000%05d", i), Uses: int64(i % 97),
		}
	}
	return made
}
