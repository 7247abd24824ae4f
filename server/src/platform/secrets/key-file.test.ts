import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKeyFile, KeyFileProblem, loadKeyRing, prepareKey, rotateKey } from './key-file.ts'

let home: string
let path: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'risiti-keys-'))
  path = join(home, 'data', 'secrets.json')
})
afterEach(() => rm(home, { recursive: true, force: true }))

const load = (createIfMissing = false) => loadKeyRing(path, { createIfMissing })
const make = () => load(true)
const modeOf = async (of: string) => (await stat(of)).mode & 0o777
const files = () => readdir(join(home, 'data'))
const problem = (attempt: Promise<unknown>): Promise<KeyFileProblem> =>
  attempt.then(
    () => {
      throw new Error('nothing was refused')
    },
    (error: unknown) => {
      expect(error).toBeInstanceOf(KeyFileProblem)
      return error as KeyFileProblem
    },
  )

test('a key file is created once, private to its owner, and then read', async () => {
  const ring = await make()
  expect(ring.active).toBe('k1')
  expect([...ring.keys].map(([id, key]) => [id, key.length])).toEqual([['k1', 32]])
  expect([await modeOf(path), await modeOf(join(home, 'data'))]).toEqual([0o600, 0o700])
  expect(await load()).toEqual(ring)
  expect(await make()).toEqual(ring)
  expect(await files()).toEqual(['secrets.json'])
})

test('two installations have different keys', async () => {
  const first = await make()
  await rm(path)
  expect((await make()).keys.get('k1')).not.toEqual(first.keys.get('k1'))
})

test('if no file may be created, a missing file is an error', async () => {
  expect((await problem(load())).message).toBe(
    `there is no key file at ${path}; set SECRETS_FILE to the one of this database, or make one for a new database: npm run secrets:create`,
  )
  await expect(stat(path)).rejects.toThrow('ENOENT')
})

test.each([0o644, 0o640, 0o604, 0o660, 0o611])(
  'a file of mode %o is refused, with the command that fixes it',
  async (mode) => {
    await make()
    await chmod(path, mode)
    expect((await problem(load())).message).toBe(`the key file ${path} can be read by others; run: chmod 600 ${path}`)
    await chmod(path, 0o400)
    expect((await load()).active).toBe('k1')
  },
)

describe('a file that is not a key file', () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  test.each([
    ['nothing', ''],
    ['half of one', `{"active":"k1","keys":{"k1":"${key}"`],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number for a key', '{"active":"k1","keys":{"k1":5}}'],
    ['no keys', '{"active":"k1"}'],
    ['an active key that it lacks', JSON.stringify({ active: 'k2', keys: { k1: key } })],
    ['no active key', JSON.stringify({ keys: { k1: key } })],
    ['a short key', JSON.stringify({ active: 'k1', keys: { k1: Buffer.alloc(31, 7).toString('base64') } })],
    [
      'a long key beside a good one',
      JSON.stringify({ active: 'k1', keys: { k1: key, k2: `${key.slice(0, 42)}AAAA` } }),
    ],
    ['a name that would break sealed values', JSON.stringify({ active: 'k.1', keys: { 'k.1': key } })],
  ])('with %s is refused without showing its content', async (_, text) => {
    await make()
    await writeFile(path, text)
    const { message } = await problem(load())
    expect(message).toContain(path)
    expect(message).toMatch(/restore it from a backup$/)
    expect(message).not.toContain(key.slice(0, 20))
    // Asked to make one where there is a broken one, it must not replace it: the keys may be recoverable.
    await problem(make())
    expect(await readFile(path, 'utf8')).toBe(text)
  })
})

test('of several concurrent starts, one creates the file and all use it', async () => {
  const rings = await Promise.all(Array.from({ length: 24 }, make))
  expect(new Set(rings.map((ring) => ring.keys.get('k1')?.toString('hex'))).size).toBe(1)
  expect(await load()).toEqual(rings[0])
  expect(await files()).toEqual(['secrets.json'])
})

test('a new key is added to the older ones and becomes active', async () => {
  const before = await make()
  expect([await rotateKey(path), await rotateKey(path)]).toEqual(['k2', 'k3'])
  const after = await load()
  expect(after.active).toBe('k3')
  expect([...after.keys.keys()]).toEqual(['k1', 'k2', 'k3'])
  expect(after.keys.get('k1')).toEqual(before.keys.get('k1'))
  expect(new Set([...after.keys.values()].map((key) => key.toString('hex'))).size).toBe(3)
  expect(await modeOf(path)).toBe(0o600)
  expect(await files()).toEqual(['secrets.json'])
})

test('a prepared key is known to all nodes and used only after its activation', async () => {
  const before = await make()
  expect([await prepareKey(path), await prepareKey(path)]).toEqual(['k2', 'k2'])
  const prepared = await load()
  expect([prepared.active, [...prepared.keys.keys()]]).toEqual(['k1', ['k1', 'k2']])
  expect(prepared.keys.get('k1')).toEqual(before.keys.get('k1'))
  expect(await rotateKey(path)).toBe('k2')
  expect(await load()).toEqual({ ...prepared, active: 'k2' })
  expect(await prepareKey(path)).toBe('k3')
  expect((await load()).active).toBe('k2')
  expect([await modeOf(path), await files()]).toEqual([0o600, ['secrets.json']])
})

test('a key file is created on demand, and never replaces another', async () => {
  await createKeyFile(path)
  const ring = await load()
  expect([ring.active, await modeOf(path), await files()]).toEqual(['k1', 0o600, ['secrets.json']])
  expect((await problem(createKeyFile(path))).message).toBe(
    `there is a key file at ${path} already, which was left as it is`,
  )
  expect(await load()).toEqual(ring)
  // Not even over one that is no key file at all: it may be what is left of one.
  await writeFile(path, 'half of')
  await problem(createKeyFile(path))
  expect([await readFile(path, 'utf8'), await files()]).toEqual(['half of', ['secrets.json']])
})

test('a reader during a change sees the whole old file or the whole new one', async () => {
  await make()
  let adding = true
  const seen = new Set<number>()
  const reading = (async () => {
    do seen.add((await load()).keys.size)
    while (adding)
  })()
  for (let i = 0; i < 20; i++) await rotateKey(path)
  adding = false
  await reading
  seen.add((await load()).keys.size)
  expect(seen.has(21)).toBe(true)
  expect([...seen].every((size) => size >= 1 && size <= 21)).toBe(true)
})

test('no key is added to a missing file or to one that others can read', async () => {
  for (const change of [rotateKey, prepareKey])
    expect((await problem(change(path))).message).toBe(`there is no key file at ${path}`)
  await make()
  await chmod(path, 0o644)
  expect((await problem(rotateKey(path))).message).toContain('chmod 600')
})
