import type { Queryable } from '../../platform/database/database.ts'
import type { MessageCarrier } from './message.ts'
import { insertIntoMailbox, listMailbox, type MailboxRow } from './messages.store.ts'

/** Where no mail server is configured, messages end in a table that developers can look into. */
export const builtInMailbox = (db: Queryable, { textsPhones }: { textsPhones: boolean }): MessageCarrier => ({
  textsPhones,
  reachesPeople: false,
  carry: (message) => insertIntoMailbox(db, message),
})

export const readMailbox = (db: Queryable, recipient: string | undefined): Promise<MailboxRow[]> =>
  listMailbox(db, recipient, 200)
