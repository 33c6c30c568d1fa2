package order

// ParseItem lets tests read items without a command line.
var ParseItem = parseItem
