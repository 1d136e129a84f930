import Foundation
import Testing

/// The files of `Tests/MustNotCompile` against the built module: each says in its second line with
/// what diagnostic the compiler refuses it; `Control.swift` compiles.
@Suite struct MustNotCompileTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "MustNotCompile")
    private static let expected = "// expected: "

    static let files: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: sources.path)
        return (names ?? []).filter { $0.hasSuffix(".swift") && $0 != "Control.swift" }.sorted()
    }()

    @Test func `there are files that must not compile`() {
        #expect(Self.files.count >= 7)
    }

    @Test(arguments: files)
    func `what would break a promise is refused by the compiler`(_ file: String) async throws {
        guard let compiler = try await Compiler() else { return }
        let source = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
        let line = try #require(source.split(separator: "\n").first { $0.hasPrefix(Self.expected) }, "\(file) does not say what to expect")
        let (status, output) = try await compiler.check(Self.sources.appending(path: file))
        #expect(status != 0, "\(file) compiles")
        let diagnostics = output.split(separator: "\n").filter { $0.contains(": error: ") }
        #expect(diagnostics.contains { $0.contains(line.dropFirst(Self.expected.count)) }, "\(file): \(output)")
    }

    @Test func `what keeps the promises compiles the same way`() async throws {
        guard let compiler = try await Compiler() else { return }
        let (status, output) = try await compiler.check(Self.sources.appending(path: "Control.swift"))
        #expect(status == 0, "\(output)")
    }
}

/// The compiler, with what it needs to import the module that was built with this test.
private struct Compiler {
    private let path: String
    private let arguments: [String]

    /// nil, with the reason printed, where there is no compiler or no module.
    init?() async throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        guard let path = folders.map({ $0 + "/swiftc" }).first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            print("skipped MustNotCompile: no swiftc in PATH")
            return nil
        }
        let products = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).deletingLastPathComponent()
        let modules = products.appending(path: "Modules"), map = products.appending(path: "CLuaShim.build/module.modulemap")
        for needed in [modules.appending(path: "Lua.swiftmodule"), map] where !FileManager.default.fileExists(atPath: needed.path) {
            print("skipped MustNotCompile: there is no \(needed.path)")
            return nil
        }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let flags = try await run("/usr/bin/env", ["pkg-config", "--cflags", "lua5.4"]).output.split(whereSeparator: \.isWhitespace).map(String.init)
        self.path = path
        // As far as SIL: what is sent from one actor to another is checked there.
        arguments = [
            "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library", "-I", modules.path, "-I", root.appending(path: "Sources/CLua").path,
            "-Xcc", "-fmodule-map-file=\(map.path)", "-Xcc", "-I\(root.appending(path: "Sources/CLuaShim/include").path)",
        ] + flags.flatMap { ["-Xcc", $0] }
    }

    func check(_ file: URL) async throws -> (status: Int32, output: String) { try await run(path, arguments + [file.path]) }
}

/// Runs a program to its end; its output and its errors are one text.
private func run(_ program: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
    try await withCheckedThrowingContinuation { continuation in
        // Waits, so not on a thread of the common pool.
        DispatchQueue.global().async {
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments = arguments
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            do {
                try process.run()
                let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
                process.waitUntilExit()
                continuation.resume(returning: (process.terminationStatus, String(decoding: output, as: UTF8.self)))
            } catch { continuation.resume(throwing: error) }
        }
    }
}
