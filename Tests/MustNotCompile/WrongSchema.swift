// A record is made of all its fields.
// expected: expects 2 arguments, but 1 was used in closure body
import Lua

struct Album: LuaRecord {
    var id: Int
    var title: String

    static let luaSchema = LuaSchema("Album", "An album.", Field("id", \Album.id, "its number"), Field("title", \.title, "its title")) { id in
        Album(id: id, title: "")
    }
}
