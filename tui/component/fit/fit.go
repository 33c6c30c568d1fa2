// Package fit divides space: the columns of a row among its words, and the rows of a window among
// its panes. [Line] and [Share] report whether the space is enough.
package fit
