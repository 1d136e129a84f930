// The closure of a function takes what its arguments say.
// expected: cannot convert value of type '@Sendable (String, String) -> Int'
import Lua

let function = Function("search", "Searches.", Argument("query", String.self, "words"), Argument("limit", Int.self, "at most")) {
    (query: String, limit: String) -> Int in query.utf8.count
}
