import { expect, test } from 'vitest'
import { readConfig } from '../../server/src/platform/config.ts'
import { alertsIn, anchorsOf, metricsNamedIn } from './operating.ts'
import { isTest, readCommitted, readTree } from './source-tree.ts'

const rules = readCommitted('deploy/prometheus/alerts.yaml')
const dashboard = readCommitted('deploy/grafana/risiti.json')
const runbooks = readCommitted('docs/runbooks.md')

/** The metrics that the code defines. */
const defined = new Set(
  readTree()
    .filter((file) => file.path.startsWith('server/src/') && !isTest(file))
    .flatMap(({ text }) => [...text.matchAll(/name: '(risiti_[a-z_]+)'/g)].map(([, name]) => name)),
)

test.each([
  ['alert rules', rules],
  ['Grafana dashboard', dashboard],
  ['runbooks', runbooks],
  ['production guide', readCommitted('docs/production.md')],
])('the %s name only metrics that exist', (_, text) => {
  // `risiti_app` and `risiti_owner` are roles of the database.
  const named = metricsNamedIn(text).filter((name) => !['risiti_app', 'risiti_owner'].includes(name))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !defined.has(name))).toEqual([])
})

test('every alert says how urgent it is, what happened, and where its runbook is', () => {
  const anchors = anchorsOf(runbooks)
  const alerts = alertsIn(rules)
  expect(alerts.length).toBeGreaterThan(15)
  expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length)
  expect(alerts.filter(({ runbook }) => runbook === undefined || !anchors.has(runbook))).toEqual([])
  expect(alerts.filter(({ severity, summary }) => !severity || !summary)).toEqual([])
})

test('the settings of the containers are valid', () => {
  const [, lines = ''] = /secrets\/risiti\.env <<ENV\n([\s\S]*?)\nENV\n/.exec(readCommitted('docs/production.md')) ?? []
  const given = lines.split('\n').map((line) => line.replace(/\$\([^)]*\)/g, '0123456789abcdef').split(/=(.*)/s))
  const image = [...readCommitted('deploy/Containerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs = '']) =>
    pairs.split(' ').map((pair) => pair.split(/=(.*)/s)),
  )
  const env = Object.fromEntries([...image, ...given].map(([name = '', value]) => [name, value]))
  expect(Object.keys(env)).toEqual(expect.arrayContaining(['NODE_ENV', 'DATABASE_URL', 'SECRETS_FILE']))
  for (const role of ['api', 'worker'])
    expect(readConfig(env, [`--role=${role}`])).toMatchObject({ production: true, playground: false, role })
})

test('the dashboard is JSON whose panels have different ids', () => {
  const { panels } = JSON.parse(dashboard) as { panels: { id: number }[] }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
})

test('the ignore files of both kinds of builders are equal, and let no key or data into an image', () => {
  const ignored = readCommitted('.containerignore')
  expect(readCommitted('.dockerignore')).toBe(ignored)
  expect(ignored.split('\n').filter((line) => line !== '' && !line.startsWith('#'))[0]).toBe('*')
  expect(ignored).not.toMatch(/!(secrets|keys|\.risiti|\*)/)
})

test('the checks find an unknown metric, a missing runbook and an alert without a summary', () => {
  expect(metricsNamedIn('rate(risiti_http_request_seconds_bucket[5m]) > risiti_made_up')).toEqual([
    'risiti_http_request_seconds',
    'risiti_made_up',
  ])
  const [alert] = alertsIn(`
      - alert: Unclear
        expr: up == 0
        annotations:
          runbook: docs/runbooks.md#nowhere`)
  expect(alert).toEqual({ name: 'Unclear', runbook: 'nowhere', severity: undefined, summary: undefined })
  expect(anchorsOf('## A node does not answer\n').has('nowhere')).toBe(false)
  expect(anchorsOf('## A node does not answer\n').has('a-node-does-not-answer')).toBe(true)
})
