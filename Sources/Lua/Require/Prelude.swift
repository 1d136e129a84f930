import CLuaShim

/// The part of the runtime that is written in Lua: `require`, and the globals of a sandbox.
enum Prelude {
    /// How frames of this source are recognised, to be left out of tracebacks.
    static let shortSource = "[nightjar]"

    /// Registry keys of what the prelude returns.
    static let newEnvironment = "nightjar.new_environment"
    static let preloaded = "nightjar.preloaded"
    static let sharedGlobals = "nightjar.shared_globals"
    static let freeze = "nightjar.freeze"

    private static let source = """
        local host, sandboxed = ...
        local type, error, setmetatable, getmetatable, rawget, rawset, next, pairs, ipairs, tostring, load, sub, unpack, getinfo =
          type, error, setmetatable, getmetatable, rawget, rawset, next, pairs, ipairs, tostring, load, string.sub, table.unpack, host.getinfo
        local preloaded, shared = {}, {}

        -- Tables of the host: read as usual, written with an error.
        local frozen = setmetatable({}, { __mode = "k" })
        local function freeze(t, name)
          local view = setmetatable({}, {
            __index = t,
            __newindex = function(_, key) error("cannot set '" .. tostring(key) .. "': " .. name .. " is read-only", 2) end,
            __pairs = function() return next, t, nil end,
            __len = function() return #t end,
            __metatable = false,
          })
          frozen[view] = name
          return view
        end

        -- The file of the code that called require; C functions between the two, like pcall, do not
        -- count. A tail call has left no trace: then the file of the module or script that runs.
        local function requiring_file()
          local level, frame = 3, getinfo(2)
          while frame and not frame.istailcall do
            frame = getinfo(level)
            if frame and frame.source ~= "=[C]" then
              return sub(frame.source, 1, 1) == "@" and sub(frame.source, 2) or nil
            end
            level = level + 1
          end
          return host.current_file()
        end

        -- One require for each set of loaded modules.
        local function make_require(loaded, environment, preload, searchers)
          local origins, files = {}, {}

          local function search(name)
            local messages = {}
            local found = preload and preload[name]
            if found ~= nil then return found, ":preload:" end
            if preloaded[name] ~= nil then return preloaded[name], ":host:" end
            for _, searcher in ipairs(searchers(environment)) do
              local loader, extra = searcher(name)
              if type(loader) == "function" then return loader, extra end
              if type(loader) == "string" then messages[#messages + 1] = loader end
            end
            host.not_found(name, messages)
          end

          return function(name)
            if type(name) ~= "string" then
              error("bad argument #1 to 'require' (string expected, got " .. type(name) .. ")", 2)
            end
            local file = host.beside(requiring_file(), name)
            local key = file or name
            repeat
              local value = loaded[name]
              if value and (not file or origins[name] == nil or origins[name] == file) then return value end
              if file and origins[name] == file then
                -- The script took it out of the loaded modules: it wants it anew.
                origins[name], files[file] = nil, nil
              elseif file and files[file] ~= nil then
                return files[file]
              end
              -- Waits where another task is loading it, and looks again.
            until host.begin(key, name, file)
            local finish <close> = setmetatable({}, { __close = function() host.finish(key) end })
            local loader, extra
            if file and preloaded[name] == nil and not (preload and preload[name]) then
              loader, extra = host.load(file, environment), file
            else
              loader, extra = search(name)
              if type(extra) == "string" and sub(extra, 1, 1) ~= ":" then host.found(key, extra) end
            end
            local value = loader(name, extra)
            if value ~= nil then
              if loaded[name] == nil or not file then loaded[name] = value end
            elseif loaded[name] == nil then
              loaded[name] = true
            end
            if value == nil then value = loaded[name] end
            if file then
              files[file] = value
              if loaded[name] == value then origins[name] = file end
            end
            return value, extra
          end
        end

        local function sandbox_searchers(environment)
          return { function(name)
            local file, message = host.search(name)
            if file then return host.load(file, environment), file end
            return message
          end }
        end

        local function copy(t)
          local result = {}
          for key, value in pairs(t) do result[key] = value end
          return result
        end

        local libraries = { "coroutine", "string", "table", "math", "utf8", "os" }
        local functions = { "assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "print", "rawequal",
          "rawget", "rawlen", "select", "tonumber", "tostring", "type", "xpcall", "_VERSION" }
        local base = _G

        -- Globals for one script of a sandbox. It may change them all; nobody else sees it.
        local function new_environment()
          local environment = setmetatable({}, { __index = shared, __metatable = false })
          environment._G = environment
          for _, name in ipairs(functions) do environment[name] = base[name] end
          for _, name in ipairs(libraries) do environment[name] = copy(base[name]) end
          function environment.load(chunk, name, _, env)
            if env == nil then env = environment end
            -- Only the host says which files there are: require goes by the names of chunks.
            if type(name) == "string" and sub(name, 1, 1) == "@" then name = "=" .. sub(name, 2) end
            return load(chunk, name, "t", env)
          end
          function environment.rawset(t, key, value)
            if frozen[t] then error(frozen[t] .. " is read-only", 2) end
            return rawset(t, key, value)
          end
          function environment.setmetatable(t, metatable)
            -- Finalizers run where nothing can interrupt them.
            if type(metatable) == "table" and rawget(metatable, "__gc") ~= nil then
              error("finalizers (__gc) are not available in a sandbox; use a <close> variable", 2)
            end
            return setmetatable(t, metatable)
          end
          function environment.collectgarbage(what)
            what = what or "collect"
            if what ~= "count" and what ~= "collect" and what ~= "step" then
              error("collectgarbage '" .. tostring(what) .. "' is not available in a sandbox", 2)
            end
            return base.collectgarbage(what)
          end
          local loaded = { _G = environment }
          for _, name in ipairs(libraries) do loaded[name] = environment[name] end
          environment.package = { loaded = loaded }
          environment.require = make_require(loaded, environment, nil, sandbox_searchers)
          return environment
        end

        if sandboxed then
          getmetatable("").__metatable = false
        else
          base.require = make_require(package.loaded, nil, package.preload, function()
            -- The stock searchers without the first, which looks into package.preload.
            return { unpack(package.searchers, 2) }
          end)
        end
        return new_environment, preloaded, shared, freeze
        """

