// The closure of a function takes as many values as it has arguments.
// expected: expects 2 arguments, but 1 was used in closure body
import Lua

let function = Function("search", "Searches.", Argument("query", String.self, "words"), Argument("limit", Int.self, "at most")) {
    (query: String) -> Int in query.utf8.count
}
