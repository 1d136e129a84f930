import CLuaShim
import Glibc

/// Where `require` finds modules, and how it reads them.
enum ModuleSearch {
    /// User trees of LuaRocks, besides what liblua was built with and `LUA_PATH` says.
    private static var userTree: String? { getenv("HOME").map { String(cString: $0) + "/.luarocks" } }

    /// Sets `package.path` and `package.cpath`.
    static func setPaths(in lua: LuaContext, _ configuration: LuaConfiguration) {
        let tree = userTree
        lua_getglobal(lua.L, "package")
        set("path", configuration.modulePaths, tree.map { "\($0)/share/lua/5.4/?.lua;\($0)/share/lua/5.4/?/init.lua" }, lua)
        set("cpath", configuration.nativeModulePaths, tree.map { "\($0)/lib/lua/5.4/?.so" }, lua)
        lua.pop()
    }

    /// Replaces a path by `paths`, or adds `tree` to the standard one.
    private static func set(_ field: String, _ paths: [String]?, _ tree: String?, _ lua: LuaContext) {
        if let paths {
            lua.setField(field, paths.joined(separator: ";"))
        } else if let tree {
            lua_getfield(lua.L, -1, field)
            let standard = lua.borrowBytes(at: -1).map { String(decoding: $0, as: UTF8.self) } ?? ""
            lua.pop()
            lua.setField(field, standard + ";" + tree)
        }
    }

    /// `current_file()`: the file of the module that the running task is loading, or of its script.
    static let currentFile: LuaBody = { lua in
        let task = lua.host.current
        if let file = task?.loads.last?.file ?? task?.scriptFile { try file.encode(to: lua) } else { lua.pushNil() }
        return 1
    }

    /// `beside(requiring file, name)`: the file of a module next to the file that requires it.
    static let beside: LuaBody = { lua in
        guard let bytes = lua.borrowBytes(at: 1) else {
            lua.pushNil()
            return 1
        }
        let name = try String.decode(from: lua, at: 2)
        let requiring = String(decoding: bytes, as: UTF8.self)
        let directory = requiring.lastIndex(of: "/").map { String(requiring[..<$0]) } ?? "."
        let isSandboxed = lua.host.configuration.libraries == .sandbox
        let path = name.replacing(".", with: "/")
        let found = isSandboxed && !isModuleName(name) ? nil
            : ["\(directory)/\(path).lua", "\(directory)/\(path)/init.lua"].first { isReadable($0, under: isSandboxed ? directory : nil) }
        if let found { try found.encode(to: lua) } else { lua.pushNil() }
        return 1
    }

    /// `search(name)`: the file of a module in a sandbox's paths; else nil and where it was sought.
    static let search: LuaBody = { lua in
        let name = try String.decode(from: lua, at: 1)
        let templates = lua.host.configuration.modulePaths ?? []
        guard isModuleName(name) else { throw LuaError(.module, "\(quoted(name)) is no module name") }
        let files = templates.map { $0.replacing("?", with: name.replacing(".", with: "/")) }
        let found = zip(templates, files).first { template, file in isReadable(file, under: directory(of: template)) }
        if let (_, file) = found {
            try file.encode(to: lua)
            return 1
        }
        lua.pushNil()
        try files.map { "\n\tno file '\($0)'" }.joined().encode(to: lua)
        return 2
    }

    /// `load(file, environment or nil)`: the chunk of a file.
    static let load: LuaBody = { lua in
        let file = try String.decode(from: lua, at: 1)
        let source = try read(file)
        try lua.load(source, name: "@" + file)
        if lua_type(lua.L, 2) == LUA_TTABLE {
            lua_pushvalue(lua.L, 2)
            if lua_setupvalue(lua.L, -2, 1) == nil { lua.pop() }
        }
        return 1
    }

    /// `not_found(name, messages)`: raises.
    static let notFound: LuaBody = { lua in
        let name = try String.decode(from: lua, at: 1)
        let messages = try [String].decode(from: lua, at: 2)
        let places = messages.flatMap { $0.split(separator: "\n") }.map { String($0.drop { $0 == "\t" }) }
        throw LuaError(
            .module, "module \(quoted(name)) not found" + places.map { "\n  \($0)" }.joined(),
            hint: "put it beside the script, or into one of these places")
    }

    /// Names without a way out of the search paths: words joined by dots.
    private static func isModuleName(_ name: String) -> Bool {
        !name.isEmpty && name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 != 0 }
        }
    }

    /// Whether `path` is a readable file, and when `root` is given, one really inside it.
    private static func isReadable(_ path: String, under root: String?) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0 else { return false }
        guard let root else { return true }
        guard let real = resolved(path), let realRoot = resolved(root) else { return false }
        return real.hasPrefix(realRoot == "/" ? "/" : realRoot + "/")
    }

    /// The directory that a template's modules are in: what comes before the first part with a `?`.
    private static func directory(of template: String) -> String {
        let fixed = template.prefix { $0 != "?" }
        guard let slash = fixed.lastIndex(of: "/") else { return "." }
        return slash == fixed.startIndex ? "/" : String(fixed[..<slash])
    }

    private static func resolved(_ path: String) -> String? {
        guard let buffer = realpath(path, nil) else { return nil }
        defer { free(buffer) }
        return String(cString: buffer)
    }

    /// The bytes of a file as Lua source.
    static func read(_ path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw LuaError(.module, "cannot open \(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer[..<count]
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                throw LuaError(.module, "cannot read \(path): \(String(cString: strerror(errno)))")
            }
        }
    }
}
