// Package fit divides space: the columns of a row among its words, and the rows of a window among
// its panes. It guarantees that no word or pane exceeds the space that it is given.
package fit
