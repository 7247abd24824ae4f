import type { FastifyRequest } from 'fastify'
import type { Refusal } from '../../kernel/refusals.ts'
import type { Form } from '../kernel/form.ts'
import { preferredMedia } from '../request/accept.ts'
import { brokenPage, laterPage, noSuchPage } from '../shared-page/page.ts'

/** The first words of the addresses that programs call: there a person, too, is shown what a program would get. */
const wordsOfPrograms = (forms: readonly Form[]): ReadonlySet<string> =>
  new Set(
    forms.flatMap(({ prefix, routes }) => routes.map(({ route }) => `${prefix}${route.path}`.split('/')[1] ?? '')),
  )

/** Whether somebody looks at the answer in a browser: whoever asks for a page, and not for whatever there is. */
export function asksForPage(forms: readonly Form[]): (request: FastifyRequest) => boolean {
  const words = wordsOfPrograms(forms)
  return ({ method, url, headers }) =>
    (method === 'GET' || method === 'HEAD') &&
    preferredMedia(headers.accept, ['application/json', 'text/html']) === 'text/html' &&
    !words.has((url.split(/[/?]/, 2)[1] ?? '').toLowerCase())
}

/** What a person is shown instead of the envelope; nothing where the envelope says more. */
export function pageOfRefusal(status: number, { refusal, retryAfterSeconds = 2 }: Refusal): string | undefined {
  // An address with broken percent-encoding is none.
  if (status === 404 || refusal === 'request.malformed') return noSuchPage()
  if (status === 429 || status === 503) return laterPage(retryAfterSeconds)
  return status === 500 ? brokenPage() : undefined
}
