// Package fit divides space: the columns of a row among its words, and the rows of a window among
// its panes.
package fit
