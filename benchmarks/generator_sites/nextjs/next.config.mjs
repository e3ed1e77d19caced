export default { output: "export", generateBuildId: () => "build" }
