try await Bench().run(only: CommandLine.arguments.dropFirst().first)
