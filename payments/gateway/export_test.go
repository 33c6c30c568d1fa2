package gateway

// VisitWith is visit with the given client.
var VisitWith = visit
