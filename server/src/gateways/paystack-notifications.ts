import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Notification } from '../modules/billing/index.ts'
import { readEvent } from './paystack-answers.ts'

/** Paystack signs the bytes with the same key that we call it with, and gives a notification neither id nor time. */
export function readPaystackNotification(
  secretKey: string,
  body: Buffer,
  headers: Readonly<Record<string, unknown>>,
): Notification | undefined {
  const signature = headers['x-paystack-signature']
  if (typeof signature !== 'string' || !/^[0-9a-f]{128}$/i.test(signature)) return undefined
  const own = createHmac('sha512', secretKey).update(body).digest()
  if (!timingSafeEqual(own, Buffer.from(signature, 'hex'))) return undefined
  try {
    const { event, data } = readEvent(JSON.parse(body.toString()))
    return {
      id: createHash('sha256').update(body).digest('hex'),
      type: event,
      subject: data ? subjectOf(event, data) : undefined,
    }
  } catch {
    return undefined
  }
}

interface Data {
  readonly reference?: unknown
  readonly transaction_reference?: unknown
  readonly transaction?: unknown
}

function subjectOf(event: string, data: Data): string | undefined {
  const inTransaction = (data.transaction as { reference?: unknown } | null | undefined)?.reference
  // Disputes first: their events begin like those of charges.
  if (event.startsWith('charge.dispute.')) return name(inTransaction)
  if (event.startsWith('charge.')) return name(data.reference)
  if (event.startsWith('refund.')) return name(data.transaction_reference) ?? name(inTransaction)
  return undefined
}

const name = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
