package storagetest

import (
	"errors"
	"testing"

	"checkout/till/payments"
)

func catalogueTests() []test {
	return []test{
		{"keeps articles, also after a restart", articlesSurvive},
		{"lists what is used most first, and then by label", articlesByUse},
		{"refuses a label or a code that another article has", articlesUnique},
		{"gives a favourite's place to the one who asked last", favouriteMoves},
		{"drops an article, and one that is not there, and takes it back with its count", articleDropped},
		{"keeps a discount in a sale and in an order", discountsSurvive},
	}
}

func article(id, label, code string) payments.Article {
	return payments.Article{ID: id, Label: label, UnitPrice: 3500, Code: code}
}

func saveArticles(t *testing.T, store Store, articles ...payments.Article) {
	t.Helper()
	for _, article := range articles {
		update(t, store, func(tx payments.Tx) error { return tx.Sales().SaveArticle(article) })
	}
}

func expectArticles(t *testing.T, store Store, want ...payments.Article) {
	t.Helper()
	got, err := store.Articles(t.Context())
	check(t, "articles", err)
	expect(t, "how many articles", len(got), len(want))
	for i := range got {
		expect(t, "article", got[i], want[i])
	}
}

func articlesSurvive(t *testing.T, open Opener) {
	store := open(t)
	expectArticles(t, store)
	kept := payments.Article{ID: "a", Label: "Vary “gasy”", UnitPrice: payments.MaxAriary, Code: "6111000000017", Favourite: 9}
	saveArticles(t, store, kept)
	kept.UnitPrice, kept.Code = 1, ""
	saveArticles(t, store, kept)
	check(t, "close", store.Close())
	expectArticles(t, open(t), kept)
}

func articlesByUse(t *testing.T, open Opener) {
	store := open(t)
	a, b, c := article("1", "Coca", ""), article("2", "Akoho", ""), article("3", "Vary", "")
	saveArticles(t, store, a, b, c)
	expectArticles(t, store, b, a, c)
	for _, label := range []string{"Vary", "Vary", "Coca", "nobody's"} {
		update(t, store, func(tx payments.Tx) error { return tx.Sales().CountUse(label) })
	}
	a.Uses, c.Uses = 1, 2
	expectArticles(t, store, c, a, b)
	c.Uses, c.UnitPrice = 99, 4000
	saveArticles(t, store, c)
	c.Uses = 2
	expectArticles(t, store, c, a, b)
}

func articlesUnique(t *testing.T, open Opener) {
	store := open(t)
	first := article("1", "Vary", "101")
	saveArticles(t, store, first, article("2", "Coca", ""), article("3", "Koba", ""))
	for _, refused := range []struct {
		article payments.Article
		want    error
	}{
		{article("4", "Vary", "102"), payments.ErrLabelTaken},
		{article("2", "Vary", ""), payments.ErrLabelTaken},
		{article("4", "Mofo", "101"), payments.ErrCodeTaken},
		{article("2", "Coca", "101"), payments.ErrCodeTaken},
	} {
		err := store.Update(t.Context(), func(tx payments.Tx) error { return tx.Sales().SaveArticle(refused.article) })
		if !errors.Is(err, refused.want) {
			t.Errorf("%+v: %v, want %v", refused.article, err, refused.want)
		}
	}
	expectArticles(t, store, article("2", "Coca", ""), article("3", "Koba", ""), first)
}

func favouriteMoves(t *testing.T, open Opener) {
	store := open(t)
	first, second, third := article("1", "Coca", ""), article("2", "Koba", ""), article("3", "Vary", "")
	first.Favourite, third.Favourite = 1, 2
	saveArticles(t, store, first, second, third)
	second.Favourite, first.Favourite = 1, 0
	saveArticles(t, store, second)
	expectArticles(t, store, first, second, third)
}

func articleDropped(t *testing.T, open Opener) {
	store := open(t)
	kept := article("1", "Coca", "")
	saveArticles(t, store, kept, article("2", "Koba", "7"))
	for range 2 {
		update(t, store, func(tx payments.Tx) error { return tx.Sales().DropArticle("2") })
		expectArticles(t, store, kept)
	}
	back := article("3", "Koba", "7")
	back.Uses = 12
	saveArticles(t, store, back)
	expectArticles(t, store, back, kept)
}

func discountsSurvive(t *testing.T, open Opener) {
	store := open(t)
	sale := sold("s1", "T1", 0, "Vary")
	sale.Name = "Rado"
	sale.Items[0].UnitPrice, sale.Items[0].ListPrice = 3000, 3500
	saveSale(t, store, sale)
	order := numbered(1)
	order.Items = sale.Items
	update(t, store, func(tx payments.Tx) error { return tx.InsertOrder(order) })
	check(t, "close", store.Close())
	store = open(t)
	expectSales(t, store, "T1", sale)
	read, _, err := store.Order(t.Context(), order.Reference)
	check(t, "order", err)
	expect(t, "the item", read.Items[0], sale.Items[0])
}
