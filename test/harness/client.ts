import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Form, FormRoute } from '../../server/src/http/definitions/form.ts'
import { documentedStatuses } from '../../server/src/http/openapi/index.ts'
import { strictCheck } from '../../server/src/http/request/validate.ts'
import type { RefusalName } from '../../server/src/kernel/refusals.ts'
import { tooBusy } from '../../server/src/platform/operations/turns-of-tenants.ts'

export interface Reply {
  readonly form: Form
  /** the route's refusals have no code */
  readonly codeless: boolean
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: any
  readonly data: any
}

export interface RequestOptions {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** Calls one form of the API over real HTTP and checks every reply against the form's documents. */
export interface Client {
  readonly form: Form
  readonly url: string
  get(path: string, sending?: RequestOptions): Promise<Reply>
  post(path: string, sending?: RequestOptions): Promise<Reply>
  put(path: string, sending?: RequestOptions): Promise<Reply>
  patch(path: string, sending?: RequestOptions): Promise<Reply>
  delete(path: string, sending?: RequestOptions): Promise<Reply>
}

/** Caches a value per form or route, because every reply needs it. */
function remembered<About extends object, Known>(workOut: (about: About) => Known): (about: About) => Known {
  const known = new WeakMap<About, Known>()
  return (about) => {
    const before = known.get(about)
    if (before !== undefined) return before
    const now = workOut(about)
    known.set(about, now)
    return now
  }
}

const shapeOf = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
/** A fixed segment wins over a parameter, as in the router. */
const shapesOf = remembered(({ routes }: Form) =>
  routes
    .map((found) => ({ found, method: found.route.method as string, shape: shapeOf(found.route.path) }))
    .sort((a, b) => a.found.route.path.split('{').length - b.found.route.path.split('{').length),
)

function findRoute(form: Form, method: string, path: string): FormRoute | undefined {
  const plain = path.split('?')[0] as string
  return shapesOf(form).find((one) => one.method === method && one.shape.test(plain))?.found
}

const statusesOf = remembered((form: Form) => remembered(({ route }: FormRoute) => documentedStatuses(form, route)))
const checkOf = remembered(({ route }: FormRoute) => strictCheck(route.reply))

/** Fails the test. `expect` would cost a tenth of every request. */
function hold(isTrue: boolean, otherwise: () => string): void {
  if (!isTrue) throw new Error(otherwise())
}

function holdToDocuments(form: Form, found: FormRoute | undefined, reply: Reply): void {
  const { status, headers, text } = reply
  hold(/^[\w-]{1,64}$/.test(headers.get('x-request-id') ?? ''), () => 'a reply does not name its request')
  hold(/^\d+$/.test(headers.get('ratelimit-limit') ?? ''), () => 'a reply does not tell the rate limit of its caller')
  if (!found || status === 304) return
  const said = () => `${found.route.method} ${found.route.path} replied ${status} ${text}`
  const documented = statusesOf(form)(found)
  hold(documented.has(status), () => `${said()}, a status that is not documented`)
  if (status >= 300) {
    const reason = headers.get('risiti-reason') as RefusalName
    // The request met no route of this form, but a word of the other form.
    if (reason === 'route.elsewhere') return
    hold(documented.get(status)?.includes(reason) ?? false, () => `${said()}, whose reason ${reason} is not documented`)
    return
  }
  const faults = checkOf(found)(reply.data)
  hold(faults.length === 0, () => `${said()}, which its schema does not allow: ${JSON.stringify(faults)}`)
}

/** Folder for real replies, from which scripts/keep-replies.ts takes examples. */
const gatheredIn = process.env.GATHER_REPLIES

function gather(form: Form, found: FormRoute | undefined, { status, data }: Reply): void {
  if (gatheredIn === undefined || !found || status >= 300 || data === undefined) return
  const line = { form: form.name, id: `${found.module}_${found.name}`, data }
  appendFileSync(join(gatheredIn, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`)
}

/** Only there for what hangs. */
const patienceMs = 100_000

/** On a busy machine a write can wait too long behind others of its organisation. It was not begun, so a client sends it again. */
const isToBeSentAgain = ({ status, body }: Reply): boolean =>
  status === 503 && body?.error?.message === tooBusy().message

export function createClient(form: Form, origin: string): Client {
  async function call(method: string, path: string, sending?: RequestOptions): Promise<Reply> {
    for (const beganAt = performance.now(); ; ) {
      const reply = await callOnce(method, path, sending)
      if (!isToBeSentAgain(reply) || performance.now() > beganAt + patienceMs) return reply
      await wait(Number(reply.headers.get('retry-after')) * 1_000)
    }
  }

  async function callOnce(
    method: string,
    path: string,
    { token, body, headers = {} }: RequestOptions = {},
  ): Promise<Reply> {
    const response = await fetch(`${origin}${form.prefix}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const parsed = isJson && text !== '' ? JSON.parse(text) : undefined
    const found = findRoute(form, method, path)
    const reply: Reply = {
      form,
      codeless: found?.route.codeless ?? false,
      status: response.status,
      headers: response.headers,
      text,
      body: parsed,
      data: parsed?.data,
    }
    holdToDocuments(form, found, reply)
    gather(form, found, reply)
    return reply
  }
  const bind = (method: string) => (path: string, sending?: RequestOptions) => call(method, path, sending)
  return {
    form,
    url: `${origin}${form.prefix}`,
    get: bind('GET'),
    post: bind('POST'),
    put: bind('PUT'),
    patch: bind('PATCH'),
    delete: bind('DELETE'),
  }
}

/** Expects this refusal, with the status and code that its form defines. */
export function expectRefusal(reply: Reply, name: RefusalName): void {
  const { status, code } = reply.form.answers[name]
  expect({
    reason: reply.headers.get('risiti-reason'),
    reasonInBody: reply.body?.error?.reason,
    status: reply.status,
    code: reply.body?.error?.code,
    text: reply.text,
  }).toEqual({
    reason: name,
    reasonInBody: name,
    status,
    code: reply.codeless ? undefined : code,
    text: reply.text,
  })
  expect(reply.body.error.message).toMatch(/\S/)
}

/** The sorted paths of the faults in a 400. */
export const faultPaths = (reply: Reply): string[] =>
  (reply.body.error.details as { path: string }[]).map((fault) => fault.path).sort()
