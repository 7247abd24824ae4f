import type { Caller } from '../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import { withoutLinks } from '../../kernel/links.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { SealedPlace, Vault } from '../../platform/secrets/secrets.ts'
import { job } from '../../platform/work/jobs.ts'
import { turnOfPerson } from '../../platform/work/turns.ts'
import type { MessageBody, MessageCarrier } from './message.ts'
import { findMessage, insertMessage, saveSent } from './messages.store.ts'

export const sendMessageJob = job<{ messageId: string }>('send-message', 'mail')

export const messageBodyPlace = (id: string): SealedPlace => ({ table: 'messages', column: 'sealed_body', id })

export interface Letter extends Omit<MessageBody, 'attachments'> {
  /** what brought it about, e.g. `verify-email:<code id>`; one cause has one message, however often it is asked for */
  readonly cause: string
  /**
   * Whose turn it takes: the organisation's whose affair it is, whoever writes it down, or the recipient's own where it is about
   * their account, so that nobody waits for a code behind the invoices of an organisation.
   */
  readonly sentFor: OrganisationId | 'recipient'
  readonly channel: 'email' | 'sms'
  readonly to: string
  readonly attachments?: MessageBody['attachments']
}

/** Writes a message down in the transaction that causes it; a job carries it after the commit. */
export async function queueMessage(context: Inside<Caller>, letter: Letter): Promise<void> {
  const id = newId()
  const { cause, sentFor, channel, to, attachments = [], ...words } = letter
  const { fromName } = words
  // The words were written by `compose`; these two are shown beside them.
  const shown = {
    subject: withoutLinks(words.subject),
    ...(fromName === undefined ? {} : { fromName: withoutLinks(fromName) }),
  }
  const body: MessageBody = { ...words, ...shown, attachments }
  const sealedBody = context.vault.seal(JSON.stringify(body), messageBodyPlace(id))
  const isNew = await insertMessage(context.tx, {
    id,
    cause,
    channel,
    recipient: to,
    sealedBody,
    createdAt: context.now,
  })
  const turn = sentFor === 'recipient' ? turnOfPerson(to) : sentFor
  if (isNew) context.enqueue(sendMessageJob, { messageId: id }, { turn })
}

interface Delivery {
  readonly db: Queryable
  readonly vault: Vault
  readonly carrier: MessageCarrier
  readonly clock: Clock
}

/**
 * Carries one message. Dying between the carrier's yes and our note of it sends it once more, under the same id:
 * a mail twice is better than a mail never.
 */
export async function deliverMessage({ db, vault, carrier, clock }: Delivery, messageId: string): Promise<void> {
  const row = await findMessage(db, messageId)
  if (!row?.sealedBody) return
  const body = JSON.parse(vault.open(row.sealedBody, messageBodyPlace(row.id))) as MessageBody
  await carrier.carry({ id: row.id, channel: row.channel, to: row.recipient, createdAt: row.createdAt, ...body })
  await saveSent(db, row.id, clock.now())
}
