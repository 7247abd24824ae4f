import { median, type Row } from './measure.ts'
import { profiled } from './profiled.ts'
import { Statements } from './statement-times.ts'
import { bareLoop } from './webhook-bare-loop.ts'
import { prepare, type Receiver, received, type Stage } from './webhook-stage.ts'

const endpoints = 4
const events = 5_000
const rounds = 5
const warmUps = 2

/** Microseconds of CPU time that this process and the receiver have used. */
async function cpuUsed({ ask }: Receiver): Promise<[number, number]> {
  const theirs = await ask<NodeJS.CpuUsage>('cpu')
  const mine = process.cpuUsage()
  return [mine.user + mine.system, theirs.user + theirs.system]
}

/** CPU time of each side per request while `work` runs. */
async function withCpu(receiver: Receiver, requests: number, work: () => Promise<void>): Promise<string> {
  const before = await cpuUsed(receiver)
  await work()
  const after = await cpuUsed(receiver)
  return after.map((used, nth) => `${Math.round((used - (before[nth] as number)) / requests)} µs`).join(' and ')
}

export async function measureRate({ open, receiver, start, emit, until, say }: Stage): Promise<Row[]> {
  const many = await prepare(open, receiver, ['/0', '/1', '/2', '/3'])
  const worker = await start()
  await emit(many, 1)
  await until(endpoints)
  const count = events * endpoints
  const ours: number[] = []
  // Tries the dispatcher's starting number of parallel requests, its number for fast endpoints, and one in between. The
  // fastest is the yardstick.
  const bare = new Map([8, 16, 32].map((each) => each * endpoints).map((hands): [number, number[]] => [hands, []]))
  const round = async () => {
    const had = await received(receiver)
    await emit(many, events)
    const began = performance.now()
    const oursCpu = await withCpu(receiver, count, () =>
      profiled(`webhooks-rate-${ours.length}`, () => until(had + count)),
    )
    ours.push(count / ((performance.now() - began) / 1000))
    say(`  CPU of sender and receiver for each: ${oursCpu}`)
    for (const [hands, figures] of bare) {
      const bareCpu = await withCpu(receiver, count, async () => {
        figures.push(await bareLoop(receiver, count, hands))
      })
      say(`    of the bare loop with ${hands} hands: ${bareCpu}`)
    }
  }
  // Warms up both sides. The bare loop is small and is compiled soon.
  for (let nth = 0; nth < warmUps; nth++) await round()
  ours.length = 0
  for (const figures of bare.values()) figures.length = 0
  const statements = new Statements(open, count * rounds)
  await statements.begin()
  for (let nth = 0; nth < rounds; nth++) await round()
  await worker.stop()
  for (const line of await statements.heaviest()) say(`  ${line}`)
  return [
    {
      name: 'webhook deliveries',
      unit: '/s',
      ours: median(ours),
      yardstick: Math.max(...[...bare.values()].map(median)),
      yardstickName: 'bare loop of signed POSTs',
      goal: 0.5,
    },
  ]
}
