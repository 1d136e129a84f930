import Lua

struct Record: LuaRecord {
    var id: Int
    var title: String
    var artist: String
    var year: Int
    var rating: Double

    static let luaSchema = LuaSchema("Record", "An album.",
        Field("id", \Record.id, "number"), Field("title", \.title, "title"), Field("artist", \.artist, "artist"),
        Field("year", \.year, "year"), Field("rating", \.rating, "rating"), make: Record.init)
}

/// Only the benchmark's script touches it, one call at a time.
final class Counter: LuaObject, @unchecked Sendable {
    // Touched by synchronous methods only, which run on the state's thread.
    var value = 0

    static let luaClass = LuaClass<Counter>("Counter", "Counts.", methods: [
        Method("add", "Adds.", Argument("n", Int.self, "how many"), returns: "the sum") { counter, n in
            counter.value += n
            return counter.value
        }
    ])
}

final class Gauge: LuaObject {
    let value = 7
    static let luaClass = LuaClass<Gauge>("Gauge", "Shows.", properties: [Property("value", "the value") { $0.value }])
}

struct NoSuchAlbum: Error {}

actor Service {
    private var calls = 0
    func call() -> Int {
        calls += 1
        return calls
    }
}

let service = Service()

/// The functions whose calls are measured.
let subject = Module("subject", "Functions to measure.") {
    Function("add", "Adds.", Argument("a", Int.self, "first"), Argument("b", Int.self, "second"), returns: "the sum") { a, b in a &+ b }
    Function("join", "Joins.", Argument("a", String.self, "first"), Argument("b", String.self, "second"), returns: "both") { a, b in a + b }
    Function("make_record", "Makes a record.", Argument("id", Int.self, "number"), returns: "the record") { id in
        Record(id: id, title: "Kind of Blue", artist: "Miles Davis", year: 1959, rating: 4.5)
    }
    Function("read_record", "Reads a record.", Argument("record", Record.self, "the record"), returns: "a number") { record -> Int in
        record.id + record.year + Int(record.rating) + record.title.utf8.count + record.artist.utf8.count
    }
    Function("fail", "Fails.") { () throws -> Int in throw NoSuchAlbum() }
    Function("counter", "Makes a counter.", returns: "it") { Counter() }
    Function("gauge", "Makes a gauge.", returns: "it") { Gauge() }
    Function("here", "Asynchronous, and never suspends.", returns: "1") { () async throws -> Int in 1 }
    Function("service", "Calls an actor.", returns: "a number") { () async throws -> Int in await service.call() }
    Function("suspend", "Suspends once.", returns: "1") { () async throws -> Int in
        await Task.yield()
        return 1
    }
}
