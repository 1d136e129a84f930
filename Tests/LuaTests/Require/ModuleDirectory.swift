import Foundation

/// A directory of files for one test; removed with the object.
final class ModuleDirectory: Sendable {
    let path: String

    init(_ files: [String: String]) throws {
        path = FileManager.default.temporaryDirectory.path + "/nightjar-modules-" + UUID().uuidString
        for (name, text) in files { try add(name, text) }
    }

    func add(_ name: String, _ text: String) throws {
        let file = path + "/" + name
        try FileManager.default.createDirectory(atPath: String(file[..<file.lastIndex(of: "/")!]), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
