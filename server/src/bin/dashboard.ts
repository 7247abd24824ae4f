import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const ownRoot = join(import.meta.dirname, '../../..')
const markFile = 'built-from.txt'

/** The source files of the dashboard. */
const sources = ['dashboard/src', 'dashboard/public', 'dashboard/index.html', 'dashboard/vite.config.ts', 'sdk/src']

const filesIn = (path: string): string[] => {
  if (!existsSync(path)) return []
  if (!/\/(src|public)$/.test(path)) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
}

function fingerprint(root: string): string {
  const hash = createHash('sha256')
  for (const path of sources.flatMap((source) => filesIn(join(root, source))))
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

const isFresh = (built: string, mark: string): boolean =>
  existsSync(join(built, markFile)) && readFileSync(join(built, markFile), 'utf8') === mark

/** Whether this process may read the built pages: another user may have built them. */
function isReadable(built: string): boolean {
  try {
    readdirSync(built)
    return true
  } catch {
    return false
  }
}

/** The path of the builder, if it is installed: a production machine may have only the built files. */
function findVite(root: string): string | undefined {
  try {
    return join(
      dirname(createRequire(join(root, 'dashboard/package.json')).resolve('vite/package.json')),
      'bin/vite.js',
    )
  } catch {
    return undefined
  }
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(process.execPath, [command, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (output += piece))
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  if (code !== 0) throw new Error(`The dashboard could not be built:\n${output}`)
}

/** A temporary folder to build into; `undefined` if this process may not write, as a service should not. */
async function makeRoom(dashboard: string): Promise<string | undefined> {
  try {
    return await mkdtemp(join(dashboard, '.building-'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return undefined
    throw error
  }
}

/**
 * The folder with the dashboard, built now if it is missing or older than its sources. If it cannot be built, the existing one. `undefined`
 * if there is none or this process may not read it. Two processes that start together both build, and either result is complete.
 */
export async function prepareDashboard(say: (text: string) => void, root = ownRoot): Promise<string | undefined> {
  const dashboard = join(root, 'dashboard')
  const built = join(dashboard, 'dist')
  const mark = fingerprint(root)
  if (isFresh(built, mark)) return built
  const vite = findVite(root)
  const room = vite !== undefined && existsSync(join(dashboard, 'index.html')) ? await makeRoom(dashboard) : undefined
  if (vite === undefined || room === undefined) {
    if (!existsSync(built)) return undefined
    if (isReadable(built)) return built
    say(`The dashboard is not served: this user cannot read ${built}. To allow it, run: chmod 755 ${built}`)
    return undefined
  }
  say('Building the dashboard …')
  const began = performance.now()
  try {
    await run(vite, ['build', '--outDir', room, '--emptyOutDir', '--logLevel', 'error'], dashboard)
    await writeFile(join(room, markFile), mark)
    // Only its creator can read a temporary folder; the nodes that serve these pages run as another user.
    await chmod(room, 0o755)
    await rm(built, { recursive: true, force: true })
    await rename(room, built).catch((error: unknown) => {
      if (!isFresh(built, mark)) throw error
    })
  } finally {
    await rm(room, { recursive: true, force: true })
  }
  say(`Built the dashboard in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return built
}
