import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EventType, eventTypes } from '../server/src/kernel/events.ts'
import type { RealEvent } from '../test/harness/emitted-events.ts'
import { type SeenValues, valuesIn } from '../test/harness/event-values.ts'

/**
 * Records the values of real events by field, so that a test can compare the samples with them. Runs the named tests,
 * or all, and their harness saves every event. Earlier values stay. If a folder with saved events is given, no test
 * runs.
 */
const file = new URL('../test/structure/event-values.json', import.meta.url)
const [first = '', ...others] = process.argv.slice(2)
const folder = first.startsWith('--gathered=') ? first.slice('--gathered='.length) : undefined
const gatheredIn = folder ?? mkdtempSync(join(tmpdir(), 'risiti-events-'))
if (folder === undefined)
  spawnSync('npx', ['vitest', 'run', ...[first, ...others].filter(Boolean)], {
    stdio: 'inherit',
    env: { ...process.env, GATHER_EVENTS: gatheredIn },
  })

const known = JSON.parse(readFileSync(file, 'utf8')) as Record<string, SeenValues>
const seen = new Map<EventType, Map<string, Set<string>>>(
  Object.entries(known).map(([type, fields]) => [
    type as EventType,
    new Map(Object.entries(fields).map(([name, values]) => [name, new Set(values)])),
  ]),
)
for (const name of readdirSync(gatheredIn)) {
  for (const line of readFileSync(join(gatheredIn, name), 'utf8').split('\n').filter(Boolean)) {
    const event = JSON.parse(line) as RealEvent
    const fields = seen.get(event.type) ?? new Map<string, Set<string>>()
    seen.set(event.type, fields)
    for (const [field, value] of valuesIn(event)) fields.set(field, (fields.get(field) ?? new Set()).add(value))
  }
}
const types = (Object.keys(eventTypes) as EventType[]).filter((type) => seen.has(type)).sort()
const sorted = Object.fromEntries(
  types.map((type) => [
    type,
    Object.fromEntries([...(seen.get(type) ?? [])].map(([field, values]) => [field, [...values].sort()])),
  ]),
)
writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
const unseen = (Object.keys(eventTypes) as EventType[]).filter((type) => !seen.has(type))
console.log(`${types.length} types of event were seen; not seen: ${unseen.join(', ')}`)
