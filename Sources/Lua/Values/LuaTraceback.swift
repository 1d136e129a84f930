import CLuaShim

/// The calls that led to an error, innermost first; frames of the runtime itself are left out.
public struct LuaTraceback: Sendable, Hashable {
    public struct Frame: Sendable, Hashable {
        public enum Kind: Sendable, Hashable {
            /// A Lua function.
            case function
            /// The body of a script or module.
            case main
            /// A function of the host or of the standard library.
            case host
            /// The place where a task was spawned; the frames after it are the spawner's.
            case spawn
        }

        public let kind: Kind
        /// The script as messages show it, empty for host functions.
        public let source: String
        public let line: Int?
        /// The function as its caller knows it.
        public let name: String?
    }

    public var frames: [Frame]
}

extension LuaTraceback: CustomStringConvertible {
    /// One line a frame, as a script's author reads it.
    public var description: String {
        frames.map { frame in
            let place = frame.line.map { "\(frame.source):\($0)" } ?? frame.source
            switch frame.kind {
            case .function: return frame.name.map { "\(place): in \($0)" } ?? "\(place): in a function"
            case .main: return "\(place): in the main part"
            case .host: return "in \(frame.name ?? "a host function")"
            case .spawn: return "\(place): spawned here"
            }
        }.joined(separator: "\n")
    }
}

extension LuaTraceback.Frame {
    /// nil for frames that say nothing to the author of a script.
    init?(_ frame: shim_frame) {
        let source = text(of: frame.source), name = text(of: frame.name)
        switch UInt8(bitPattern: frame.kind) {
        case UInt8(ascii: "C"):
            guard !name.isEmpty else { return nil }
            self.init(kind: .host, source: "", line: nil, name: name)
        case UInt8(ascii: "S"):
            self.init(kind: .spawn, source: source, line: frame.line > 0 ? Int(frame.line) : nil, name: nil)
        default:
            guard source != Prelude.shortSource else { return nil }
            let isMain = UInt8(bitPattern: frame.kind) == UInt8(ascii: "M")
            self.init(
                kind: isMain ? .main : .function, source: source, line: frame.line > 0 ? Int(frame.line) : nil,
                name: name.isEmpty ? nil : name)
        }
    }
}

/// The text in a fixed C array of characters.
private func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

extension LuaTraceback {
    /// The frames of a captured stack. A stack taken in `shim_push_error` holds its frames in a
    /// flexible array: only `count` of them exist.
    init(_ trace: UnsafePointer<shim_trace>) {
        let count = Int(trace.pointee.count)
        let first = UnsafeRawPointer(trace) + MemoryLayout<shim_trace>.offset(of: \.frames)!
        let frames = UnsafeBufferPointer(start: first.assumingMemoryBound(to: shim_frame.self), count: count)
        self.init(frames: frames.compactMap(Frame.init))
    }
}
