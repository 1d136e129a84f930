import CLuaShim

/// `task.channel`: a queue of Lua values between tasks of one state.
final class TaskChannel: LuaObject, @unchecked Sendable {
    // Touched on the state's thread only: by host functions and by operations that run there.
    private let capacity: Int
    private var values = FirstInFirstOut<LuaReference>()
    /// Senders that wait for room, and receivers that wait for values; never both.
    private var senders = FirstInFirstOut<Sender>()
    private var receivers = FirstInFirstOut<Receiver>()
    private var isClosed = false

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
            .call: Method(raw: "receive", "The next value of a loop; nil ends it.", [.anything("what the loop passes", name: "...")], returns: [FieldDescription("", .optional(.any), "the value")], isAsync: true) { channel, lua in try channel.receive(lua) }
        ])

    private func send(_ lua: LuaContext) throws -> Int32 {
        guard !lua.isNil(at: 2) else { throw LuaError(.argument, "argument 1 'value': nil cannot be sent", hint: "close the channel to end it") }
        let value = LuaReference(to: 2, in: lua)
        if try put(value) { return 0 }
        return try lua.suspend("Channel:send") { [self] in
            try Task.checkCancellation()
            if try !put(value) {
                let sender = Sender(value)
                senders.append(sender)
                do { try await sender.settled.waitUnlessCancelled() } catch {
                    _ = senders.remove { $0 === sender }
                    if case .waiting = sender.state { throw error }
                }
                if case .refused = sender.state { throw Self.closedError }
            }
            return { _ in 0 }
        }
    }

    private static var closedError: LuaError { LuaError(.closed, "the channel is closed") }

    /// Hands the value to who waits, or keeps it where there is room.
    private func put(_ value: LuaReference) throws -> Bool {
        if isClosed { throw Self.closedError }
        if let receiver = nextReceiver() {
            receiver.settle(value)
        } else if values.count < capacity {
            values.append(value)
        } else {
            return false
        }
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
            try Task.checkCancellation()
            let receiver = Receiver()
            if let value = take() {
                receiver.settle(value)
            } else if isClosed {
                receiver.settle(nil)
            } else {
                receivers.append(receiver)
                do { try await receiver.settled.waitUnlessCancelled() } catch {
                    _ = receivers.remove { $0 === receiver }
                    if let value = receiver.value { putBack(value) }
                    throw error
                }
            }
            guard let value = receiver.value else { return { $0.pushNil(); return 1 } }
            let parcel = Parcel(value, from: self)
            return { lua in
                try parcel.take().push(to: lua)
                return 1
            }
        }
    }

    private func take() -> LuaReference? {
        guard let value = values.popFirst() else { return nextSender()?.settle(.sent) }
        if let sender = nextSender() { values.append(sender.settle(.sent)) }
        return value
    }

    /// The first that was not cancelled: such a one is still in the queue until its task runs.
    private func nextSender() -> Sender? {
        while let sender = senders.popFirst() { if sender.settled.isAwaited { return sender } }
        return nil
    }

    private func nextReceiver() -> Receiver? {
        while let receiver = receivers.popFirst() { if receiver.settled.isAwaited { return receiver } }
        return nil
    }

    /// A value whose receiver was stopped before it had it goes to the next one.
    private func putBack(_ value: LuaReference) {
        if let receiver = nextReceiver() { receiver.settle(value) } else { values.prepend(value) }
    }

    private func close() {
        isClosed = true
        while let receiver = receivers.popFirst() { receiver.settle(nil) }
        while let sender = senders.popFirst() { sender.settle(.refused) }
    }

    private final class Sender {
        enum State { case waiting, sent, refused }

        private let value: LuaReference
        private(set) var state = State.waiting
        let settled = Signal()

        init(_ value: LuaReference) { self.value = value }

        @discardableResult
        func settle(_ state: State) -> LuaReference {
            self.state = state
            settled.fire()
            return value
        }
    }

    private final class Receiver {
        private(set) var value: LuaReference?
        let settled = Signal()

        func settle(_ value: LuaReference?) {
            self.value = value
            settled.fire()
        }
    }

    /// A value on its way to a coroutine.
    private final class Parcel: @unchecked Sendable {
        // Made, taken and dropped by the operation and its delivery, on the state's thread.
        private var value: LuaReference?
        private let channel: TaskChannel

        init(_ value: LuaReference, from channel: TaskChannel) {
            self.value = value
            self.channel = channel
        }

        func take() throws -> LuaReference {
            guard let taken = value else { throw LuaError(.runtime, "a value was delivered twice") }
            value = nil
            return taken
        }

        deinit { if let value { channel.putBack(value) } }
    }
}

/// A queue that does not move its elements at each removal.
struct FirstInFirstOut<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func prepend(_ element: Element) {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        defer {
            elements[head] = nil
            head += 1
            if head * 2 >= elements.count {
                elements.removeFirst(head)
                head = 0
            }
        }
        return elements[head]
    }

    /// Removes the first element that matches; false when there is none.
    mutating func remove(where matches: (Element) -> Bool) -> Bool {
        guard let index = elements[head...].firstIndex(where: { $0.map(matches) ?? false }) else { return false }
        elements.remove(at: index)
        return true
    }
}
