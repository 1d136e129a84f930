import Foundation
import Testing

/// Each room may import what its row says and nothing else.
@Suite struct RoomsTests {
    private static let rooms: [String: Set<String>] = [
        "Lua": ["CLuaShim", "Dispatch", "FoundationEssentials", "Glibc", "Synchronization"],
        "CLuaShim": [], "CLua": [],
    ]

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")

    @Test func `every room of the sources has its row`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        #expect(Set(folders) == Set(Self.rooms.keys))
    }

    @Test func `a room imports only what its row says`() throws {
        var checked = 0
        for (room, allowed) in Self.rooms {
            let folder = Self.sources.appending(path: room)
            for case let file as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() where file.hasSuffix(".swift") {
                let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                checked += 1
                for match in text.matches(of: /(?m)^(?:@\w+ |public |package |internal )*import (\w+)/) {
                    #expect(allowed.contains(String(match.1)), "\(room)/\(file) imports \(match.1)")
                }
            }
        }
        #expect(checked > 30)
    }
}
