package sqlstore

// Comparisons are the statements that compare all rows of a table with others.
func Comparisons() map[string]string {
	return map[string]string{
		"stray events": strayEvents, "others' events": othersEvents, "forgotten events": forgottenEvents,
		"contrary events": contraryEvents, "stray items": strayItems, "paid once only": onceOnly,
		"late orders": lateOrders, "events of orders": eventsOfOrders,
	}
}
