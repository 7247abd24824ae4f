import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareDashboard } from './dashboard.ts'

/** Somebody without any rights, where we have all of them. */
async function withoutRights<Result>(act: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return await act()
  process.seteuid?.(65_534)
  try {
    return await act()
  } finally {
    process.seteuid?.(0)
  }
}

test('a service without write access serves existing pages, and starts without missing or unreadable ones', async () => {
  const root = await mkdtemp(join(tmpdir(), 'risiti-pages-'))
  const dashboard = join(root, 'dashboard')
  const said: string[] = []
  const prepared = () => withoutRights(() => prepareDashboard((text) => said.push(text), root))
  try {
    await mkdir(dashboard)
    for (const name of ['index.html', 'package.json']) await writeFile(join(dashboard, name), '{}')
    await symlink(join(import.meta.dirname, '../../../node_modules'), join(root, 'node_modules'))
    for (const folder of [root, dashboard]) await chmod(folder, 0o555)
    expect(await prepared()).toBeUndefined()
    await chmod(dashboard, 0o755)
    await mkdir(join(dashboard, 'dist'))
    await chmod(dashboard, 0o555)
    expect(await prepared()).toBe(join(dashboard, 'dist'))
    expect(said).toEqual([])
    await chmod(join(dashboard, 'dist'), 0o000)
    expect(await prepared()).toBeUndefined()
    expect(said).toEqual([expect.stringContaining('cannot read')])
  } finally {
    for (const folder of [root, dashboard]) await chmod(folder, 0o755)
    await rm(root, { recursive: true })
  }
})

test('another user can serve the built pages', async () => {
  const built = await prepareDashboard(() => {})
  if (built === undefined) throw new Error('nothing was built')
  expect((await stat(built)).mode & 0o055).toBe(0o055)
})
