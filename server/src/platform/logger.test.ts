import { describe, expect, test } from 'vitest'
import { createLogger, type LogFields, namedFields, redact } from './logger.ts'

/** A log of its own, and the lines written to it. */
function captured(level = 'debug') {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream
  const read = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return { log: createLogger({ level, style: 'json', destination }), read, text: () => lines.join('') }
}
/** Past the compiler, as a careless caller might. */
const smuggled = (fields: object) => fields as LogFields

test('a line is one JSON object with the event and the listed fields', () => {
  const { log, read } = captured()
  log.info('request', { requestId: 'r1', status: 200, ms: 1.5, route: '/a/v1/auth/me', refusal: undefined })
  const [line] = read()
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    requestId: 'r1',
    status: 200,
    ms: 1.5,
    route: '/a/v1/auth/me',
    msg: 'request',
  })
})

test('every line says which program wrote it', () => {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream
  const program = { version: '1.0.0', role: 'worker' }
  createLogger({ level: 'info', style: 'json', program, destination }).info('stopping', { signal: 'SIGTERM' })
  expect(JSON.parse(lines.join(''))).toMatchObject({ ...program, level: 'info', msg: 'stopping', signal: 'SIGTERM' })
})

test('an unlisted field is never printed', () => {
  const { log, text } = captured()
  const secret = 'hunter2hunter2'
  for (const severity of ['debug', 'info', 'warn', 'error'] as const)
    log[severity]('event', smuggled({ password: secret, body: { secret }, headers: [secret], [secret]: 1, to: secret }))
  expect(text()).not.toContain(secret)
  expect(text().match(/event/g)).toHaveLength(4)
})

test('a listed field prints plain values only', () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  expect(
    namedFields(smuggled({ reason: { password: 'x' }, count: ['x'], url: circular, role: () => 'x', path: null })),
  ).toEqual({})
  expect(namedFields({ reason: 'said', count: 0, port: 4000 })).toEqual({ reason: 'said', count: 0, port: 4000 })
})

test('lines below the level are left out', () => {
  const { log, read } = captured('warn')
  log.debug('no')
  log.info('no')
  log.warn('yes')
  log.error('yes')
  expect(read().map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', 'yes'],
    ['error', 'yes'],
  ])
})

describe('redacting', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'
  test.each([
    ['an API key', `key sk_live_${'aB3'.repeat(16)} refused`, 'key [redacted] refused'],
    ['a webhook secret', 'whsec_abcDEF+/123== was wrong', '[redacted] was wrong'],
    ['a refresh token', `got rt_${'x-_9'.repeat(10)}.`, 'got [redacted].'],
    ['a JWT', `token ${jwt} expired`, 'token [redacted] expired'],
    ['an unsigned JWT', 'token eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0. x', 'token [redacted] x'],
    ['a bearer header', 'Authorization: bearer abc.def-123 and more', 'Authorization: [redacted] and more'],
    ['a database password', 'at postgresql://risiti:s3cret@db:5432/x', 'at [redacted]db:5432/x'],
    ['a mail password', 'smtps://user%40x:p%40ss@mail.test:465', '[redacted]mail.test:465'],
    ['two at once', `${jwt} ${jwt}`, '[redacted] [redacted]'],
  ])('%s is redacted in free text', (_, text, expected) => {
    expect(redact(text)).toBe(expected)
    expect(namedFields({ reason: text }).reason).toBe(expected)
    expect(namedFields({ error: new Error(text) }).error).toMatchObject({ message: expected })
  })

  test.each(['http://127.0.0.1:4000/docs', 'job send-message failed; see the log', 'sk_ is a prefix', 'start_up'])(
    '%j stays unchanged',
    (text) => expect(redact(text)).toBe(text),
  )
})

describe('an error', () => {
  const secret = 'hunter2hunter2'

  test('is printed with name, code, message and stack, without its other properties', () => {
    const { log, read, text } = captured()
    const cause = Object.assign(new TypeError('inner'), { config: { auth: secret }, code: 'EINNER' })
    const error = Object.assign(new Error('outer', { cause }), {
      code: '23505',
      detail: `Key (password)=(${secret}) already exists.`,
      where: secret,
      response: { body: secret },
      parameters: [secret],
    })
    log.error('failed', { requestId: 'r1', error })
    expect(text()).not.toContain(secret)
    expect(read()[0]?.error).toEqual({
      name: 'Error',
      code: '23505',
      message: 'outer',
      at: expect.arrayContaining([expect.stringContaining('logger.test.ts')]),
      cause: { name: 'TypeError', code: 'EINNER', message: 'inner', at: expect.any(Array) },
    })
  })

  test('that is not an Error is printed as its type only', () => {
    const { log, read, text } = captured()
    for (const thrown of [secret, { password: secret }, 7, null]) log.error('failed', { error: thrown })
    expect(text()).not.toContain(secret)
    expect(read().map(({ error }) => (error as { name: string } | undefined)?.name)).toEqual([
      'string',
      'object',
      'number',
      'object',
    ])
  })

  test('has at most twelve stack lines, and no line of its message counts as one', () => {
    const deep = (depth: number): Error => (depth === 0 ? new Error('at the\n    at bottom') : deep(depth - 1))
    const before = Error.stackTraceLimit
    Error.stackTraceLimit = 40
    const { at, message } = namedFields({ error: deep(30) }).error as { at: string[]; message: string }
    Error.stackTraceLimit = before
    expect(at).toHaveLength(12)
    expect(at.every((line) => line.startsWith('at '))).toBe(true)
    expect(at.join()).not.toContain('at bottom')
    expect(message).toBe('at the\n    at bottom')
  })
})
