@testable import Lua

/// A small module with one of everything that a declaration can say.
enum ExampleCatalog {
    static let reviews = Module("nightjar.reviews", "Albums and their reviews.") {
        Function(
            "search", "Albums whose title or artist match the text. Finds parts of words.",
            Argument("query", String.self, "words of title and artist"),
            Argument("options", SearchOptions.self, "how to search"),
            returns: "albums, best match first"
        ) { query, options in
            await Task.yield()
            return Array(repeating: Album(id: 1, title: query, artist: nil, tracks: []), count: options.limit)
        }
        .raises(.timeout, .denied)
        .example("local albums = reviews.search(\"blue\", { limit = 2 })\nassert(#albums == 2)")

        Function(
            "submit", "Writes a review.",
            Argument("album", Album.self, "what it is about"),
            Argument("on_conflict", Conflict.self, "what to do when there is one", default: .fail),
            returns: "what happened, and the rating"
        ) { album, conflict in (conflict.rawValue, album.id) }
            .example("assert(reviews.submit({ id = 3, title = 'Blue', tracks = {} }, 'skip') == 'skip')")

        Function(
            "each", "Calls a function for each name.", Argument("fn", LuaCallback<Bool, Album>.self, "says whether to go on"),
            Argument("names", Variadic<String>.self, "titles")
        ) { fn, names in
            for name in names.values where try await !fn(Album(id: 1, title: name, artist: nil, tracks: [])) { return }
        }
        .example("local n = 0 reviews.each(function(album) n = n + #album.title return true end, 'ab', 'c') assert(n == 3)")

        Function("player", "A player.", returns: "the player") { Player() }
            .example("local p <close> = reviews.player() p.volume = 3 p:play(1) assert(p.volume == 3)")

        Constant("best", "The highest rating.", 10)
        Label.self
    }

    static let catalog = Catalog([reviews, taskModule])
}

extension ExampleCatalog {
    struct Album: LuaRecord, Equatable {
        var id: Int
        var title: String
        var artist: Artist?
        var tracks: [String]

        static let luaSchema = LuaSchema(
            "Album", "An album of the catalogue.",
            Field("id", \Album.id, "its number"),
            Field("title", \.title, "its title"),
            Field("artist", \.artist, "who made it"),
            Field("tracks", \.tracks, "titles in order"),
            make: Album.init)
    }

    /// An album mentions its artist, an artist a label, a label its albums.
    struct Artist: LuaRecord, Equatable {
        var name: String
        var label: Label?

        static let luaSchema = LuaSchema(
            "Artist", "Somebody who makes music.", Field("name", \Artist.name, "as printed"), Field("label", \.label, "who sells it"),
            make: Artist.init)
    }

    struct Label: LuaRecord, Equatable {
        var albums: [Album]

        static let luaSchema = LuaSchema("Label", "A record label.", Field("albums", \Label.albums, "what it sells"), make: Label.init)
    }

    enum Conflict: String, LuaEnumeration {
        case fail, skip, update
        static let luaText = "What to do with an album that was reviewed before."
    }

    struct SearchOptions: LuaOptions {
        var limit: Int
        var conflict: Conflict?

        static let luaSchema = LuaSchema(
            "SearchOptions", "How to search.", Field("limit", \SearchOptions.limit, "at most so many", default: 20, in: 1...100),
            Field("conflict", \.conflict, "only these"), make: SearchOptions.init)
    }

    final class Player: LuaObject, @unchecked Sendable {
        // Scripts of one state use it, one at a time.
        var volume = 50

        static let luaClass = LuaClass<Player>(
            "Player", "Plays music.",
            methods: [
                Method("play", "Starts a track.", Argument("id", Int.self, "the track")) { player, id in
                    await Task.yield()
                    player.volume = max(player.volume, id)
                }.raises(.timeout).example("reviews.player():play(7)"),
            ],
            properties: [
                Property("volume", "0 to 100", get: { $0.volume }, set: { $0.volume = $1 }),
                Property("title", "what plays") { _ in "Blue" },
            ],
            close: { _ in })
    }
}
