import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { checkoutPort } from '../modules/billing/index.ts'
import type { collectionPort } from '../modules/collection/index.ts'
import { readEvent, transferChannel } from './paystack-answers.ts'

/** Paystack signs the bytes with the same key that we use for calls. Its notifications have no id and no time. */
export function readPaystackNotification(
  secretKey: string,
  body: Buffer,
  headers: Headers,
): checkoutPort.Notification | undefined {
  if (!isSigned(secretKey, body, headers)) return undefined
  try {
    const { event, data } = readEvent(JSON.parse(body.toString()))
    return {
      id: idOf(body),
      type: event,
      subject: data ? subjectOf(event, data) : undefined,
    }
  } catch {
    return undefined
  }
}

/**
 * A transfer into a virtual account is a charge with its own channel. Other notifications are not for collection, above
 * all those of checkouts, which use the same URL.
 */
export function readPaystackTransfer(
  secretKey: string,
  body: Buffer,
  headers: Headers,
  handleOf: (email: string) => string,
): collectionPort.CollectionNotification | 'nothing to do' | undefined {
  if (!isSigned(secretKey, body, headers)) return undefined
  try {
    const { event, data } = readEvent(JSON.parse(body.toString()))
    const transfer = name(data?.reference)
    const isTransfer = event === 'charge.success' && data?.channel === transferChannel
    if (!isTransfer || !transfer) return 'nothing to do'
    const email = name((data?.customer as { email?: unknown } | null | undefined)?.email)
    return { id: idOf(body), transfer: transfer.slice(0, 200), handle: email === undefined ? null : handleOf(email) }
  } catch {
    return 'nothing to do'
  }
}

type Headers = Readonly<Record<string, unknown>>

function isSigned(secretKey: string, body: Buffer, headers: Headers): boolean {
  const signature = headers['x-paystack-signature']
  if (typeof signature !== 'string' || !/^[0-9a-f]{128}$/i.test(signature)) return false
  const own = createHmac('sha512', secretKey).update(body).digest()
  return timingSafeEqual(own, Buffer.from(signature, 'hex'))
}

const idOf = (body: Buffer): string => createHash('sha256').update(body).digest('hex')

interface Data {
  readonly reference?: unknown
  readonly transaction_reference?: unknown
  readonly transaction?: unknown
}

function subjectOf(event: string, data: Data): string | undefined {
  const inTransaction = (data.transaction as { reference?: unknown } | null | undefined)?.reference
  // Disputes come first, because their event names also begin with `charge.`.
  if (event.startsWith('charge.dispute.')) return name(inTransaction)
  if (event.startsWith('charge.')) return name(data.reference)
  if (event.startsWith('refund.')) return name(data.transaction_reference) ?? name(inTransaction)
  return undefined
}

const name = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
