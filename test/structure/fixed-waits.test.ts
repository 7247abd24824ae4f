import { expect, test } from 'vitest'
import { checkFixedWaits } from './fixed-waits.ts'
import { file, readTree } from './source-tree.ts'

const path = 'server/src/jobs/a.test.ts'
const sleep = `pg_${'sleep'}(0.2)`
const imported = `import { setTimeout as wait } from 'node:timers/promises'`

test.each([
  [`${imported}\nawait wait(300)`, 'wait(300)'],
  [`${imported}\nconst late = wait(longMs)`, 'wait(longMs)'],
  [`import { setTimeout } from 'timers/promises'\nawait setTimeout(20)`, 'setTimeout(20)'],
  ['\nawait new Promise((go) => setTimeout(go, 20))', 'setTimeout(…, 20)'],
  ['\nglobalThis.setTimeout(go, 20)', 'setTimeout(…, 20)'],
  ['\nsetInterval(look, 5)', 'setInterval(…, 5)'],
  [`\nawait tx.run(sql\`select ${sleep}\`)`, sleep],
  // A loop around it does not make a pause short enough, or long enough.
  [`${imported}\nfor (let looks = 0; looks < 9 && !done; looks++) await wait(10)`, 'wait(10)'],
])('the check finds %s', (text, name) => {
  const complaint = `${path}:2 waits for a time: wait for a condition, such as with \`eventually\` (${name})`
  expect(checkFixedWaits([file(path, text)], {})).toEqual([complaint])
  expect(checkFixedWaits([file('test/harness/a.ts', text)], {})).toHaveLength(1)
  expect(checkFixedWaits([file('server/src/jobs/a.ts', text)], {})).toEqual([])
})

test('the check finds a wait that gives up after a second', () => {
  const complaint = `${path}:1 gives up after a second: use \`eventually\``
  expect(checkFixedWaits([file(path, 'await vi.waitFor(look)')], {})).toEqual([complaint])
})

test.each([
  'await eventually(async () => expect(done).toBe(true))',
  `${imported}\nawait wait(pauseMs(beganAt))`,
  `vi.useFakeTimers({ toFake: ['setTimeout'] })`,
  'const { setTimeout: later } = globalThis',
  `\nconst listed = { '${sleep}': 'a reason' }`,
])('the check lets pass %s', (text) => {
  expect(checkFixedWaits([file(path, text)], {})).toEqual([])
})

test('a listed wait may stay, a second one needs a reason of its own, and the list has no unused entries', () => {
  const text = `${imported}\nawait wait(20)`
  const listed = { [path]: { 'wait(20)': 'the pace of the load' } }
  expect(checkFixedWaits([file(path, text)], listed)).toEqual([])
  expect(checkFixedWaits([file(path, `${text}\nawait wait(20)`)], listed)).toEqual([
    expect.stringContaining('(wait(20) (2))'),
  ])
  expect(checkFixedWaits([file(path)], listed)).toEqual([`${path} is listed for wait(20), which it does not have`])
})

test('tests wait for conditions, or state why they wait for a time', () => {
  expect(checkFixedWaits(readTree())).toEqual([])
})
