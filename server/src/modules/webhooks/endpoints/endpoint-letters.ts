import type { Caller } from '../../../kernel/callers.ts'
import { momentInWords } from '../../../kernel/document-words.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { compose, queueMessage } from '../../messages/index.ts'
import { listMembersHolding } from '../../organisations/index.ts'
import type { Endpoint } from './endpoint.ts'
import type { FailureRun } from './endpoints.store.ts'
import { disabledFrom, failuresThatDisable } from './failure-run.ts'

interface LetterText {
  readonly cause: string
  readonly subject: string
  readonly paragraphs: readonly string[]
}

/** Mails everybody who can manage the endpoint. */
async function mailManagers(context: Inside<Caller>, { organisationId }: Endpoint, words: LetterText): Promise<void> {
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
      ...compose({
        greeting: `Hello ${firstName},`,
        paragraphs,
        link: { words: 'Open the webhooks', href: new URL('/developers/webhooks', context.settings.dashboardUrl).href },
      }),
    })
}

const nameOf = ({ url, mode, description }: Endpoint): string =>
  `Your ${mode} webhook endpoint ${description ? `“${description}” ` : ''}at ${URL.parse(url)?.host ?? 'an unknown host'}`

const dayMs = 86_400_000

/** At most once a day, because an unsteady endpoint reaches fifty failures again and again. */
export const mailFailing = (
  context: Inside<Caller>,
  endpoint: Endpoint,
  { failuresInRow, failingSince }: FailureRun,
): Promise<void> =>
  mailManagers(context, endpoint, {
    cause: `webhook-failing:${endpoint.id}:${Math.floor(context.now.getTime() / dayMs)}`,
    subject: 'Your webhook endpoint is failing',
    paragraphs: [
      `${nameOf(endpoint)} has failed ${failuresInRow} deliveries in a row.`,
      `If no delivery succeeds before ${momentInWords(disabledFrom(failingSince ?? context.now))}, the next failure disables the endpoint. One delivery that succeeds resets the count.`,
      'The delivery log has each attempt and what your server answered. Once your server works again, you can send all failed deliveries again in one step.',
    ],
  })

export const mailDisabled = (context: Inside<Caller>, endpoint: Endpoint): Promise<void> =>
  mailManagers(context, endpoint, {
    cause: `webhook-disabled:${endpoint.id}:${context.now.toISOString()}`,
    subject: 'Your webhook endpoint was disabled',
    paragraphs: [
      endpoint.disabledCause === 'gone'
        ? `${nameOf(endpoint)} answered 410 Gone, so we no longer send anything there.`
        : `${nameOf(endpoint)} has failed at least ${failuresThatDisable} deliveries in a row, and none has succeeded for 24 hours, so we no longer send anything there.`,
      'Switch it on again once it works. Through the API, `replayMissed` also sends it the events of the time in between, for up to 30 days back.',
    ],
  })
