import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { newId } from '../../server/src/kernel/ids.ts'
import { seeded } from '../harness/chance.ts'
import { openEventStorm } from '../harness/event-storm.ts'
import { openManyLogs } from '../harness/many-logs.ts'
import type { ServerProcess } from '../harness/processes.ts'

/** Small in the ordinary run. `npm run faults:events` has 20,000 events and kills a process every few seconds. */
const size = Number(process.env.STORM_EVENTS ?? 300)
const seed = Number(process.env.STORM_SEED ?? 20_261_115)
const isLong = size > 1_000
const boundMs = isLong ? 600_000 : 60_000
if (isLong) vi.setConfig({ testTimeout: boundMs + 60_000 })
const lifeMs = isLong ? { least: 1_500, more: 2_500 } : { least: 2_000, more: 500 }
const falls = isLong ? 0.01 : 0.2
const leastKills = isLong ? 10 : 2
const consumers = { 'storm-1': 37, 'storm-2': 200, 'storm-3': 1_000 }
const names = Object.keys(consumers)

const endings: (() => unknown)[] = []
afterAll(async () => {
  for (const end of endings.reverse()) await end()
})

test(`three consumers process ${size} events exactly once while processes are killed (seed ${seed})`, async () => {
  const chance = seeded(seed)
  const storm = await openEventStorm()
  endings.push(() => storm.close())
  let started = 0
  const start = (likelyToFall = falls): Promise<ServerProcess> => {
    const name = `process ${++started}`
    return storm.start({ name, consumers, tellsUntil: size, seed: seed + started, falls: likelyToFall })
  }
  const isOver = async () => {
    const { told, seen, counted } = await storm.counts()
    return told >= size && seen >= told * names.length && counted >= told
  }

  const began = performance.now()
  const isInTime = () => performance.now() - began < boundMs
  const alive = [start(), start()]
  let kills = 0
  while (isInTime() && (kills < leastKills || (isLong && (await storm.counts()).told < size))) {
    const victim = await (alive.shift() as Promise<ServerProcess>)
    // Some processes end themselves between an effect and its cursor. The others are killed at a random moment.
    await Promise.race([victim.ended, wait(lifeMs.least + chance() * lifeMs.more)])
    await victim.kill()
    kills++
    if (isLong) alive.push(start())
  }
  for (const one of alive.splice(0)) await (await one).kill()
  const last = await start(0)
  while (isInTime() && !(await isOver())) await wait(100)
  // Leaves time for a repeated effect, which would be a fault.
  await wait(isLong ? 3_000 : 300)
  await last.kill()

  const { told, counted } = await storm.counts()
  const seconds = Math.round((performance.now() - began) / 1000)
  const effects = await storm.effects()
  process.stdout.write(
    `seed ${seed}: ${told} events in ${seconds} s, ${kills} processes killed, counted ${counted}, ${JSON.stringify(effects)}\n`,
  )
  expect(told).toBeGreaterThanOrEqual(size)
  expect(kills).toBeGreaterThanOrEqual(leastKills)
  expect(effects).toEqual(
    names.map((consumer) => ({ consumer, seen: told, different: told, unknown: 0, disordered: 0 })),
  )
  // The service keeps a sum of the events, so a repeated event would show there too.
  expect(counted).toBe(told)
})

/** `npm run faults:events` has 100,000. */
const many = 5 * size

test(`${many} organisations with one event each, and two followers, which take each event once`, async () => {
  const logs = await openManyLogs(2)
  endings.push(() => logs.close())
  const began = performance.now()
  for (let written = 0; written < many; written += 1_000) await logs.append(Math.min(1_000, many - written))
  const writtenMs = performance.now() - began
  const isOver = async () => (await logs.seen()).all >= many && (await logs.counted()) >= many
  while (performance.now() - began < boundMs && !(await isOver())) await wait(50)
  const tookMs = performance.now() - began
  await wait(300)
  process.stdout.write(
    `${many} organisations: written in ${Math.round(writtenMs)} ms, all taken after ${Math.round(tookMs)} ms\n`,
  )
  expect(await logs.seen()).toEqual({ all: many, different: many, disordered: 0 })
  expect(await logs.counted()).toBe(many)
})

test(`one organisation with ${many} events keeps its order and does not hold up another one`, async () => {
  const logs = await openManyLogs(1)
  endings.push(() => logs.close())
  const [busy, quiet] = [newId<'organisation'>(), newId<'organisation'>()]
  const began = performance.now()
  for (let written = 0; written < many; written += 5_000) await logs.append(Math.min(5_000, many - written), busy)
  const writtenMs = performance.now() - began
  await logs.append(1, quiet)
  const appended = performance.now()
  while (performance.now() - began < boundMs && (await logs.seen(quiet)).all < 1) await wait(10)
  const quietMs = performance.now() - appended
  while (performance.now() - began < boundMs && (await logs.seen(busy)).all < many) await wait(50)
  const tookMs = performance.now() - began
  process.stdout.write(
    `${many} events of one organisation: written in ${Math.round(writtenMs)} ms, all taken after ${Math.round(tookMs)} ms; one of another organisation after ${Math.round(quietMs)} ms\n`,
  )
  expect(await logs.seen(busy)).toEqual({ all: many, different: many, disordered: 0 })
  expect(quietMs).toBeLessThan(10_000)
})
