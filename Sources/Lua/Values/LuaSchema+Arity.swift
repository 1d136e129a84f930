// One initialiser per number of fields; see ``Function``. A record with more has parts that are records.

extension LuaSchema {
    @inlinable
    public init<A: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>,
        make: @escaping @Sendable (A) throws -> Record
    ) {
        self.init(name, text, [a.erased]) { record in
            try make(a.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>,
        make: @escaping @Sendable (A, B) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased]) { record in
            try make(a.read(record), b.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible, C: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>, _ c: Field<Record, C>,
        make: @escaping @Sendable (A, B, C) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased, c.erased]) { record in
            try make(a.read(record), b.read(record), c.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible, C: LuaConvertible, D: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>, _ c: Field<Record, C>, _ d: Field<Record, D>,
        make: @escaping @Sendable (A, B, C, D) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased, c.erased, d.erased]) { record in
            try make(a.read(record), b.read(record), c.read(record), d.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible, C: LuaConvertible, D: LuaConvertible, E: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>, _ c: Field<Record, C>, _ d: Field<Record, D>, _ e: Field<Record, E>,
        make: @escaping @Sendable (A, B, C, D, E) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased, c.erased, d.erased, e.erased]) { record in
            try make(a.read(record), b.read(record), c.read(record), d.read(record), e.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible, C: LuaConvertible, D: LuaConvertible, E: LuaConvertible, F: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>, _ c: Field<Record, C>, _ d: Field<Record, D>, _ e: Field<Record, E>, _ f: Field<Record, F>,
        make: @escaping @Sendable (A, B, C, D, E, F) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased, c.erased, d.erased, e.erased, f.erased]) { record in
            try make(a.read(record), b.read(record), c.read(record), d.read(record), e.read(record), f.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible, C: LuaConvertible, D: LuaConvertible, E: LuaConvertible, F: LuaConvertible, G: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>, _ c: Field<Record, C>, _ d: Field<Record, D>, _ e: Field<Record, E>, _ f: Field<Record, F>, _ g: Field<Record, G>,
        make: @escaping @Sendable (A, B, C, D, E, F, G) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased, c.erased, d.erased, e.erased, f.erased, g.erased]) { record in
            try make(a.read(record), b.read(record), c.read(record), d.read(record), e.read(record), f.read(record), g.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible, C: LuaConvertible, D: LuaConvertible, E: LuaConvertible, F: LuaConvertible, G: LuaConvertible, H: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>, _ c: Field<Record, C>, _ d: Field<Record, D>, _ e: Field<Record, E>, _ f: Field<Record, F>, _ g: Field<Record, G>, _ h: Field<Record, H>,
        make: @escaping @Sendable (A, B, C, D, E, F, G, H) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased, c.erased, d.erased, e.erased, f.erased, g.erased, h.erased]) { record in
            try make(a.read(record), b.read(record), c.read(record), d.read(record), e.read(record), f.read(record), g.read(record), h.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible, C: LuaConvertible, D: LuaConvertible, E: LuaConvertible, F: LuaConvertible, G: LuaConvertible, H: LuaConvertible, I: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>, _ c: Field<Record, C>, _ d: Field<Record, D>, _ e: Field<Record, E>, _ f: Field<Record, F>, _ g: Field<Record, G>, _ h: Field<Record, H>, _ i: Field<Record, I>,
        make: @escaping @Sendable (A, B, C, D, E, F, G, H, I) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased, c.erased, d.erased, e.erased, f.erased, g.erased, h.erased, i.erased]) { record in
            try make(a.read(record), b.read(record), c.read(record), d.read(record), e.read(record), f.read(record), g.read(record), h.read(record), i.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible, C: LuaConvertible, D: LuaConvertible, E: LuaConvertible, F: LuaConvertible, G: LuaConvertible, H: LuaConvertible, I: LuaConvertible, J: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>, _ c: Field<Record, C>, _ d: Field<Record, D>, _ e: Field<Record, E>, _ f: Field<Record, F>, _ g: Field<Record, G>, _ h: Field<Record, H>, _ i: Field<Record, I>, _ j: Field<Record, J>,
        make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased, c.erased, d.erased, e.erased, f.erased, g.erased, h.erased, i.erased, j.erased]) { record in
            try make(a.read(record), b.read(record), c.read(record), d.read(record), e.read(record), f.read(record), g.read(record), h.read(record), i.read(record), j.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible, C: LuaConvertible, D: LuaConvertible, E: LuaConvertible, F: LuaConvertible, G: LuaConvertible, H: LuaConvertible, I: LuaConvertible, J: LuaConvertible, K: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>, _ c: Field<Record, C>, _ d: Field<Record, D>, _ e: Field<Record, E>, _ f: Field<Record, F>, _ g: Field<Record, G>, _ h: Field<Record, H>, _ i: Field<Record, I>, _ j: Field<Record, J>, _ k: Field<Record, K>,
        make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased, c.erased, d.erased, e.erased, f.erased, g.erased, h.erased, i.erased, j.erased, k.erased]) { record in
            try make(a.read(record), b.read(record), c.read(record), d.read(record), e.read(record), f.read(record), g.read(record), h.read(record), i.read(record), j.read(record), k.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible, C: LuaConvertible, D: LuaConvertible, E: LuaConvertible, F: LuaConvertible, G: LuaConvertible, H: LuaConvertible, I: LuaConvertible, J: LuaConvertible, K: LuaConvertible, L: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>, _ c: Field<Record, C>, _ d: Field<Record, D>, _ e: Field<Record, E>, _ f: Field<Record, F>, _ g: Field<Record, G>, _ h: Field<Record, H>, _ i: Field<Record, I>, _ j: Field<Record, J>, _ k: Field<Record, K>, _ l: Field<Record, L>,
        make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased, c.erased, d.erased, e.erased, f.erased, g.erased, h.erased, i.erased, j.erased, k.erased, l.erased]) { record in
            try make(a.read(record), b.read(record), c.read(record), d.read(record), e.read(record), f.read(record), g.read(record), h.read(record), i.read(record), j.read(record), k.read(record), l.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible, C: LuaConvertible, D: LuaConvertible, E: LuaConvertible, F: LuaConvertible, G: LuaConvertible, H: LuaConvertible, I: LuaConvertible, J: LuaConvertible, K: LuaConvertible, L: LuaConvertible, M: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>, _ c: Field<Record, C>, _ d: Field<Record, D>, _ e: Field<Record, E>, _ f: Field<Record, F>, _ g: Field<Record, G>, _ h: Field<Record, H>, _ i: Field<Record, I>, _ j: Field<Record, J>, _ k: Field<Record, K>, _ l: Field<Record, L>, _ m: Field<Record, M>,
        make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L, M) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased, c.erased, d.erased, e.erased, f.erased, g.erased, h.erased, i.erased, j.erased, k.erased, l.erased, m.erased]) { record in
            try make(a.read(record), b.read(record), c.read(record), d.read(record), e.read(record), f.read(record), g.read(record), h.read(record), i.read(record), j.read(record), k.read(record), l.read(record), m.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible, C: LuaConvertible, D: LuaConvertible, E: LuaConvertible, F: LuaConvertible, G: LuaConvertible, H: LuaConvertible, I: LuaConvertible, J: LuaConvertible, K: LuaConvertible, L: LuaConvertible, M: LuaConvertible, N: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>, _ c: Field<Record, C>, _ d: Field<Record, D>, _ e: Field<Record, E>, _ f: Field<Record, F>, _ g: Field<Record, G>, _ h: Field<Record, H>, _ i: Field<Record, I>, _ j: Field<Record, J>, _ k: Field<Record, K>, _ l: Field<Record, L>, _ m: Field<Record, M>, _ n: Field<Record, N>,
        make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L, M, N) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased, c.erased, d.erased, e.erased, f.erased, g.erased, h.erased, i.erased, j.erased, k.erased, l.erased, m.erased, n.erased]) { record in
            try make(a.read(record), b.read(record), c.read(record), d.read(record), e.read(record), f.read(record), g.read(record), h.read(record), i.read(record), j.read(record), k.read(record), l.read(record), m.read(record), n.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible, C: LuaConvertible, D: LuaConvertible, E: LuaConvertible, F: LuaConvertible, G: LuaConvertible, H: LuaConvertible, I: LuaConvertible, J: LuaConvertible, K: LuaConvertible, L: LuaConvertible, M: LuaConvertible, N: LuaConvertible, O: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>, _ c: Field<Record, C>, _ d: Field<Record, D>, _ e: Field<Record, E>, _ f: Field<Record, F>, _ g: Field<Record, G>, _ h: Field<Record, H>, _ i: Field<Record, I>, _ j: Field<Record, J>, _ k: Field<Record, K>, _ l: Field<Record, L>, _ m: Field<Record, M>, _ n: Field<Record, N>, _ o: Field<Record, O>,
        make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased, c.erased, d.erased, e.erased, f.erased, g.erased, h.erased, i.erased, j.erased, k.erased, l.erased, m.erased, n.erased, o.erased]) { record in
            try make(a.read(record), b.read(record), c.read(record), d.read(record), e.read(record), f.read(record), g.read(record), h.read(record), i.read(record), j.read(record), k.read(record), l.read(record), m.read(record), n.read(record), o.read(record))
        }
    }

    @inlinable
    public init<A: LuaConvertible, B: LuaConvertible, C: LuaConvertible, D: LuaConvertible, E: LuaConvertible, F: LuaConvertible, G: LuaConvertible, H: LuaConvertible, I: LuaConvertible, J: LuaConvertible, K: LuaConvertible, L: LuaConvertible, M: LuaConvertible, N: LuaConvertible, O: LuaConvertible, P: LuaConvertible>(
        _ name: String, _ text: String, _ a: Field<Record, A>, _ b: Field<Record, B>, _ c: Field<Record, C>, _ d: Field<Record, D>, _ e: Field<Record, E>, _ f: Field<Record, F>, _ g: Field<Record, G>, _ h: Field<Record, H>, _ i: Field<Record, I>, _ j: Field<Record, J>, _ k: Field<Record, K>, _ l: Field<Record, L>, _ m: Field<Record, M>, _ n: Field<Record, N>, _ o: Field<Record, O>, _ p: Field<Record, P>,
        make: @escaping @Sendable (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P) throws -> Record
    ) {
        self.init(name, text, [a.erased, b.erased, c.erased, d.erased, e.erased, f.erased, g.erased, h.erased, i.erased, j.erased, k.erased, l.erased, m.erased, n.erased, o.erased, p.erased]) { record in
            try make(a.read(record), b.read(record), c.read(record), d.read(record), e.read(record), f.read(record), g.read(record), h.read(record), i.read(record), j.read(record), k.read(record), l.read(record), m.read(record), n.read(record), o.read(record), p.read(record))
        }
    }

}
