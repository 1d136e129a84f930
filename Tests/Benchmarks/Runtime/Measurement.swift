import Glibc

/// One row of the table: our median beside the peer's, taken in turn.
struct Measurement {
    var group = "runtime"
    let name: String
    let unit: String
    let ours: Double
    var peer: Double?
    var peerName: String
    /// What `ratio` (ours / peer), or `ours` where there is no peer, must not exceed.
    let target: Double

    var ratio: Double? { peer.map { ours / $0 } }
    var isMet: Bool { (ratio ?? ours) <= target }

    var row: String {
        func column(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(1, width - text.count)) }
        let shown = ratio.map { "\(rounded($0)) ×" } ?? ""
        return column(name, 46) + column("\(rounded(ours)) \(unit)", 14) + column(peer.map { "\(rounded($0)) \(unit)" } ?? "–", 14)
            + column(shown, 10) + column("≤ \(rounded(target))", 10) + column(isMet ? "ok" : "MISSED", 8) + peerName
    }

    var json: String {
        let peerText = peer.map { "\($0)" } ?? "null", ratioText = ratio.map { "\($0)" } ?? "null"
        return #"{"group":"\#(group)","case":"\#(name)","unit":"\#(unit)","ours":\#(ours),"peer":\#(peerText),"peer_name":"\#(peerName)","ratio":\#(ratioText),"target":\#(target),"ok":\#(isMet)}"#
    }

    private func rounded(_ value: Double) -> String {
        let scaled = (value * 100).rounded() / 100
        return value >= 100 ? "\(Int(value.rounded()))" : "\(scaled)"
    }
}

func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted[sorted.count / 2]
}

/// Medians of five rounds in which the two sides take turns, after one round that does not count.
func inTurn(_ ours: () async throws -> Double, _ peer: () async throws -> Double) async rethrows -> (ours: Double, peer: Double) {
    var mine: [Double] = [], theirs: [Double] = []
    for round in 0...5 {
        let a = try await ours(), b = try await peer()
        if round > 0 {
            mine.append(a)
            theirs.append(b)
        }
    }
    return (median(mine), median(theirs))
}
