// This one compiles: that the others do not is no fault of the way they are compiled.
import Lua

struct Album: LuaRecord {
    var id: Int
    var title: String

    static let luaSchema = LuaSchema("Album", "An album.", Field("id", \Album.id, "its number"), Field("title", \.title, "its title")) { id, title in
        Album(id: id, title: title)
    }
}

let function = Function("search", "Searches.", Argument("query", String.self, "words"), Argument("limit", Int.self, "at most", default: 5)) {
    (query: String, limit: Int) -> [Album] in [Album(id: limit, title: query)]
}

func push(_ lua: LuaContext) throws { try Album(id: 1, title: "a").encode(to: lua) }
