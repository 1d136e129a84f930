import Synchronization

/// Something that happens once, and those who wait for it.
final class Signal: Sendable {
    private struct State {
        var hasFired = false
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var cancelled: Set<Int> = []
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    func fire() {
        let waiters = state.withLock { state in
            state.hasFired = true
            defer { state.waiters = [:] }
            // In the order in which they came.
            return state.waiters.sorted { $0.key < $1.key }.map(\.value)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Whether somebody waits for it now, and was not cancelled.
    var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// Waits whatever happens to the calling task.
    nonisolated(nonsending) func wait() async {
        // The only error is cancellation, which nobody here reports.
        try? await withCheckedThrowingContinuation { add($0) }
    }

    /// Waits until it fires or the calling task is cancelled.
    nonisolated(nonsending) func waitUnlessCancelled() async throws {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in add(continuation, id) }
        } onCancel: {
            let waiter = state.withLock { state in
                guard let waiter = state.waiters.removeValue(forKey: id) else {
                    if !state.hasFired { state.cancelled.insert(id) }
                    return nil as CheckedContinuation<Void, any Error>?
                }
                return waiter
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    private func add(_ continuation: CheckedContinuation<Void, any Error>, _ id: Int? = nil) {
        enum Now { case fired, cancelled, waiting }
        let now = state.withLock { state -> Now in
            if state.hasFired { return .fired }
            if let id, state.cancelled.remove(id) != nil { return .cancelled }
            state.nextWaiter += 1
            state.waiters[id ?? state.nextWaiter] = continuation
            return .waiting
        }
        switch now {
        case .fired: continuation.resume()
        case .cancelled: continuation.resume(throwing: CancellationError())
        case .waiting: break
        }
    }
}
