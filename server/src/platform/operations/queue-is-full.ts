import { type Refusal, refuse } from '../../kernel/refusals.ts'

export const queueIsFull = (): Refusal =>
  refuse('dependency.unavailable', {
    retryAfterSeconds: 2,
    away: 'queue of the organisation',
    message: 'Too much is being written for this organisation at once; nothing was done, try again shortly.',
  })
