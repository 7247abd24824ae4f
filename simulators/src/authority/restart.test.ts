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

test('everything is one line more, and nothing is rewritten', async () => {
  await using client = await startClient({ storeFile })
  let before = ''
  for (const end of ['1', '2', '3']) {
    const id = path.slice(-36, -1) + end
    await client.get(`/api/v1/entity/${id}`)
    const text = await readFile(storeFile, 'utf8')
    expect(text.startsWith(before)).toBe(true)
    expect(JSON.parse(text.slice(before.length))).toMatchObject({ what: 'entity', id })
    before = text
  }
  expect(await readdir(join(home, 'deep'))).toEqual(['store.json'])
})

test('a line that was cut off never happened', async () => {
  const before = await startClient({ storeFile })
  await before.get(path)
  await before[Symbol.asyncDispose]()
  const whole = await readFile(storeFile, 'utf8')
  await writeFile(storeFile, `${whole}{"what":"entity","id":"`)
  await using after = await startClient({ storeFile })
  expect((await after.get('/api/v1/entity')).json().data).toMatchObject({ page: { totalCount: 1 } })
  await after.get(`${path.slice(0, -1)}2`)
  const lines = (await readFile(storeFile, 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).what)).toEqual(['entity', 'entity'])
})

test.each(['{"entities": [\n', '[]\n', 'null\n'])('a file that is no store is not overwritten: %j', async (text) => {
  const broken = join(home, 'broken.json')
  await writeFile(broken, text)
  await expect(startClient({ storeFile: broken })).rejects.toThrow(SyntaxError)
  expect(await readFile(broken, 'utf8')).toBe(text)
})

test('a failure of its own is the envelope too', async () => {
  let times = 0
  await using client = await startClient({
    now() {
      if (times++ === 0) throw new Error('no clock')
      return new Date()
    },
  })
  const error = { handler: 'handler', public_message: 'the simulator failed: Error: no clock' }
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
