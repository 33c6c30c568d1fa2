package sale

import (
	"strconv"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// Tiles stand in rows of three; a tile is a row higher, and its key is named
// above them, while the sale is empty.
const (
	perRow   = 3
	tileRows = 4
)

// next is the article that Enter adds, if what is typed names one.
func (m Model) next() (payments.Article, bool) {
	switch fit := m.choice.fit; {
	case m.choice.chosen > 0:
		return fit.Best[m.choice.chosen-1], true
	case fit.Sure:
		return fit.Best[0], true
	}
	return payments.Article{}, false
}

// tile draws the favourite at a place; blanks where there is none.
func (m Model) tile(place, width, height int) []string {
	article, found := m.stock.shelf.Favourite(place)
	if !found {
		return make([]string, height)
	}
	next, named := m.next()
	return pane.Tile(m.Theme, strconv.Itoa(place), article.Label, i18n.Number(int64(article.UnitPrice)),
		named && next.ID == article.ID, width, height)
}

// places is the last place of a favourite.
func (m Model) places() int {
	if all := m.favourites(); len(all) > 0 {
		return all[len(all)-1].Favourite
	}
	return 0
}

// tiles draws the favourites in as many rows of three as room allows.
func (m Model) tiles(grid layout.Layout, room int) []string {
	wanted := min(grid.Tiles, (m.places()+perRow-1)/perRow)
	if wanted == 0 {
		return nil
	}
	height := tileRows
	var rows []string
	// An empty sale gives the rows of its lines.
	if words := m.Texts.Sale; m.cart.Empty() && room >= wanted*(tileRows+1)+1 {
		height++
		rows = append(rows, theme.Spread("  "+m.Theme.Strong.Render(words.Favourites), words.FavouriteKeys+"  ", grid.Main))
	}
	width := (grid.Main - (perRow-1)*layout.Gap) / perRow
	for row := range min(wanted, max(0, room-len(rows))/height) {
		left, middle := m.tile(row*perRow+1, width, height), m.tile(row*perRow+2, width, height)
		right := m.tile(row*perRow+3, grid.Main-2*(width+layout.Gap), height)
		for i := range height {
			rows = append(rows, theme.Left(left[i], width+layout.Gap)+theme.Left(middle[i], width+layout.Gap)+right[i])
		}
	}
	return rows
}

// favouriteColumn draws the favourites one below the other, and the sales that
// are held.
func (m Model) favouriteColumn(width int) []string {
	words := m.Texts.Sale
	rows := []string{theme.Spread("  "+m.Theme.Strong.Render(words.Favourites), words.FavouriteShort+"  ", width)}
	if m.places() == 0 {
		rows = append(append(rows, ""), indent(indent(m.wrapped(m.Theme.Text.Render, words.NoFavourites, width-4, 4)))...)
		rows = append(rows, "")
	}
	for place := 1; place <= m.places() && len(rows)+tileRows <= m.size.Height; place++ {
		rows = append(rows, m.tile(place, width, tileRows)...)
	}
	rest := m.size.Height - len(rows)
	if m.Held() == 0 || rest < tileRows {
		return rows
	}
	var sum payments.Ariary
	held := pane.Pane{Title: words.OnHold}
	if rest > tileRows+1 {
		held.Rows = append(held.Rows, "")
	}
	for _, sale := range m.cart.Held() {
		total, err := payments.Total(sale.Items)
		if err == nil {
			sum += total
		}
		const cells = 19
		held.Rows = append(held.Rows, theme.Left(sale.Name, width-4-cells)+
			m.Theme.Strong.Render(theme.Right(i18n.Number(int64(total)), 11))+m.Theme.Muted.Render(theme.Right(m.since(sale), 8)))
	}
	held.Right = strconv.Itoa(m.Held()) + " · " + i18n.Money(sum)
	return append(rows, held.Lines(m.Theme, width, rest)...)
}
