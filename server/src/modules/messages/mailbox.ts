import type { Queryable } from '../../platform/database/database.ts'
import type { SealedPlace, Vault } from '../../platform/secrets/secrets.ts'
import type { MessageBody, MessageCarrier, OutgoingMessage } from './message.ts'
import { insertIntoMailbox, listMailbox } from './messages.store.ts'

export const mailboxBodyPlace = (id: string): SealedPlace => ({ table: 'mailbox', column: 'sealed_body', id })

export interface Mailbox {
  readonly db: Queryable
  readonly vault: Vault
}

/** Without a mail server, messages go to a table for developers. The contents are encrypted there too. */
export const builtInMailbox = ({ db, vault }: Mailbox, { textsPhones }: { textsPhones: boolean }): MessageCarrier => ({
  textsPhones,
  reachesPeople: false,
  carry: async ({ id, channel, to, createdAt, ...body }) => {
    const sealedBody = vault.seal(JSON.stringify(body satisfies MessageBody), mailboxBodyPlace(id))
    await insertIntoMailbox(db, { id, channel, recipient: to, sealedBody, createdAt })
  },
})

/** Messages to one recipient or to all, newest first. */
export async function readMailbox({ db, vault }: Mailbox, recipient: string | undefined): Promise<OutgoingMessage[]> {
  const rows = await listMailbox(db, recipient, 200)
  return rows.map(({ id, channel, recipient: to, sealedBody, createdAt }) => {
    const body = JSON.parse(vault.open(sealedBody, mailboxBodyPlace(id))) as MessageBody
    return { id, channel, to, createdAt, ...body }
  })
}
