import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'risiti-cli-package-'))
  await run('npm', ['pack', '--pack-destination', folder], { cwd: new URL('..', import.meta.url) })
  const [tarball] = await readdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "name": "empty", "private": true }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the package works in an empty folder, without another package', async () => {
  expect(await readdir(join(folder, 'node_modules'))).toEqual(['.bin', '.package-lock.json', '@risiti'])
  const risiti = join(folder, 'node_modules', '.bin', 'risiti')
  const env = { PATH: process.env.PATH, RISITI_HOME: folder }
  const { stdout, stderr } = await run(process.execPath, [risiti, 'invoices', 'create', '--help'], { env })
  expect([stdout, stderr]).toEqual([expect.stringContaining('lineItems*'), ''])
  await expect(run(process.execPath, [risiti, 'listen'], { env })).rejects.toMatchObject({ code: 3, stdout: '' })
  const notices = join(folder, 'node_modules', '@risiti', 'cli', 'dist', 'THIRD-PARTY-LICENCES')
  expect(await readFile(notices, 'utf8')).toContain('commander')
})
