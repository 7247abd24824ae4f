import type { SystemCaller } from '../../../kernel/callers.ts'
import { momentInWords } from '../../../kernel/document-words.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { mailMembers } from '../../organisations/index.ts'
import { disable } from './disable-endpoint.ts'
import {
  consequenceOf,
  disabledFrom,
  type Endpoint,
  type EndpointId,
  type FailureRun,
  failuresThatDisable,
} from './endpoint.ts'
import { addFailures, lockEndpoint } from './endpoints.store.ts'

/** Mails everybody who can manage the endpoint. */
const mailManagers = (
  context: Inside<SystemCaller>,
  { organisationId }: Endpoint,
  mail: { readonly cause: string; readonly subject: string; readonly paragraphs: readonly string[] },
): Promise<void> =>
  mailMembers(context, organisationId, 'webhook.endpoint.manage', {
    ...mail,
    link: { words: 'Open the webhooks', page: '/developers/webhooks' },
  })

const nameOf = ({ url, mode, description }: Endpoint): string =>
  `Your ${mode} webhook endpoint ${description ? `“${description}” ` : ''}at ${URL.parse(url)?.host ?? 'an unknown host'}`

const dayMs = 86_400_000

/** At most once a day, because an unsteady endpoint reaches fifty failures again and again. */
const mailFailing = (
  context: Inside<SystemCaller>,
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

const mailDisabled = (context: Inside<SystemCaller>, endpoint: Endpoint): Promise<void> =>
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

interface EndpointFailures extends Tenant {
  readonly endpointId: EndpointId
  readonly count: number
  /** The receiver replied 410. */
  readonly isGone: boolean
}

/**
 * Counts failures in a row. Mails the people who manage the endpoint at the fiftieth, and disables it after a day of
 * failures.
 */
export const recordFailures = operation(
  { time: 'real', needs: [], refuses: [] },
  async (
    context: Inside<SystemCaller>,
    { organisationId, mode, endpointId, count, isGone }: EndpointFailures,
  ): Promise<void> => {
    const tenant = { organisationId, mode }
    const endpoint = await lockEndpoint(context.tx, tenant, endpointId)
    if (!endpoint || endpoint.disabledAt) return
    const run = await addFailures(context.tx, tenant, endpointId, count, context.now)
    const consequence = isGone ? 'disable' : consequenceOf(run, count, context.now)
    if (consequence === 'disable')
      await mailDisabled(context, await disable(context, endpoint, isGone ? 'gone' : 'failures'))
    else if (consequence === 'warn') await mailFailing(context, endpoint, run)
  },
)
