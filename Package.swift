// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

let package = Package(
    name: "nightjar",
    products: [
        .library(name: "Lua", targets: ["Lua"]),
    ],
    targets: [
        .systemLibrary(name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"])]),
        .target(name: "CLuaShim", dependencies: ["CLua"]),
        .target(name: "Lua", dependencies: ["CLuaShim"], swiftSettings: settings),
        .target(name: "BenchmarkPeers", dependencies: ["CLua"], path: "Tests/Benchmarks/Peers"),
        .executableTarget(
            name: "runtime-benchmarks", dependencies: ["Lua", "BenchmarkPeers"], path: "Tests/Benchmarks/Runtime", swiftSettings: settings),
        .testTarget(name: "LuaTests", dependencies: ["Lua", "CLuaShim"], swiftSettings: settings),
    ],
    cLanguageStandard: .gnu11
)