    /// Loads the prelude into a fresh state.
    static func install(in lua: LuaContext, _ configuration: LuaConfiguration) throws {
        let isSandboxed = configuration.libraries == .sandbox
        if !isSandboxed { ModuleSearch.setPaths(in: lua, configuration) }
        try lua.load(source, name: "=" + shortSource)
        pushHostFunctions(lua, configuration)
        lua_pushboolean(lua.L, isSandboxed ? 1 : 0)
        guard shim_call(lua.L, 2, 4) == LUA_OK else { throw lua.takeError() }
        for key in [freeze, sharedGlobals, preloaded, newEnvironment] { lua_setfield(lua.L, shim_registry(), key) }
    }

    /// Pushes the table of functions that the prelude works with.
    private static func pushHostFunctions(_ lua: LuaContext, _ configuration: LuaConfiguration) {
        lua_createtable(lua.L, 0, 10)
        lua_pushcclosure(lua.L, shim_getinfo, 0)
        lua_setfield(lua.L, -2, "getinfo")
        lua.setFunction("current_file", ModuleSearch.currentFile, named: "require")
        lua.setFunction("beside", ModuleSearch.beside, named: "require")
        lua.setFunction("search", ModuleSearch.search, named: "require")
        lua.setFunction("load", ModuleSearch.load, named: "require")
        lua.setFunction("not_found", ModuleSearch.notFound, named: "require")
        lua.setFunction("begin", ModuleLoad.begin, named: "require")
        lua.setFunction("found", ModuleLoad.found, named: "require")
        lua.setFunction("finish", ModuleLoad.finish, named: "require")
    }

    /// Makes `module` available to `require`; its table is built when it is first required.
    static func preload(_ module: Module, in lua: LuaContext) {
        lua_getfield(lua.L, shim_registry(), preloaded)
        lua.setFunction(module.name, { lua in
            try module.push(to: lua)
            return 1
        }, named: module.name)
        lua.pop()
    }

    /// Gives the function on top globals of its own.
    static func isolate(_ lua: LuaContext) throws {
        lua_getfield(lua.L, shim_registry(), newEnvironment)
        guard shim_call(lua.L, 0, 1) == LUA_OK else { throw lua.takeError() }
        if lua_setupvalue(lua.L, -2, 1) == nil { lua.pop() }
    }
}
