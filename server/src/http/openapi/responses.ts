import { type RefusalName, refusals } from '../../kernel/refusals.ts'
import type { Form } from '../form.ts'
import { honoursIdempotencyKey } from '../idempotency-key.ts'
import type { Route } from '../speak.ts'
import { headerRefs, json, object, schemaRef } from './components.ts'
import type { Response } from './document.ts'
import { published } from './published-schema.ts'

const successes: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; the work goes on in the background.',
  304: 'What you hold is current; there is no body.',
}

export function succeededResponse(route: Route, status: number): Response {
  const description = successes[status] ?? 'Done.'
  if (status === 304) return { description, headers: headerRefs('ETag') }
  const meta = route.pagination
    ? { allOf: [schemaRef('Meta'), object({ pagination: schemaRef('Pagination') })] }
    : schemaRef('Meta')
  return {
    description,
    headers: headerRefs(
      ...(route.version || route.tag ? ['ETag'] : []),
      ...(route.location ? ['Location'] : []),
      ...(honoursIdempotencyKey(route) ? ['Idempotent-Replayed'] : []),
    ),
    content: {
      ...json(object({ meta, data: published(route.reply) })),
      ...Object.fromEntries(Object.keys(route.alsoAs).map((media) => [media, { schema: { type: 'string' } }])),
    },
  }
}

export function refusedResponse(form: Form, status: number, names: readonly RefusalName[]): Response {
  const reasons = names.map((reason) => ({ code: form.answers[reason].code, reason, message: refusals[reason] }))
  return {
    description: reasons.map(({ code, reason, message }) => `- \`${code}\` \`${reason}\`: ${message}`).join('\n'),
    headers: headerRefs(
      'Risiti-Reason',
      ...(status === 429 || status === 503 ? ['Retry-After'] : []),
      ...(status === 401 ? ['WWW-Authenticate'] : []),
    ),
    content: json(schemaRef('Error')),
    'x-risiti-reasons': reasons,
  }
}
