import { jsonReply, type Reply } from '../../shared/http.ts'
import type { Refusal, RefusalReason } from '../payment.ts'

interface ErrorFields {
  readonly type?: string
  readonly code?: string | undefined
  readonly param?: string | undefined
  readonly [more: string]: unknown
}

/** Stripe says no, with its own envelope. */
export class StripeError extends Error {
  readonly reply: Reply

  constructor(status: number, message: string, fields: ErrorFields = {}) {
    super(message)
    this.reply = jsonReply(status, { error: { type: 'invalid_request_error', message, ...fields } })
  }
}

export const invalid = (message: string, param: string, code = 'parameter_invalid'): StripeError =>
  new StripeError(400, message, { code, param })

export const missing = (param: string): StripeError =>
  new StripeError(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param })

export const unknownObject = (kind: string, id: string, param = 'id'): StripeError =>
  new StripeError(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param })

const codes: Record<RefusalReason, string | undefined> = {
  not_open: undefined,
  not_paid: 'payment_intent_unexpected_state',
  too_little: 'parameter_invalid_integer',
  too_much: undefined,
  all_refunded: 'charge_already_refunded',
  disputed: 'charge_disputed',
  no_dispute: 'resource_missing',
}

export const refused = ({ message, reason }: Refusal): StripeError =>
  new StripeError(400, message, { code: codes[reason] })
