import CLuaShim

/// `task.channel`: a queue of Lua values between tasks of one state.
final class TaskChannel: LuaObject, @unchecked Sendable {
    // Touched on the state's thread only: by host functions and by operations that run there.
    private let capacity: Int
    private var values: [LuaReference] = []
    /// Receivers that wait; a value may go straight to one, which is what capacity 0 lives by.
    private var receivers = 0
    private var isClosed = false
    private var changed = Signal()

    init(capacity: Int) { self.capacity = capacity }

    static let luaClass = LuaClass<TaskChannel>(
        "Channel", "A queue between tasks; `for value in channel do … end` receives until it is closed.",
        methods: [
            Method(raw: "send", "Adds a value; waits while the channel is full. An error when it is closed.", [FieldDescription("value", .any, "any value but nil")], returns: [], isAsync: true) { channel, lua in
                try channel.send(lua)
            }.raises(.closed).example("local c = task.channel { capacity = 2 } c:send(1) c:send(2) assert(c:receive() == 1)"),
            Method(raw: "receive", "Takes the oldest value; waits while there is none. nil when the channel is closed and empty.", [], returns: [FieldDescription("", .optional(.any), "the value")], isAsync: true) { channel, lua in
                try channel.receive(lua)
            }.example("local c = task.channel() task.spawn(function() c:send('x') end) assert(c:receive() == 'x')"),
            Method("close", "No more values come. Those in the channel can still be received.") { $0.close() }
                .example("local c = task.channel() c:close() assert(c:receive() == nil)"),
        ],
        metamethods: [
            .call: Method(raw: "receive", "The next value of a loop.", [.anything("", name: "...")], returns: [], isAsync: true) { channel, lua in try channel.receive(lua) }
        ])

    private var hasRoom: Bool { values.count < capacity + receivers }

    private func send(_ lua: LuaContext) throws -> Int32 {
        guard !lua.isNil(at: 2) else { throw LuaError(.argument, "argument 1 'value': nil cannot be sent", hint: "close the channel to end it") }
        let value = LuaReference(to: 2, in: lua)
        if try put(value) { return 0 }
        return try lua.suspend("Channel:send") { [self] in
            while true {
                try await changed.waitUnlessCancelled()
                if try put(value) { return { _ in 0 } }
            }
        }
    }

    /// Adds the value where there is room.
    private func put(_ value: LuaReference) throws -> Bool {
        if isClosed { throw LuaError(.closed, "the channel is closed") }
        guard hasRoom else { return false }
        values.append(value)
        wakeAll()
        return true
    }

    private func receive(_ lua: LuaContext) throws -> Int32 {
        if let value = take() {
            try value.push(to: lua)
            return 1
        }
        if isClosed {
            lua.pushNil()
            return 1
        }
        return try lua.suspend("Channel:receive") { [self] in
            receivers += 1
            defer { receivers -= 1 }
            wakeAll()
            while true {
                if let value = take() { return { try value.push(to: $0); return 1 } }
                if isClosed { return { $0.pushNil(); return 1 } }
                try await changed.waitUnlessCancelled()
            }
        }
    }

    private func take() -> LuaReference? {
        guard !values.isEmpty else { return nil }
        let value = values.removeFirst()
        wakeAll()
        return value
    }

    private func close() {
        isClosed = true
        wakeAll()
    }

    private func wakeAll() {
        let signal = changed
        changed = Signal()
        signal.fire()
    }
}
