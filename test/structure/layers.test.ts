import { expect, test } from 'vitest'
import { checkLayers } from './layers.ts'
import { file, readTree, type SourceFile } from './source-tree.ts'

const server = (path: string, text: string) => file(`server/src/${path}`, text)
const withImport = (path: string, specifier: string) => server(path, `import type { X } from '${specifier}'\n`)

const planted: readonly [violation: string, files: readonly SourceFile[], complaint: RegExp][] = [
  ['an import upwards', [withImport('platform/clock.ts', '../modules/items/index.ts')], /platform must not look up at/],
  ['an import from kernel', [withImport('kernel/money.ts', '../platform/clock.ts')], /kernel must not look up at/],
  [
    'modules using http',
    [withImport('modules/items/item.ts', '../../http/form.ts')],
    /modules must not look up at http/,
  ],
  ['modules using a gateway', [withImport('modules/items/item.ts', '../../gateways/smtp.ts')], /must not look up at/],
  ['jobs using http', [withImport('jobs/sweep.ts', '../http/form.ts')], /jobs must not look across at http/],
  [
    'an import of a type inside a type',
    [server('kernel/a.ts', `type X = import('../http/a.ts').X`)],
    /look up at http/,
  ],
  ['an import at run time', [server('kernel/a.ts', `await import('../http/a.ts')`)], /look up at http/],
  ['a re-export', [server('kernel/a.ts', `export * from '../http/a.ts'`)], /look up at http/],
  ['a room nobody knows', [server('services/a.ts', '')], /stands in no room/],
  ['a country outside bin', [withImport('http/a.ts', '../jurisdictions/ng/irn.ts')], /known to bin alone/],
  ['a file inside another module', [withImport('modules/a/a.ts', '../b/b.store.ts')], /use the index\.ts of b/],
  ['http with a file inside a module', [withImport('http/a.ts', '../modules/b/b.store.ts')], /use the index\.ts of b/],
  [
    'a circle of modules',
    [
      withImport('modules/a/a.ts', '../b/index.ts'),
      withImport('modules/b/b.ts', '../c/index.ts'),
      withImport('modules/c/c.ts', '../a/index.ts'),
    ],
    /modules form a circle: a → b → c → a/,
  ],
  [
    'a circle of sub-folders',
    [
      withImport('modules/a/drafts/x.ts', '../notes/y.ts'),
      withImport('modules/a/notes/z.ts', '../life/y.ts'),
      withImport('modules/a/life/y.ts', '../drafts/w.ts'),
    ],
    /sub-folders of a form a circle: drafts → notes → life → drafts/,
  ],
  [
    'a circle of a sub-folder and a file beside it',
    [withImport('modules/a/a.store.ts', './drafts/x.ts'), withImport('modules/a/drafts/y.ts', '../a.store.ts')],
    /sub-folders of a form a circle: a\.store\.ts → drafts → a\.store\.ts/,
  ],
  [
    'a circle of folders in the platform',
    [withImport('platform/events/a.ts', '../jobs/b.ts'), withImport('platform/jobs/c.ts', '../events/d.ts')],
    /folders of platform form a circle: events → jobs → events/,
  ],
  ['form-a using form-b', [withImport('http/form-a/a.ts', '../form-b/b.ts')], /forms do not know each other/],
  ['a package in the kernel', [withImport('kernel/money.ts', 'decimal.js')], /kernel knows only itself/],
  ['fastify in a job', [withImport('jobs/a.ts', 'fastify')], /fastify stands only in/],
  ['a plugin of fastify in bin', [withImport('bin/a.ts', '@fastify/cors')], /fastify stands only in/],
  ['typebox in a module', [withImport('modules/a/a.ts', 'typebox/compile')], /typebox stands only in/],
  ['typebox in the platform', [withImport('platform/jobs/jobs.ts', 'typebox')], /typebox stands only in/],
  ['pg in a module', [withImport('modules/a/a.store.ts', 'pg')], /pg stands only in/],
  ['undici in a gateway', [withImport('gateways/a.ts', 'undici')], /undici stands only in platform\/outbound/],
  ['undici elsewhere in the platform', [withImport('platform/a.ts', 'undici')], /undici stands only in/],
  [
    'a fetch',
    [server('gateways/a.ts', `await fetch('https://example.com')`)],
    /a\.ts:1 uses fetch: only this folder may send/,
  ],
  ['a fetch that is handed on', [server('http/a.ts', 'const client = createClient(fetch)')], /uses fetch/],
  ['a fetch in a field', [server('http/a.ts', 'const client = { fetch }')], /uses fetch/],
  ['a fetch by its long name', [server('jobs/a.ts', 'globalThis.fetch(url)')], /uses fetch/],
  ['a socket of the web', [server('jobs/a.ts', 'new WebSocket(url)')], /uses WebSocket/],
  ['a request of Node', [server('jobs/a.ts', `import { request } from 'node:http'`)], /uses request/],
  ['a request by another name', [server('jobs/a.ts', `import { STATUS_CODES, get as take } from 'http'`)], /uses get/],
  ['all of https', [server('bin/a.ts', `import * as https from 'node:https'`)], /uses node:https/],
  ['http as one', [server('bin/a.ts', `import http from 'node:http'`)], /uses node:http/],
  ['a socket', [server('modules/a/a.ts', `import { connect, type Socket } from 'node:net'`)], /uses connect/],
  ['a socket with TLS', [server('platform/a.ts', `import { connect } from 'node:tls'`)], /uses connect/],
  ['http at run time', [server('bin/a.ts', `await import('node:http')`)], /uses node:http/],
  ['test code in the server', [withImport('bin/a.ts', '../../../test/harness/app.ts')], /does not need its tests/],
  ['a benchmark in the server', [withImport('bin/a.ts', '../../../bench/run.ts')], /does not need its tests/],
  ['the environment', [server('bin/a.ts', 'const level = process.env.LOG_LEVEL')], /a\.ts:1 reads process\.env/],
  ['the environment by pattern', [server('bin/a.ts', 'const { env: all } = process')], /reads process\.env/],
  ['the environment by import', [server('bin/a.ts', `import { env } from 'node:process'`)], /reads process\.env/],
  ['arguments', [server('bin/a.ts', `process['argv'].slice(2)`)], /reads process\.argv/],
  [
    'the address of a neighbour',
    [server('http/a.ts', 'count(request.ip)')],
    /a\.ts:1 asks the framework for an address/,
  ],
  ['the same by pattern', [server('http/a.ts', 'const { ips } = request')], /asks the framework for an address/],
  ['a form in a module', [server('modules/a/README.md', 'Only Form B has it.')], /says "Form B"/],
  ['a form in a name', [server('modules/a/a.ts', 'export const formA = 1')], /says "formA"/],
  [
    'a simulator that knows the server',
    [file('simulators/src/bank/a.ts', `import { x } from '../../../server/src/kernel/ids.ts'`)],
    /simulators must not know/,
  ],
  [
    'a dashboard that knows the server',
    [file('dashboard/src/a.tsx', `import { x } from '../../server/src/kernel/ids.ts'`)],
    /dashboard must not know/,
  ],
]

