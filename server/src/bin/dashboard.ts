import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const ownRoot = join(import.meta.dirname, '../../..')
const markFile = 'built-from.txt'

/** Everything that the pages are made of. */
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

/** Whether this process may show the pages that are there: whoever built them may have kept them to himself. */
function isReadable(built: string): boolean {
  try {
    readdirSync(built)
    return true
  } catch {
    return false
  }
}

/** Where the builder is, when it is installed: a production machine may have only what was built elsewhere. */
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
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece))
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  if (code !== 0) throw new Error(`The dashboard could not be built:\n${said}`)
}

/** A folder of its own to build into; nothing where this process may not write, as a service should not. */
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
 * The folder with the pages of the dashboard, built now when they are missing or older than what they are made of. Where they cannot be
 * built, those that are there; nothing where none are or this process may not read them. Two that start at once both build, and either
 * result is whole.
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
    say(`The pages of the dashboard are not shown: this user may not read ${built} (chmod 755 lets it)`)
    return undefined
  }
  say('Building the dashboard …')
  const began = performance.now()
  try {
    await run(vite, ['build', '--outDir', room, '--emptyOutDir', '--logLevel', 'error'], dashboard)
    await writeFile(join(room, markFile), mark)
    // A folder made for the moment is its maker's alone; the nodes that show these pages run as somebody else.
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
