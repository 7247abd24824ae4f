import { expect, test } from 'vitest'
import { capturedLog } from '../../../../test/harness/app.ts'
import { Unavailable } from './unavailable.ts'

test('every 503 is counted by cause, and each cause is logged once a second', async () => {
  let now = 5_000
  const { log, text } = capturedLog()
  const unavailable = new Unavailable(log, () => now)
  const lines = () =>
    text()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { level, msg, reason, count, requestId } = JSON.parse(line)
        return [level, msg, reason, count, requestId].join(' ')
      })
  for (let at = 0; at < 1_000; at++) unavailable.note('database 57014', { requestId: `a${at}` })
  unavailable.note('paystack', { requestId: 'b' })
  expect(lines()).toEqual(['warn request.unavailable database 57014 1 a0', 'warn request.unavailable paystack 1 b'])
  now = 5_999
  unavailable.note('database 57014', { requestId: 'c' })
  expect(lines()).toHaveLength(2)
  now = 6_000
  unavailable.note('database 57014', { requestId: 'd' })
  expect(lines().at(-1)).toBe('warn request.unavailable database 57014 1001 d')
  expect(await unavailable.metrics()).toBe(
    [
      '# HELP risiti_unavailable_total Answers of 503, by what was away',
      '# TYPE risiti_unavailable_total counter',
      'risiti_unavailable_total{cause="database 57014"} 1002',
      'risiti_unavailable_total{cause="paystack"} 1',
      '',
    ].join('\n'),
  )
})