test.each(planted)('the check finds %s', (_, files, complaint) => {
  const complaints = checkLayers(files)
  expect(complaints).toHaveLength(1)
  expect(complaints[0]).toMatch(complaint)
})

test('the check allows permitted imports', () => {
  const allowed = [
    withImport('bin/start.ts', '../http/server.ts'),
    withImport('bin/runtime.ts', '../jurisdictions/ng/index.ts'),
    withImport('http/a.ts', '../modules/items/index.ts'),
    withImport('modules/items/item.ts', '../../jurisdictions/port.ts'),
    withImport('modules/items/index.ts', './item.ts'),
    withImport('modules/items/uses/use.ts', '../item.ts'),
    withImport('modules/items/uses/other.ts', './use.ts'),
    withImport('modules/items/item.test.ts', '../../http/server.ts'),
    withImport('kernel/ids.ts', 'node:crypto'),
    withImport('platform/outbound/a.ts', 'undici'),
    server('platform/outbound/b.ts', `import { connect } from 'node:tls'; await fetch('x')`),
    server('http/a.ts', `import { STATUS_CODES } from 'node:http'; import type { Socket } from 'node:net'`),
    server('http/b.ts', `import { isIP, type Socket } from 'node:net'; this.fetch(x); const y = { fetch: 1 }`),
    server('jobs/a.ts', 'function f(fetch: () => void, x: typeof fetch) {}'),
    server('http/a.test.ts', `await fetch('http://127.0.0.1')`),
    server('kernel/words.ts', '// process.env is read elsewhere; import { x } from "fastify"'),
  ]
  expect(checkLayers(allowed)).toEqual([])
})

test('imports go in one direction, through index files, without cycles', () => {
  expect(checkLayers(readTree())).toEqual([])
})
