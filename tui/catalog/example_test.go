package catalog_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/catalog"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest/counter"
)

// rack is a shelf that holds the same articles all the time.
type rack []payments.Article

func (r rack) Articles(context.Context) ([]payments.Article, error) { return r, nil }

func (r rack) SaveArticles(context.Context, []payments.Article) ([]payments.Article, error) {
	return nil, nil
}

func (r rack) DropArticle(context.Context, string) error { return nil }

// now runs work at once.
func now(work func(ctx context.Context) tea.Msg) tea.Cmd {
	return func() tea.Msg { return work(context.Background()) }
}

// shelf is the screen with many articles.
func shelf(b *testing.B, count int) catalog.Model {
	b.Helper()
	screen, read := catalog.New(catalog.Config{
		Shelf: rack(many(count)), Run: now, Theme: theme.Plain(), Texts: counter.Texts(b, "en"),
	}).SetSize(80, 21).Update(live.Entered{})
	screen, _ = screen.Update(read())
	return screen
}

func Example() {
	texts, err := i18n.Load(assets.Locales, "en")
	if err != nil {
		fmt.Println(err)
		return
	}
	articles := rack{{ID: "1", Label: "Vary gasy", UnitPrice: 3500, Code: "6111000000017", Favourite: 1}}
	config := catalog.Config{Shelf: articles, Run: now, Theme: theme.Plain(), Texts: texts}
	screen, read := catalog.New(config).SetSize(80, 5).Update(live.Entered{})
	screen, _ = screen.Update(read())
	fmt.Println(strings.TrimRight(strings.Split(screen.View(), "\n")[2], " "))
	// Output: › 1    Vary gasy                                    3 500  6111000000017       0
}
