import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failed, failureIn, startClient } from './test-client.ts'

const path = '/api/v1/entity/6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11'
const list = '/api/v1/invoice/resources/states'

let home: string
let storeFile: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'authority-simulator-'))
  storeFile = join(home, 'deep', 'store.json')
})
afterEach(() => rm(home, { recursive: true }))

test('entities and replaced lists survive a restart; faults and requests do not', async () => {
  const before = await startClient({ storeFile, now: () => new Date('2026-11-15T09:30:00Z') })
  const entity = (await before.get(path)).text
  before.simulator.control.replaceList('states', [{ name: 'Lagos', code: 'NG-LA' }])
  before.simulator.control.misbehave('busy')
  await before[Symbol.asyncDispose]()

  await using after = await startClient({ storeFile })
  expect(after.simulator.control.requests).toEqual([])
  expect((await after.get(path)).text).toBe(entity)
  expect((await after.get('/api/v1/entity')).json().data).toMatchObject({ items: [JSON.parse(entity).data] })
  expect((await after.get(list)).json().data).toEqual([{ name: 'Lagos', code: 'NG-LA' }])
})

test('the file is whole, and alone, after every change', async () => {
  await using client = await startClient({ storeFile })
  for (const end of ['1', '2', '3']) {
    const id = path.slice(-36, -1) + end
    await client.get(`/api/v1/entity/${id}`)
    const { entities } = JSON.parse(await readFile(storeFile, 'utf8')) as { entities: { id: string }[] }
    expect(entities.at(-1)?.id).toBe(id)
  }
  expect(await readdir(join(home, 'deep'))).toEqual(['store.json'])
})

test('a file of an older simulator is taken up', async () => {
  const older = join(home, 'older.json')
  await writeFile(older, '{"lists":{"states":[]}}')
  await using client = await startClient({ storeFile: older })
  expect((await client.get(list)).json().data).toBeNull()
  expect((await client.get(path)).status).toBe(200)
})

test.each(['{"entities": [', '[]', 'null'])('a file that is no store is not overwritten: %s', async (text) => {
  const broken = join(home, 'broken.json')
  await writeFile(broken, text)
  await expect(startClient({ storeFile: broken })).rejects.toThrow(SyntaxError)
  expect(await readFile(broken, 'utf8')).toBe(text)
})

test('a failure of its own is the envelope too', async () => {
  await using client = await startClient({ storeFile })
  await rm(join(home, 'deep'), { recursive: true })
  const error = { handler: 'handler', public_message: expect.stringMatching(/^the simulator failed: Error: ENOENT/) }
  expect(failureIn(await client.get(path))).toEqual(failed(500, error))
  expect((await client.get('/api')).status).toBe(200)
})

test('without a file, nothing is kept', async () => {
  const before = await startClient()
  await before.get(path)
  await before[Symbol.asyncDispose]()
  await using after = await startClient()
  expect((await after.get('/api/v1/entity')).json().data.items).toBeNull()
})
