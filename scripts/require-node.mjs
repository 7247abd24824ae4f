// Runs before every command on any Node version, so that a wrong version gets a clear message.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 7)) {
  console.error(
    `Risiti needs Node 24.7 or newer, and this is ${process.version}.\n` +
      'It normally comes with `npm ci` (package node-<platform>-<cpu>). Run `npm ci` again without --omit=optional,\n' +
      'or, where npm has no such package for your machine, install Node 24 and run the command again.',
  )
  process.exit(1)
}
