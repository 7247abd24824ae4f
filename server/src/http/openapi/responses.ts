import { type RefusalName, refusals } from '../../kernel/refusals.ts'
import type { Form } from '../form.ts'
import { honoursIdempotencyKey } from '../idempotency-key.ts'
import type { Route } from '../speak.ts'
import { headerRefs, json, object } from './components.ts'
import type { Reference, Response } from './document.ts'
import { type NamedSchemas, schemaRef } from './published-schema.ts'

const standingHeaders = ['X-Request-Id', 'Risiti-Reason', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

const successes: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; the work goes on in the background.',
  304: 'What you hold is current; there is no body.',
}

export function succeededResponse(route: Route, status: number, names: NamedSchemas): Response {
  const description = successes[status] ?? 'Done.'
  if (status === 304) return { description, ...headerRefs('ETag') }
  const meta = schemaRef(route.pagination ? 'PagedMeta' : 'Meta')
  return {
    description,
    ...headerRefs(
      ...(route.version || route.tag ? ['ETag'] : []),
      ...(route.location ? ['Location'] : []),
      ...(honoursIdempotencyKey(route) ? ['Idempotent-Replayed'] : []),
    ),
    content: {
      ...json(object({ meta, data: names.published(route.reply) })),
      ...Object.fromEntries(Object.keys(route.alsoAs).map((media) => [media, { schema: { type: 'string' } }])),
    },
  }
}

/** What most routes refuse alike has a name of its own; the rest is called by its reasons. */
const knownSets: Readonly<Record<string, string>> = {
  'request.invalid-request.malformed': 'Invalid',
  'auth.token_missing-auth.token_invalid-auth.token_outdated': 'NoToken',
  'auth.email_unverified-auth.capability_missing': 'NotAllowed',
  'auth.users_only-auth.email_unverified': 'UsersOnly',
  'auth.users_only-auth.email_unverified-auth.capability_missing': 'UsersNotAllowed',
}

/** The ways in which a form says no: routes that refuse for the same reasons refer to the same response. */
export class Refusals {
  readonly #form: Form
  readonly #found = new Map<string, Response>()

  constructor(form: Form) {
    this.#form = form
  }

  responseOf(status: number, reasons: readonly RefusalName[]): Reference {
    const joined = reasons.join('-')
    const name = knownSets[joined] ?? joined
    if (!this.#found.has(name)) this.#found.set(name, refusedResponse(this.#form, status, reasons))
    return { $ref: `#/components/responses/${name}` }
  }

  all(): Record<string, Response> {
    return Object.fromEntries([...this.#found].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

function refusedResponse(form: Form, status: number, names: readonly RefusalName[]): Response {
  const reasons = names.map((reason) => ({ code: form.answers[reason].code, reason, message: refusals[reason] }))
  return {
    description: reasons.map(({ code, reason, message }) => `- \`${code}\` \`${reason}\`: ${message}`).join('\n'),
    ...headerRefs(
      // They come with every answer; here is where they matter.
      ...(status === 429 ? standingHeaders : []),
      ...(status === 429 || status === 503 ? ['Retry-After'] : []),
      ...(status === 401 ? ['WWW-Authenticate'] : []),
    ),
    content: json(schemaRef('Error')),
    'x-risiti-reasons': names,
  }
}
