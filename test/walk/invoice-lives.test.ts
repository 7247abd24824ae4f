import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { faultsAtOnce, faultsAtRest } from './checks.ts'
import { takeStep, themes } from './steps.ts'
import { unreliableAuthority } from './unreliable-authority.ts'
import { newWorld } from './world.ts'

/** `npm run walk` runs hundreds of lives. `WALK_SEED` repeats one walk. */
const worlds = Number(process.env.WALK_WORLDS ?? themes.length)
const stepsOfEach = Number(process.env.WALK_STEPS ?? 4)
const firstSeed = Number(process.env.WALK_SEED ?? Math.floor(Math.random() * 1_000_000))
const mostFaults = Number(process.env.WALK_FAULTS ?? 1)

let app: TestApp
const authority = unreliableAuthority()
beforeAll(async () => {
  app = await startTestApp({
    now: '2026-11-15T09:00:00Z',
    authority: ['sandbox'],
    authorityThrough: authority.through,
    bank: true,
    settings: { sandboxPatienceMs: 4_000 },
  })
})
afterAll(() => app.close())

test.each(Array.from({ length: worlds }, (_, at) => firstSeed + at * 10))(
  'the figures of an organisation stay right after any changes of its documents (seed %i)',
  async (seed) => {
    const world = await newWorld(app, authority, seed)
    const { diary } = world
    const theme = themes[((seed / 10) % themes.length) | 0] ?? []
    const faults: string[] = []
    for (let at = 1; at <= stepsOfEach && faults.length < mostFaults; at++) {
      diary.push(`${at}. ${await takeStep(world, theme)}`)
      const underWay = await faultsAtOnce(world)
      await world.settled()
      for (const fault of [...underWay, ...(await faultsAtRest(world))]) if (!faults.includes(fault)) faults.push(fault)
    }
    expect(faults, `seed ${seed}\n${diary.join('\n')}`).toEqual([])
  },
  30_000 + stepsOfEach * 5_000,
)
