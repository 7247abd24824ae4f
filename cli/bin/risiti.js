#!/usr/bin/env node
import * as module from 'node:module'

// An older Node cannot read the bundle, and would only show where.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 12)) {
  module.enableCompileCache?.()
  await import('../dist/main.js')
} else {
  process.stderr.write(`error: risiti needs Node 22.12 or newer, and this is Node ${process.versions.node}.\n`)
  process.exitCode = 2
}
