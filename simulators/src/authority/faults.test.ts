import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Fault } from './index.ts'
import { failed, failureIn, keyHeaders, startClient, type TestClient } from './test-client.ts'

const id = '6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11'
const tryLater = 'unable to complete this operation at this time, kindly try again later'
const path = `/api/v1/entity/${id}`

let client: TestClient
beforeEach(async () => {
  client = await startClient()
})
afterEach(() => client[Symbol.asyncDispose]())

const misbehave = (fault: Fault) => client.simulator.control.misbehave(fault)
/** Whether the call under the fault was carried out: then a search finds the entity. */
const wasDone = async () => {
  client.simulator.control.misbehave(undefined)
  return (await client.get('/api/v1/entity')).json().data.items !== null
}
const recorded = () => client.simulator.control.requests.map(({ status }) => status)

test('down resets the connection and does nothing', async () => {
  misbehave('down')
  await expect(client.get(path)).rejects.toMatchObject({ cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR/) } })
  expect(recorded()).toEqual([0])
  expect(await wasDone()).toBe(false)
})

test('nonsense is a web page with status 200, and nothing is done', async () => {
  misbehave('nonsense')
  const answer = await client.get(path)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(answer.text).toMatch(/^<!doctype html>/)
  expect(await wasDone()).toBe(false)
})

test.each([
  ['error', 500],
  ['busy', 400],
] as const)('%s answers %i, and nothing is done', async (fault, status) => {
  misbehave(fault)
  const answer = await client.get(path)
  expect(failureIn(answer)).toEqual(failed(status, { handler: 'handler', public_message: tryLater }))
  expect((await client.get(path)).text).not.toBe(answer.text)
  expect(recorded()).toEqual([status, status])
  expect(await wasDone()).toBe(false)
})

test('silent does the work and never answers', async () => {
  misbehave('silent')
  const patience = new AbortController()
  const hanging = expect(client.ask('GET', path, { headers: keyHeaders, signal: patience.signal })).rejects.toThrow()
  await expect.poll(recorded).toEqual([0])
  patience.abort()
  await hanging
  expect(await wasDone()).toBe(true)
})

test('held does the work, and answers once it is told to behave otherwise', async () => {
  misbehave('held')
  let answers = 0
  const asking = [client.get(path), client.get('/api')].map((answer) => answer.finally(() => answers++))
  await expect.poll(recorded).toEqual([200, 200])
  expect(answers).toBe(0)
  misbehave('error')
  expect((await Promise.all(asking)).map(({ status }) => status)).toEqual([200, 200])
  expect((await client.get(path)).status).toBe(500)
  expect(await wasDone()).toBe(true)
})

test('slow answers after two seconds', async () => {
  misbehave('slow')
  const started = performance.now()
  const answer = await client.get(path)
  expect(performance.now() - started).toBeGreaterThan(1_900)
  expect(answer.json().data.id).toBe(id)
})

test('truncated is JSON that stops half-way, in a whole answer', async () => {
  misbehave('truncated')
  for (const route of [path, '/api']) {
    const answer = await client.get(route)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe(String(answer.text.length))
    expect(answer.text).toMatch(/^\{"/)
    expect(() => answer.json()).toThrow(SyntaxError)
  }
  expect(await wasDone()).toBe(true)
})

test('drip gives one byte a second', async () => {
  misbehave('drip')
  const patience = new AbortController()
  const started = performance.now()
  const response = await fetch(`${client.simulator.url}/api`, { signal: patience.signal })
  expect([response.status, response.headers.get('content-length')]).toEqual([200, '16'])
  const reader = response.body!.getReader()
  const bytes = [await reader.read(), await reader.read(), await reader.read()]
  const took = performance.now() - started
  expect(bytes.map(({ value }) => Buffer.from(value as Uint8Array).toString())).toEqual(['{', '"', 'h'])
  expect(took).toBeGreaterThan(1_900)
  patience.abort()
  await expect(reader.read()).rejects.toThrow()
})

test.each(['silent', 'held', 'slow', 'drip'] as const)('%s does not keep the simulator from closing', async (fault) => {
  misbehave(fault)
  const hanging = expect(client.get(path)).rejects.toThrow()
  await expect.poll(() => client.simulator.control.requests.length).toBe(1)
  const started = performance.now()
  await client.simulator.close()
  await hanging
  expect(performance.now() - started).toBeLessThan(1_000)
})

test('faults are on every route, and end when told', async () => {
  misbehave('busy')
  for (const route of ['/api', '/api/v1/invoice/resources/states', '/nowhere'])
    expect((await client.get(route)).status).toBe(400)
  client.simulator.control.misbehave(undefined)
  expect((await client.get('/api')).json()).toEqual({ healthy: true })
})
