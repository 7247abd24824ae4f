import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { newId } from '../../server/src/kernel/ids.ts'
import { seeded } from '../harness/chance.ts'
import { openEventStorm } from '../harness/event-storm.ts'
import { eventually } from '../harness/eventually.ts'
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
  const takeAll = () => eventually(async () => expect(await isOver()).toBe(true), boundMs)
  await takeAll()
  // A repeated effect, which would be a fault, comes before the effect of a later event.
  await storm.tellOne()
  await takeAll()
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
  const takeAll = (all: number) =>
    eventually(async () => {
      expect((await logs.seen()).all).toBeGreaterThanOrEqual(all)
      expect(await logs.counted()).toBeGreaterThanOrEqual(all)
    }, boundMs)
  await takeAll(many)
  const tookMs = performance.now() - began
  // A follower that would take an event again does so when it looks for a later one, and not after its end.
  await logs.append(1)
  await takeAll(many + 1)
  await logs.stopFollowing()
  process.stdout.write(
    `${many} organisations: written in ${Math.round(writtenMs)} ms, all taken after ${Math.round(tookMs)} ms\n`,
  )
  expect(await logs.seen()).toEqual({ all: many + 1, different: many + 1, disordered: 0 })
  expect(await logs.counted()).toBe(many + 1)
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
  await eventually(async () => expect((await logs.seen(quiet)).all).toBeGreaterThanOrEqual(1), boundMs)
  const quietMs = performance.now() - appended
  await eventually(async () => expect((await logs.seen(busy)).all).toBeGreaterThanOrEqual(many), boundMs)
  const tookMs = performance.now() - began
  process.stdout.write(
    `${many} events of one organisation: written in ${Math.round(writtenMs)} ms, all taken after ${Math.round(tookMs)} ms; one of another organisation after ${Math.round(quietMs)} ms\n`,
  )
  expect(await logs.seen(busy)).toEqual({ all: many, different: many, disordered: 0 })
  expect(quietMs).toBeLessThan(10_000)
})
