import CLuaShim

extension LuaState {
    /// Runs the task from its first instruction to its last: resumes it, awaits what it awaits,
    /// resumes it with the outcome. Ends its children; then ends the record.
    func drive(_ record: TaskRecord, arguments: Int32) async {
        let phase = await TaskRecord.$current.withValue(record) {
            await withTaskCancellationHandler {
                let phase = await run(record, arguments: arguments)
                return await endChildren(of: record, phase)
            } onCancel: {
                record.stop(SHIM_STOP_CANCELLED)
            }
        }
        abandonLoads(of: record)
        record.end(phase)
    }

    private func run(_ record: TaskRecord, arguments: Int32) async -> TaskRecord.Phase {
        var arguments = arguments
        while true {
            var results: Int32 = 0
            let outcome = resume(record, arguments, &results)
            arguments = 0
            record.dropOutcome()
            if !record.closings.isEmpty { await close(of: record) }
            switch outcome {
            case SHIM_FINISHED: return .loaded(results: results)
            case SHIM_FAILED: return .failed(takeError(of: record))
            default:
                guard let operation = record.takeOperation() else { continue }
                if record.task.pointee.raises > 0 {
                    record.settle(await shielded(operation, of: record))
                } else {
                    // In place: each asynchronous function in between costs a look for its executor.
                    do { record.settle(.success(try await operation())) } catch { record.settle(.failure(error)) }
                }
            }
        }
    }

    /// Ends the objects whose handlers could not wait.
    private func close(of record: TaskRecord) async {
        for closing in record.takeClosings() {
            if case .failure(let error) = await perform(closing, of: record) { record.failLater(error) }
        }
    }

    private func perform(_ operation: @escaping LuaOperation, of record: TaskRecord) async -> Result<LuaDelivery, any Error> {
        if record.task.pointee.raises > 0 { return await shielded(operation, of: record) }
        do { return .success(try await operation()) } catch { return .failure(error) }
    }

    private func resume(_ record: TaskRecord, _ arguments: Int32, _ results: inout Int32) -> shim_outcome {
        host.releases.drain(host.L)
        let outer = host.current
        host.current = record
        thread.enterLua()
        defer {
            thread.leaveLua()
            host.current = outer
        }
        return shim_resume(record.task, arguments, &results)
    }

    /// The operation of a `<close>` handler in a stopped task: it is not cancelled with the task,
    /// but when the grace is over.
    private func shielded(_ operation: @escaping LuaOperation, of record: TaskRecord) async -> Result<LuaDelivery, any Error> {
        let now = shim_now(), end = record.task.pointee.grace_end
        guard now < end else { return .failure(CancellationError()) }
        let work = Task(executorPreference: thread.tasks) { [self] in try await perform(operation) }
        let deadline = Task(executorPreference: thread.tasks) {
            try await Task.sleep(nanoseconds: end - now)
            work.cancel()
        }
        record.setShielded(work)
        defer {
            deadline.cancel()
            record.setShielded(nil)
        }
        return await work.result
    }

    private func perform(_ operation: LuaOperation) async throws -> LuaDelivery { try await operation() }

    /// A task that ends takes its children with it. An error of a child that nobody asked for
    /// becomes the task's own.
    private func endChildren(of record: TaskRecord, _ phase: TaskRecord.Phase) async -> TaskRecord.Phase {
        var phase = phase
        if case .loaded = phase, let error = record.orphanError { phase = .failed(error) }
        for child in record.children where !child.isDone {
            child.isCancelledByParent = true
            child.stop(SHIM_STOP_CANCELLED)
        }
        for child in record.children {
            await child.done.wait()
            if case .loaded = phase, case .failed(let error) = child.phase, !child.isObserved, !child.isCancelledByParent {
                phase = .failed(error)
            }
        }
        record.removeChildren()
        return phase
    }

    /// Modules whose loading coroutine was left suspended are for others to load.
    private func abandonLoads(of record: TaskRecord) {
        for load in record.loads { load.end(in: host) }
        record.loads = []
    }

    /// The error that ended the task, with the frames of the task and of those that spawned it.
    private func takeError(of record: TaskRecord) -> LuaError {
        let thread = record.thread
        let status = lua_status(thread.L)
        var error = thread.takeError(status: status)
        var frames = error.traceback?.frames ?? []
        // Frames that still wait for their error belong to one that was caught.
        if let trace = record.task.pointee.trace, record.task.pointee.joins == nil {
            let outer = LuaTraceback(trace).frames
            // A host error knows its own coroutine; the way out through others is in the task's.
            if outer.starts(with: frames) { frames = outer }
            error.traceback = LuaTraceback(frames: frames)
        }
        // An error of a task that this one awaited has come the whole way already.
        if !record.spawnSite.isEmpty, frames.suffix(record.spawnSite.count) != record.spawnSite[...] {
            error.traceback = LuaTraceback(frames: frames + record.spawnSite)
        }
        shim_task_close(record.task)
        return error
    }
}
