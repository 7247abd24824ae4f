import { type RefusalName, refusals } from '../../kernel/refusals.ts'
import type { Route } from '../definitions/describe-route.ts'
import type { Form } from '../definitions/form.ts'
import { honoursIdempotencyKey } from '../request/idempotency-key.ts'
import { headerRefs, json, metaSchema, object } from './components.ts'
import type { Content, Reference, Response } from './document.ts'
import { type NamedSchemas, schemaRef } from './published-schema.ts'

const limitHeaders = ['X-Request-Id', 'Risiti-Reason', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

const successes: Record<number, string> = {
  200: 'The request succeeded.',
  201: 'The object was created.',
  202: 'The request was accepted. The work continues in the background.',
  304: 'Your copy is current. The response has no body.',
}

export function succeededResponse(
  route: Route,
  status: number,
  names: NamedSchemas,
  shown: Pick<Content['application/json'], 'example' | 'examples'>,
): Response {
  const description = successes[status] ?? 'The request succeeded.'
  if (status === 304) return { description, ...headerRefs('ETag') }
  const meta = metaSchema(route.pagination ? 'PagedMeta' : 'Meta')
  const data = {
    description: route.pagination ? 'The entries of this page.' : 'The result of the operation.',
    ...names.answered(route.reply),
  }
  return {
    description,
    ...headerRefs(
      ...(route.version || route.tag ? ['ETag'] : []),
      ...(route.location ? ['Location'] : []),
      ...(honoursIdempotencyKey(route) ? ['Idempotent-Replayed'] : []),
    ),
    content: {
      'application/json': { schema: object({ meta, data }), ...shown },
      ...Object.fromEntries(Object.keys(route.alsoAs).map((media) => [media, { schema: { type: 'string' } }])),
    },
  }
}

/** Sets of refusals that many routes share have a name. */
const knownSets: Readonly<Record<string, readonly RefusalName[]>> = {
  Invalid: ['request.invalid', 'request.malformed'],
  NoToken: ['auth.token_missing', 'auth.token_invalid', 'auth.token_outdated'],
  UsersNotAllowed: ['auth.users_only', 'auth.email_unverified', 'auth.capability_missing'],
  UsersOnly: ['auth.users_only', 'auth.email_unverified'],
  NotAllowed: ['auth.email_unverified', 'auth.capability_missing'],
  Unverified: ['auth.email_unverified'],
  Unfit: ['request.invalid'],
  NotFound: ['resource.not_found'],
  OtherBody: ['idempotency.body_differs'],
  TooLarge: ['request.too_large'],
  NotJson: ['request.not_json'],
  TooMany: ['limit.exceeded'],
  Unavailable: ['dependency.unavailable'],
}

interface ReasonSet {
  /** the known set that it begins with, if any */
  readonly known: string | undefined
  readonly others: readonly RefusalName[]
}

function setOf(reasons: readonly RefusalName[]): ReasonSet {
  const [known, first = []] =
    Object.entries(knownSets).find(([, names]) => names.every((name, at) => reasons[at] === name)) ?? []
  return { known, others: reasons.slice(first.length) }
}

/** The refusals of a form: routes with the same refusals refer to the same response. */
export class Refusals {
  readonly #form: Form
  readonly #found = new Map<string, Response>()
  readonly #names = new Map<string, string>()

  constructor(form: Form) {
    this.#form = form
  }

  responseOf(status: number, reasons: readonly RefusalName[], codeless = false): Reference {
    const set = setOf(reasons)
    const whole = [...(set.known ? [set.known] : []), ...set.others].join('-')
    const name = (this.#names.get(whole) ?? this.#nameFor(whole, set)) + (codeless ? '-without-code' : '')
    if (!this.#found.has(name)) this.#found.set(name, refusedResponse(this.#form, status, reasons, set, codeless))
    return { $ref: `#/components/responses/${name}` }
  }

  /** Named by its reasons; a long list by the first one and the number of others. */
  #nameFor(whole: string, { known, others: [first, ...more] }: ReasonSet): string {
    const short = [...(known ? [known] : []), `${first}-and-${more.length}-more`].join('-')
    const namesakes = [...this.#names.values()].filter((other) => other.replace(/_\d+$/, '') === short).length
    const name = more.length < 2 ? whole : namesakes === 0 ? short : `${short}_${namesakes + 1}`
    this.#names.set(whole, name)
    return name
  }

  all(): Record<string, Response> {
    return Object.fromEntries([...this.#found].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

function refusedResponse(
  form: Form,
  status: number,
  names: readonly RefusalName[],
  set: ReasonSet,
  codeless: boolean,
): Response {
  const isBeginning = set.known !== undefined && set.others.length > 0
  const spelledOut = isBeginning ? set.others : names
  const codeOf = (reason: RefusalName) => (codeless ? '' : `\`${form.answers[reason].code}\` `)
  const lines = spelledOut.map((reason) => `- ${codeOf(reason)}\`${reason}\`: ${refusals[reason]}`)
  return {
    // Refusals that most routes share are described once, under their own name.
    description: [...(isBeginning ? [`The reasons of \`${set.known}\`, and:`] : []), ...lines].join('\n'),
    ...headerRefs(
      // Every response has these headers; a client needs them here.
      ...(status === 429 ? limitHeaders : []),
      ...(status === 429 || status === 503 || names.includes('credits.insufficient') ? ['Retry-After'] : []),
      ...(status === 401 ? ['WWW-Authenticate'] : []),
    ),
    content: json(schemaRef(codeless ? 'ErrorWithoutCode' : 'Error')),
    'x-risiti-reasons': names,
  }
}
