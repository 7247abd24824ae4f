import type { FastifyRequest } from 'fastify'
import type { Refusal } from '../../kernel/refusals.ts'
import type { Form } from '../definitions/form.ts'
import { preferredMedia } from '../request/accept.ts'
import { brokenPage, laterPage, noSuchPage } from '../shared-page/page.ts'

/** The first segments of the addresses of programs: there a person also gets what a program gets. */
const wordsOfPrograms = (forms: readonly Form[]): ReadonlySet<string> =>
  new Set(
    forms.flatMap(({ prefix, routes }) => routes.map(({ route }) => `${prefix}${route.path}`.split('/')[1] ?? '')),
  )

/** Whether a browser shows the reply: the request accepts HTML explicitly. */
export function asksForPage(forms: readonly Form[]): (request: FastifyRequest) => boolean {
  const words = wordsOfPrograms(forms)
  return ({ method, url, headers }) =>
    (method === 'GET' || method === 'HEAD') &&
    preferredMedia(headers.accept, ['application/json', 'text/html']) === 'text/html' &&
    !words.has((url.split(/[/?]/, 2)[1] ?? '').toLowerCase())
}

/** The page instead of the envelope; `undefined` if the envelope says more. */
export function pageOfRefusal(status: number, { refusal, retryAfterSeconds = 2 }: Refusal): string | undefined {
  // An address with broken percent-encoding is invalid.
  if (status === 404 || refusal === 'request.malformed') return noSuchPage()
  if (status === 429 || status === 503) return laterPage(retryAfterSeconds)
  return status === 500 ? brokenPage() : undefined
}
