import type { Delivery, DeliveryAttempt, WebhookEndpoint } from '@risiti/sdk'
import type { Tone } from '../../ui/index.ts'

export const deliveryWords: Readonly<Record<Delivery['status'], readonly [Tone, string]>> = {
  pending: ['info', 'Waiting'],
  delivering: ['info', 'Sending'],
  retrying: ['warn', 'Retrying'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
}

export function attemptWords({ error, statusCode, latencyMs }: DeliveryAttempt): string {
  const after = latencyMs === null ? '' : ` after ${latencyMs} ms`
  switch (error) {
    case null:
      return `Response ${statusCode}${after}.`
    case 'status':
      return `Response ${statusCode}${after}. Only 2xx counts as delivered.`
    case 'connection_failed':
      return 'The connection to the address failed.'
    case 'timeout':
      return `No response in time${after}.`
    case 'broken_answer':
      return `The response broke off${after}.`
    case 'interrupted':
      return 'Risiti was interrupted. Whether the delivery arrived is unknown.'
  }
}

/** The own description of an endpoint, or its address without the scheme. */
export const endpointName = ({ description, url }: Pick<WebhookEndpoint, 'description' | 'url'>): string =>
  description || url.replace(/^https?:\/\//, '')
