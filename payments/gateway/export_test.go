package gateway

// VisitWith is visit.
var VisitWith = visit
