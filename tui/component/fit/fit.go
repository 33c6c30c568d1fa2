// Package fit divides room: the columns of a row among its words, and the rows of a window among its
// panes. It guarantees that nothing is wider or higher than its room.
package fit
