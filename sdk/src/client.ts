import { type BulkCalls, bulkHelpers } from './bulk.ts'
import type { Called, CallOptions, Operation, Operations, WithResponse } from './calls.ts'
import { type AmericanNames, invoiceHelpers } from './invoices.ts'
import { type Page, Pages } from './pages.ts'
import { type TestClockCalls, testClockHelpers } from './test-clock.ts'
import { type Answer, type ClientOptions, Transport } from './transport.ts'

interface Envelope {
  readonly data: unknown
  readonly meta: Omit<Page<unknown>, 'data'>
}

/** A client with one method per operation, grouped by module. */
export function clientOf<Api extends { readonly invoices: object }>(
  operations: Operations,
  prefix: string,
): new (
  options: ClientOptions,
) => Api & Pick<Transport, 'mode'> & AnyRequest {
  return class {
    constructor(options: ClientOptions) {
      const transport = new Transport(options, prefix)
      const modules = Object.entries(operations).map(([module, named]) => [
        module,
        Object.fromEntries(Object.entries(named).map(([name, operation]) => [name, methodOf(transport, operation)])),
      ])
      const api = Object.fromEntries(modules) as {
        invoices: Parameters<typeof invoiceHelpers>[0] & { readonly finalise: unknown }
        bulkJobs: BulkCalls<never, unknown>
        testClock: TestClockCalls<never>
      }
      Object.assign(api.invoices, invoiceHelpers(api.invoices, transport), bulkHelpers(api.bulkJobs, transport), {
        finalize: api.invoices.finalise,
      } satisfies AmericanNames<unknown>)
      Object.assign(api.testClock, testClockHelpers(api.testClock))
      Object.assign(this, api, { mode: transport.mode, request: requestOf(transport) })
    }
  } as never
}

/** Requests by their path, for programs that do not know it when they are written. */
export interface AnyRequest {
  /**
   * Sends a request of either form, such as `request('GET', '/i/v1/buyers?limit=5')`, and returns the data of its reply. A failed change is
   * repeated only if you give an `idempotencyKey`; give one only to routes that honour it.
   */
  request(
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions & { as?: string | undefined },
  ): Called<unknown>
}

const requestOf =
  (transport: Transport): AnyRequest['request'] =>
  (method, path, body, options = {}) =>
    called(
      transport.send({ method, path, body, keyed: options.idempotencyKey !== undefined, accept: options.as, options }),
    )

type Query = Readonly<Record<string, unknown>>
type Options = CallOptions & { readonly as?: string }

const noOptions: Options = {}

/** Prepared once per operation, so that each call has less work. */
function methodOf(transport: Transport, [method, template, traits]: Operation): (...given: unknown[]) => unknown {
  const pieces = template.split(/\{\w+\}/)
  const names = template.match(/\{\w+\}/g) ?? []
  const [takesBody, takesQuery, keyed, isPaged] = ['b', 'q', 'k', 'p'].map((trait) => traits.includes(trait))
  return (...given) => {
    let at = 0
    let path = pieces[0] as string
    for (const name of names) {
      const id = given[at++]
      // An empty segment, `.` or `..` would lead to another path.
      if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError(`${name} cannot be ${JSON.stringify(id)}`)
      path += encodeURIComponent(id) + pieces[at]
    }
    const body = takesBody ? given[at++] : undefined
    const query = takesQuery ? (given[at++] as Query | undefined) : undefined
    const options = (given[at] ?? noOptions) as Options
    const send = (asked: Query | undefined): Promise<Answer> =>
      transport.send({
        method,
        path: asked === undefined ? path : path + spelled(asked),
        body,
        keyed: keyed as boolean,
        accept: options.as,
        options,
      })
    if (!isPaged) return called(send(query))
    return new Pages(async (position) => {
      // A cursor replaces the page number.
      const asked = position && { ...query, page: undefined, ...position }
      const { data, meta } = (await send(asked ?? query)).body as Envelope
      return { ...meta, data }
    })
  }
}

function spelled(query: Query): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return ''
  return `?${new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)]))}`
}

const dataOf = ({ body }: Answer): unknown => (typeof body === 'string' ? body : (body as Envelope).data)

const answerOf = Symbol('answer')
interface PendingCall extends Called<unknown> {
  [answerOf]: Promise<Answer>
}

/** All calls share one function. A closure per call would keep its data in memory until the next full collection. */
function called(answer: Promise<Answer>): Called<unknown> {
  const data = answer.then(dataOf) as PendingCall
  data[answerOf] = answer
  data.withResponse = withResponse
  return data
}

async function withResponse(this: PendingCall): Promise<WithResponse<unknown>> {
  // A caller of `withResponse` handles the failure there, so the plain promise must not report it too.
  this.catch(() => undefined)
  const answer = await this[answerOf]
  const { status, headers, idempotencyKey } = answer
  return {
    data: dataOf(answer),
    status,
    requestId: headers.get('x-request-id') ?? '',
    etag: headers.get('etag') ?? undefined,
    location: headers.get('location') ?? undefined,
    replayed: headers.get('idempotent-replayed') === 'true',
    idempotencyKey,
  }
}
