import type { WebhookEvent, WebhookFormat } from '../../modules/webhooks/index.ts'
import { standardSignature, timestampedSignature } from '../../modules/webhooks/index.ts'
import { toEventData } from '../shared/contract-words.ts'
import { eventNames } from './events.ts'

/** An event as webhooks and the feed show it. */
export const eventHere = (event: Omit<WebhookEvent, 'isTest'>) => ({
  id: event.id,
  type: eventNames[event.type],
  version: event.version,
  mode: event.mode,
  scope: event.mode === null ? ('organization' as const) : ('mode' as const),
  organizationId: event.organisationId,
  createdAt: event.createdAt.toISOString(),
  data: {
    object: toEventData(event.data),
    ...(event.objectVersion === null ? {} : { objectVersion: event.objectVersion }),
  },
})

/** The whole body is signed twice, for Stripe's verifiers and for those of Standard Webhooks. */
export const webhookFormat: WebhookFormat = {
  name: 'a',
  nameOf: (type) => eventNames[type],
  bodyOf(event) {
    const { data, ...head } = eventHere(event)
    return JSON.stringify({ ...head, ...(event.isTest ? { test: true } : {}), data })
  },
  headersOf: ({ eventId, body, unixSeconds, secrets }) => ({
    'content-type': 'application/json',
    'risiti-signature': timestampedSignature(secrets, unixSeconds, body),
    'webhook-id': eventId,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': standardSignature(secrets, eventId, unixSeconds, body),
  }),
}
