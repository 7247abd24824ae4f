import { type Page, Pages } from './pages.ts'
import { type Answer, type CallOptions, type ClientOptions, Transport } from './transport.ts'

/**
 * An operation: its verb, its path, and what it takes: `b` a body, `q` a query, `k` an Idempotency-Key; `p`: it answers
 * page by page.
 */
export type Operation = readonly [verb: string, path: string, traits: string]
export type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** An answer with what came along with it. */
export interface WithResponse<Data> {
  readonly data: Data
  readonly status: number
  readonly requestId: string
  /** the version of the object, for `ifMatch` */
  readonly etag: string | undefined
  /** where the object lives */
  readonly location: string | undefined
  /** an earlier answer, given again */
  readonly replayed: boolean
  readonly idempotencyKey: string | undefined
}

/** A call under way: awaited, it is what was asked for. */
export interface Called<Data> extends Promise<Data> {
  /** the same with status, request id and version */
  withResponse(): Promise<WithResponse<Data>>
}

interface Envelope {
  readonly data: unknown
  readonly meta: Omit<Page<unknown>, 'data'>
}

/** A client of these operations: each under its module and name. */
export function clientOf<Api>(
  operations: Operations,
  prefix: string,
): new (
  options: ClientOptions,
) => Api & Pick<Transport, 'mode'> {
  return class {
    constructor(options: ClientOptions) {
      const transport = new Transport(options, prefix)
      const modules = Object.entries(operations).map(([module, named]) => [
        module,
        Object.fromEntries(Object.entries(named).map(([name, operation]) => [name, methodOf(transport, operation)])),
      ])
      Object.assign(this, Object.fromEntries(modules), { mode: transport.mode })
    }
  } as never
}

type Query = Readonly<Record<string, unknown>>
type Options = CallOptions & { readonly as?: string }

const noOptions: Options = {}

/** What can be known of an operation before it is called is worked out once. */
function methodOf(transport: Transport, [method, template, traits]: Operation): (...given: unknown[]) => unknown {
  const pieces = template.split(/\{\w+\}/)
  const names = template.match(/\{\w+\}/g) ?? []
  const [takesBody, takesQuery, keyed, isPaged] = ['b', 'q', 'k', 'p'].map((trait) => traits.includes(trait))
  return (...given) => {
    let at = 0
    let path = pieces[0] as string
    for (const name of names) {
      const id = given[at++]
      // An empty segment, or one that means this or the one above, would lead to another address.
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
      // A page by its cursor is not also named by its number.
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
interface Held extends Called<unknown> {
  [answerOf]: Promise<Answer>
}

/** All calls share one function: a function of its own would keep all that belongs to a call until the next great collection. */
function called(answer: Promise<Answer>): Called<unknown> {
  const data = answer.then(dataOf) as Held
  data[answerOf] = answer
  data.withResponse = withResponse
  return data
}

async function withResponse(this: Held): Promise<WithResponse<unknown>> {
  // Whoever asks for more does not look at the data alone, and hears of a failure here.
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
