import type { Caller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { Runtime } from '../../platform/operations/runner.ts'
import { deleteUnsent, lockPrepared, type PreparedRow, saveAttempt } from './messages.store.ts'
import { deliverMessage, type NewMessage, rowOf } from './send-message.ts'

export { MessageNotTaken } from './message.ts'

// A prepared message is checked and written anew by its module before each attempt. The job of the module locks the message, and then either
// begins an attempt or withdraws the message. After the commit, `deliver` makes the attempt.

export const lock = ({ tx }: Inside<Caller>, cause: string): Promise<PreparedRow | undefined> => lockPrepared(tx, cause)

/** Every attempt has the id of the first one. Returns the id. */
export async function beginAttempt(
  context: Inside<Caller>,
  message: Omit<NewMessage, 'sentFor'>,
  known: PreparedRow | undefined,
): Promise<string> {
  const row = rowOf(context, known?.id ?? newId(), message)
  await saveAttempt(context.tx, row)
  return row.id
}

export async function withdraw({ tx }: Inside<Caller>, known: PreparedRow | undefined): Promise<void> {
  if (known) await deleteUnsent(tx, known.id)
}

/** `undefined`: nothing is to be sent. */
export async function deliver({ db, vault, ports, clock }: Runtime, messageId: string | undefined): Promise<void> {
  if (messageId !== undefined) await deliverMessage({ db, vault, clock, carrier: ports.messageCarrier }, messageId)
}
