import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median, type Row } from './measure.ts'
import { printed, type Risiti } from './server-process.ts'

const run = promisify(execFile)
const cli = join(import.meta.dirname, '../cli')
const program = join(cli, 'bin/risiti.js')
const rounds = 15

async function milliseconds(words: readonly string[]): Promise<number> {
  const before = performance.now()
  await run(process.execPath, [...words])
  return performance.now() - before
}

/** Measures the start of the built command line beside an empty program, its size, and the memory of `listen` that waits. */
export async function benchCli({ url, demo }: Risiti): Promise<Row[]> {
  await run(process.execPath, [join(cli, 'build.mjs')], { cwd: cli })
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-cli-'))
  const env = { ...process.env, RISITI_HOME: home, RISITI_SERVER: url, RISITI_API_KEY: demo.sandboxKey }
  try {
    const empty = join(home, 'empty.mjs')
    await writeFile(empty, '')
    await milliseconds([program, '--help'])
    const [starts, empties]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      empties.push(await milliseconds([empty]))
      starts.push(await milliseconds([program, '--help']))
    }
    const files = await readdir(join(cli, 'dist'))
    const sizes = await Promise.all(files.map(async (name) => (await stat(join(cli, 'dist', name))).size))
    const listening = spawn(process.execPath, [program, 'listen'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    const resting = spawn(process.execPath, ['-e', 'process.stderr.write("begun\\n"); setInterval(() => {}, 1e6)'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    try {
      await Promise.all([printed(listening, /(listening from)/), printed(resting, /(begun)/)])
      const mebibytes = async ({ pid }: { readonly pid?: number | undefined }) =>
        Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
      const yardstick = { yardstickName: 'an empty program of Node', goalIs: 'at most' } as const
      return [
        { name: 'risiti --help', unit: 'ms', ours: median(starts), yardstick: median(empties), goal: 3, ...yardstick },
        {
          name: 'memory of a waiting listen',
          unit: 'MiB',
          ours: await mebibytes(listening),
          yardstick: await mebibytes(resting),
          goal: 2.5,
          ...yardstick,
        },
        {
          name: 'bundle of the command line',
          unit: 'KiB',
          ours: sizes.reduce((sum, size) => sum + size, 0) / 1024,
          yardstick: 1024,
          yardstickName: 'one mebibyte',
          goal: 0.25,
          goalIs: 'at most',
        },
      ]
    } finally {
      listening.kill()
      resting.kill()
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
