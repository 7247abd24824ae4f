import type { Caller } from '../../kernel/callers.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { compose, queueMessage } from '../messages/index.ts'
import { listMembersHolding } from '../organisations/index.ts'
import type { Endpoint } from './endpoint.ts'
import { failuresThatDisable, type Warning } from './failure-run.ts'

interface Words {
  readonly cause: string
  readonly subject: string
  readonly paragraphs: readonly string[]
}

/** To everybody who can do something about it. */
async function tellKeepers(context: Inside<Caller>, { organisationId }: Endpoint, words: Words): Promise<void> {
  const { cause, subject, paragraphs } = words
  for (const { userId, email, firstName } of await listMembersHolding(
    context.tx,
    organisationId,
    'webhook.endpoint.manage',
  ))
    await queueMessage(context, {
      cause: `${cause}:${userId}`,
      sentFor: organisationId,
      channel: 'email',
      to: email,
      subject,
      ...compose({ greeting: `Hello ${firstName},`, paragraphs }),
    })
}

const nameOf = ({ url, mode, description }: Endpoint): string =>
  `Your ${mode} webhook endpoint ${description ? `“${description}” ` : ''}at ${URL.parse(url)?.host ?? 'an unknown host'}`

const dayMs = 86_400_000

/** At most once a day for each warning: one that works now and then would else be told of all the time. */
export const tellFailing = (context: Inside<Caller>, endpoint: Endpoint, warning: Warning, failures: number) =>
  tellKeepers(context, endpoint, {
    cause: `webhook-failing:${endpoint.id}:${warning}:${Math.floor(context.now.getTime() / dayMs)}`,
    subject: 'Your webhook endpoint is failing',
    paragraphs: [
      `${nameOf(endpoint)} has failed ${failures} deliveries in a row, ${warning} % of the ${failuresThatDisable} at which we disable it.`,
      'Each attempt and what your server answered is in the log of deliveries. One delivery that succeeds ends the count.',
    ],
  })

export const tellDisabled = (context: Inside<Caller>, endpoint: Endpoint) =>
  tellKeepers(context, endpoint, {
    cause: `webhook-disabled:${endpoint.id}:${context.now.toISOString()}`,
    subject: 'Your webhook endpoint was disabled',
    paragraphs: [
      endpoint.disabledCause === 'gone'
        ? `${nameOf(endpoint)} answered 410 Gone, so that we deliver nothing there any more.`
        : `${nameOf(endpoint)} has failed ${failuresThatDisable} deliveries in a row, so that we deliver nothing there any more.`,
      'Enable it again once it works; with replayMissed it is told of everything that happened meanwhile, for 30 days back.',
    ],
  })
