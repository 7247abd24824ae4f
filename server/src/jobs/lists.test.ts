import { expect, test } from 'vitest'
import { endpoints } from '../http/endpoints/index.ts'
import type { Machine, Runner } from '../platform/operations/runner.ts'
import { exchanges, jobHandlers, relayedJobs } from './index.ts'

const handlers = jobHandlers({ ports: {} } as Machine, {} as Runner)

test('every question to an outside party that a route asks is ended when its process dies', () => {
  const operations = Object.values(endpoints).flatMap((group) => Object.values(group).map(({ operation }) => operation))
  const asked = operations.filter((operation) => operation.kind === 'exchange').map(({ name }) => name)
  expect(asked.length).toBeGreaterThan(5)
  expect(exchanges.map(({ name }) => name)).toEqual(expect.arrayContaining(asked))
})

test('names of exchanges and of jobs are given once', () => {
  for (const names of [exchanges.map(({ name }) => name), handlers.map(({ job }) => job.name)])
    expect(new Set(names).size).toBe(names.length)
})

test('whatever the relay hands to the queue has somebody who does it', () => {
  const done = handlers.map(({ job }) => job.name)
  expect(done).toEqual(expect.arrayContaining(relayedJobs.map(({ name }) => name)))
  const listening = handlers.filter(({ job }) => job.on.length > 0).map(({ job }) => job.name)
  expect(relayedJobs.map(({ name }) => name)).toEqual(expect.arrayContaining(listening))
})
