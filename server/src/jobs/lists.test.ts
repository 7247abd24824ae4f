import { expect, test } from 'vitest'
import { routeDefinitions } from '../http/routes/index.ts'
import type { Runner, Runtime } from '../platform/operations/runner.ts'
import { consumers, exchanges, jobHandlers } from './index.ts'

const handlers = jobHandlers({ ports: {} } as Runtime, {} as Runner)

test('every exchange that a route can start is on the list of those that are ended when their process dies', () => {
  const operations = Object.values(routeDefinitions).flatMap((group) =>
    Object.values(group).map(({ operation }) => operation),
  )
  const asked = operations.filter((operation) => operation.kind === 'exchange').map(({ name }) => name)
  expect(asked.length).toBeGreaterThan(5)
  expect(exchanges.map(({ name }) => name)).toEqual(expect.arrayContaining(asked))
})

test('names of exchanges and of jobs are unique', () => {
  for (const names of [exchanges.map(({ name }) => name), handlers.map(({ job }) => job.name)])
    expect(new Set(names).size).toBe(names.length)
})

test('names of consumers are unique, and every job that follows events has a consumer', () => {
  const names = consumers.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const listening = handlers.filter(({ job }) => job.on.length > 0).map(({ job }) => job.name)
  expect(listening.length).toBeGreaterThan(2)
  expect(names).toEqual(expect.arrayContaining(listening))
})
