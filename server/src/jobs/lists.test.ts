import { expect, test } from 'vitest'
import { routeDefinitions } from '../http/routes/index.ts'
import type { Runner, Runtime } from '../platform/operations/runner.ts'
import { consumers, exchanges, jobHandlers } from './index.ts'

const handlers = jobHandlers({ ports: {} } as Runtime, {} as Runner)

test('every question to an outside party that a route asks is ended when its process dies', () => {
  const operations = Object.values(routeDefinitions).flatMap((group) =>
    Object.values(group).map(({ operation }) => operation),
  )
  const asked = operations.filter((operation) => operation.kind === 'exchange').map(({ name }) => name)
  expect(asked.length).toBeGreaterThan(5)
  expect(exchanges.map(({ name }) => name)).toEqual(expect.arrayContaining(asked))
})

test('names of exchanges and of jobs are given once', () => {
  for (const names of [exchanges.map(({ name }) => name), handlers.map(({ job }) => job.name)])
    expect(new Set(names).size).toBe(names.length)
})

test('each name of a consumer is given once, and every job that listens to events has a consumer', () => {
  const names = consumers.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const listening = handlers.filter(({ job }) => job.on.length > 0).map(({ job }) => job.name)
  expect(listening.length).toBeGreaterThan(2)
  expect(names).toEqual(expect.arrayContaining(listening))
})
