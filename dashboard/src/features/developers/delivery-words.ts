import type { Delivery, DeliveryAttempt } from '@risiti/sdk'
import type { Tone } from '../../ui/index.ts'

export const deliveryWords: Readonly<Record<Delivery['status'], readonly [Tone, string]>> = {
  pending: ['info', 'Waits'],
  delivering: ['info', 'On its way'],
  retrying: ['warn', 'Tried again soon'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
}

export function attemptWords({ error, statusCode, latencyMs }: DeliveryAttempt): string {
  const after = latencyMs === null ? '' : ` after ${latencyMs} ms`
  switch (error) {
    case null:
      return `Answered ${statusCode}${after}.`
    case 'status':
      return `Answered ${statusCode}${after}; only 2xx counts as taken.`
    case 'connection_failed':
      return 'Nobody could be reached at the address.'
    case 'timeout':
      return `No answer came in time${after}.`
    case 'broken_answer':
      return `The answer broke off${after}.`
    case 'interrupted':
      return 'We were interrupted; whether it arrived is not known.'
  }
}
