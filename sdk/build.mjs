// Writes dist/: code without comments, and types with them.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')
const compile = (...options) =>
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', ...options], { cwd: here, stdio: 'inherit' })

rmSync(new URL('dist/', import.meta.url), { recursive: true, force: true })
compile('--declaration', 'false', '--removeComments')
compile('--emitDeclarationOnly')
