import CLuaShim

extension Metamethod {
    /// Lua passes the operand of a unary operator twice; the method takes it once.
    fileprivate func body(of function: Function) -> LuaBody {
        let body = function.body
        guard self == .unm || self == .len else { return body }
        return { lua in
            lua_settop(lua.L, 1)
            return try body(lua)
        }
    }
}

extension LuaContext {
    /// The registry slot of the class's metatable; made when the first object is handed out.
    func metatable<Object>(of type: LuaClass<Object>) -> Int32 {
        let key = ObjectIdentifier(Object.self)
        if let slot = host.metatables[key] { return slot }
        let slot = makeMetatable(of: type)
        host.metatables[key] = slot
        return slot
    }

    private func makeMetatable<Object>(of type: LuaClass<Object>) -> Int32 {
        // Room for the table of functions, the metatable and the parts of one entry.
        _ = lua_checkstack(L, 12)
        lua_createtable(L, 0, 8)
        setField("__name", type.name)
        setField("__metatable", type.name)
        lua_pushcclosure(L, shim_box_gc, 0)
        lua_setfield(L, -2, "__gc")
        pushIndex(of: type)
        lua_setfield(L, -2, "__index")
        pushNewIndex(of: type)
        lua_setfield(L, -2, "__newindex")
        if type.close != nil { setFunction("__close", type.closeHandler.body, named: "\(type.name):close") }
        for (metamethod, method) in type.metamethods {
            setFunction(metamethod.rawValue, metamethod.body(of: method.function), named: "\(type.name):\(method.function.name)")
        }
        return luaL_ref(L, shim_registry())
    }

    /// A table of methods where there are no properties: then Lua looks methods up by itself.
    private func pushIndex<Object>(of type: LuaClass<Object>) {
        let methods = type.allMethods
        lua_createtable(L, 0, Int32(methods.count))
        for method in methods { setFunction(method.name, method.body, named: "\(type.name):\(method.name)") }
        guard !type.properties.isEmpty else { return }
        lua_createtable(L, 0, Int32(type.properties.count))
        for property in type.properties {
            push(getter: "\(type.name).\(property.description.name)", property.getter)
            lua_setfield(L, -2, property.description.name)
        }
        lua_pushcclosure(L, shim_class_index, 2)
    }

    private func pushNewIndex<Object>(of type: LuaClass<Object>) {
        lua_createtable(L, 0, 2)
        for property in type.properties {
            guard let setter = property.setter else { continue }
            setFunction(property.description.name, setter, named: "\(type.name).\(property.description.name)")
        }
        pushText(type.name)
        lua_pushcclosure(L, shim_class_newindex, 2)
    }

    /// Sets `field` of the table on top to a host function.
    func setFunction(_ field: String, _ body: @escaping LuaBody, named name: String) {
        push(function: name, body)
        lua_setfield(L, -2, field)
    }

    /// Sets `field` of the table on top to a text.
    func setField(_ field: String, _ text: String) {
        pushText(text)
        lua_setfield(L, -2, field)
    }

    /// Pushes a text of the host's own; such texts are short, so no limit is asked.
    func pushText(_ text: String) {
        var copy = text
        copy.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { _ = lua_pushlstring(L, $0.baseAddress, $0.count) }
        }
    }
}
