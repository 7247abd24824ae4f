import { expect, test } from 'vitest'
import { RequestTimes } from './request-times.ts'

test('times are counted under every bound that they do not exceed', () => {
  const times = new RequestTimes()
  for (const seconds of [0.001, 0.002, 0.003, 0.3, 60]) times.note('GET', '/a/:id', 200, seconds)
  times.note('POST', '/a/"odd"', 500, 0.01)
  const lines = times.text().split('\n')
  const of = (bound: string) =>
    lines
      .find((line) => line.includes(`le="${bound}",method="GET"`))
      ?.split(' ')
      .at(-1)
  expect(['0.002', '0.005', '0.25', '0.5', '10', '+Inf'].map(of)).toEqual(['2', '3', '3', '4', '4', '5'])
  expect(lines).toContain('risiti_http_request_seconds_count{method="GET",route="/a/:id",status="200"} 5')
  expect(lines).toContain('risiti_http_request_seconds_sum{method="POST",route="/a/\\"odd\\"",status="500"} 0.01')
  expect(lines.slice(0, 2)).toEqual([
    '# HELP risiti_http_request_seconds Time to answer, by route and status',
    '# TYPE risiti_http_request_seconds histogram',
  ])
})
