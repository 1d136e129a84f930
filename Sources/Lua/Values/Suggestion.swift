/// A hint that names the nearest of `names`, or lists them when none is near.
func suggestion(for name: String, among names: [String]) -> String {
    if let nearest = nearestName(to: name, among: names) { return "did you mean \(quoted(nearest))?" }
    return names.isEmpty ? "there are none" : "there are: " + names.joined(separator: ", ")
}

/// The one of `names` that differs from `name` by a slip of the keyboard; nil when none does.
func nearestName(to name: String, among names: [String]) -> String? {
    let limit = max(1, name.count / 3)
    return names.map { (name: $0, distance: editDistance(name.lowercased(), $0.lowercased())) }
        .filter { $0.distance <= limit }
        .min { $0.distance < $1.distance }?.name
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one text to the
/// other (optimal string alignment).
func editDistance(_ from: String, _ to: String) -> Int {
    let a = Array(from), b = Array(to)
    var before: [Int] = [], last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
            row.append(best)
        }
        (before, last) = (last, row)
    }
    return last[b.count]
}
