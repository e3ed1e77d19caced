export default { output: "export", trailingSlash: true, basePath: "/clinic", generateBuildId: () => "build" }
