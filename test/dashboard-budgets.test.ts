import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { prepareDashboard } from '../server/src/bin/dashboard.ts'

const kilobyte = 1_000
/** Compressed script and style before the first paint, and in the extra chunk of any other page. */
const budgets = { firstLoad: 150 * kilobyte, page: 40 * kilobyte }

const importsOf = (script: string): string[] =>
  [...script.matchAll(/(?:^|[;}\s])import\s*(?:[\w$*{}\s,]+\s*from\s*)?["']\.\/([\w.-]+\.js)["']/g)].map(
    ([, name]) => name as string,
  )

test('the first load is within its budget, and each page is a separate chunk', async () => {
  const folder = (await prepareDashboard(() => {})) as string
  const assets = join(folder, 'assets')
  const read = (name: string) => readFileSync(join(assets, name))
  const sizeOf = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + gzipSync(read(name)).length, 0)

  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const first = new Set([...page.matchAll(/\/assets\/([\w.-]+\.(?:js|css))"/g)].map(([, name]) => name as string))
  // Imports of the first files load with them.
  for (const name of first)
    if (name.endsWith('.js')) for (const other of importsOf(read(name).toString())) first.add(other)
  expect(first.size).toBeGreaterThan(1)
  expect(sizeOf(first)).toBeLessThanOrEqual(budgets.firstLoad)

  const further = readdirSync(assets).filter((name) => name.endsWith('.js') && !first.has(name))
  const routes = readFileSync(join(import.meta.dirname, '../dashboard/src/routes.tsx'), 'utf8')
  const pages = new Set(
    [...routes.matchAll(/import\('\.\/features\/(?:[\w-]+\/)+([\w-]+)\.tsx'\)/g)].map(([, name]) => name),
  )
  expect(pages.size).toBeGreaterThan(20)
  expect([...pages].filter((name) => !further.some((file) => file.startsWith(`${name}-`)))).toEqual([])
  expect(further.filter((name) => sizeOf([name]) > budgets.page)).toEqual([])
})
