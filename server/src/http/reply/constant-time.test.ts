import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newAccountPath } from '../../../../test/harness/joining.ts'
import type { PublicCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import { Fields } from '../definitions/fields.ts'
import { form } from '../definitions/form.ts'
import { defineRoute } from '../definitions/route-definition.ts'
import { answers as answersOfA } from '../form-a/answers.ts'
import { formA } from '../form-a/index.ts'
import { formB } from '../form-b/index.ts'
import { usualReplyIntervalMs } from './constant-time.ts'

const replyIntervalMs = usualReplyIntervalMs
/** Takes the given time, or refuses at once. */
const takeLong = reading(
  { needs: [], refuses: ['credentials.wrong'] },
  async (_: Outside<PublicCaller>, { takesMs }: { takesMs: number }) => {
    if (takesMs === 0) throw refuse('credentials.wrong')
    await wait(takesMs)
    return {}
  },
)
const slow = defineRoute('POST', '/p/v1/slow', 'public', takeLong, { summary: 'Take long', constantTime: true })
const described = describeRoute(slow, {
  status: 200,
  body: Fields({ takesMs: Type.Integer() }),
  reply: Type.Object({}),
  decode: ({ body }) => body,
  encode: () => ({}),
})
const about = { name: 'A', title: 'Probe', description: 'Probe.', prefix: '', answers: answersOfA } as const
const probeForm = form({ probe: { slow } }, about, { probe: { slow: described } })

let app: TestApp
let probe: TestApp
let known: Person
beforeAll(async () => {
  ;[app, probe] = await Promise.all([
    startTestApp({ replyIntervalMs }),
    startTestApp({ replyIntervalMs, forms: [probeForm] }),
  ])
  known = await app.person()
})
afterAll(() => Promise.all([app.close(), probe.close()]))

const unknown = () => `nobody-${randomBytes(8).toString('hex')}@example.test`
const names = { firstName: 'Ada', lastName: 'Obi' }
const password = 'a long enough secret'
const code = '000000'

/** What each route that must not tell is asked, of an address. */
const questions: Record<string, (email: string, form: 'A' | 'B') => [path: string, body: object]> = {
  register: (email) => [
    '/a/v1/auth/register',
    { email, password, ...names, organizationName: 'Obi Ltd', country: 'NG' },
  ],
  'verify-email': (email) => ['/a/v1/auth/verify-email', { email, code }],
  'resend-verification': (email) => ['/a/v1/auth/resend-verification', { email }],
  login: (email) => ['/a/v1/auth/login', { email, password }],
  'forgot-password': (email) => ['/a/v1/auth/forgot-password', { email }],
  'reset-password': (email) => ['/a/v1/auth/reset-password', { email, code, password }],
  'verify-invitation': (email) => ['/a/v1/verify-invitation', { email, invitationCode: 'ABCD2345' }],
  'accept-invitation': (email, form) => [
    newAccountPath[form],
    { email, password, ...names, invitationCode: 'ABCD2345' },
  ],
}

async function timeOf(form: 'A' | 'B', question: keyof typeof questions, email: string): Promise<number> {
  const [path, body] = (questions[question] as (typeof questions)[string])(email, form)
  const began = performance.now()
  const { status } = await app.client(form).post(path, { body })
  expect([200, 201, 401, 404]).toContain(status)
  return performance.now() - began
}

describe.each(['A', 'B'] as const)('in Form %s', (form) => {
  test.each(Object.keys(questions))('%s replies to nobody before the first 100 ms', async (question) => {
    const times = await Promise.all([timeOf(form, question, known.email), timeOf(form, question, unknown())])
    expect(Math.min(...times)).toBeGreaterThanOrEqual(replyIntervalMs)
  })
})

const fieldsOf = (body: object | undefined): object => (body && 'properties' in body ? (body.properties as object) : {})

test('every public route with an email address replies in constant time', () => {
  const takesAddress = [formA, formB].flatMap(({ name, routes }) =>
    routes
      .filter(({ route }) => route.definition.who === 'public' && 'email' in fieldsOf(route.body))
      .map(({ route }) => ({ at: `${name} ${route.path}`, constantTime: route.definition.constantTime })),
  )
  expect(takesAddress.length).toBeGreaterThanOrEqual(15)
  expect(takesAddress.filter(({ constantTime }) => !constantTime)).toEqual([])
})

/** How often a guess by the time alone would be right about two, one of each kind: 0.5 is as good as tossing a coin. */
function separability(some: readonly number[], others: readonly number[]): number {
  const won = some.flatMap((one) => others.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)))
  return won.reduce<number>((sum, one) => sum + one, 0) / won.length
}

test('the statistical check distinguishes two different sets of times', () => {
  expect(separability([5, 6, 7], [1, 2, 3])).toBe(1)
  expect(separability([1, 2, 3], [5, 6, 7])).toBe(0)
  expect(separability([1, 2, 3], [1, 2, 3])).toBe(0.5)
})

test('slow replies leave at the same moment as immediate refusals', async () => {
  // Both at the same time, so that whatever else the machine does meets both kinds alike. If nothing tells them apart, twenty of
  // each differ by this much once in some thousands; without the wait the difference of 40 ms is seen each time.
  const [long, short]: [number[], number[]] = [[], []]
  const ask = async (takesMs: number, times: number[]) => {
    const began = performance.now()
    const { status } = await probe.a.post('/p/v1/slow', { body: { takesMs } })
    times.push(performance.now() - began)
    expect(status).toBe(takesMs > 0 ? 200 : 401)
  }
  for (let round = 0; round < 20; round++) await Promise.all([ask(40, long), ask(0, short)])
  expect(Math.min(...long, ...short)).toBeGreaterThanOrEqual(replyIntervalMs)
  expect(separability(long, short)).toBeLessThan(0.82)
})
