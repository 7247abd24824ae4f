import type { PublicCaller } from '../../kernel/callers.ts'
import type { Inside, Outside } from '../../platform/operations/operation.ts'
import { isClientId, ownClient, type ProgramClient } from './client.ts'
import { clientIn, isDocumentAddress } from './client-document.ts'
import { findStoredClient, saveClient, saveClientUsed } from './clients.store.ts'

/** How long a document is not read again. */
const documentFreshMs = 3600_000
/** Programs that anybody can make us store. The one that was used longest ago makes room for another. */
export const mostClients = 20_000

/** A program, and whether its document was read just now. */
export interface FoundClient {
  readonly client: ProgramClient
  readonly isNew: boolean
}

/** Reads the document of an unknown program, before any transaction. */
export async function findClient(
  { db, ports, now }: Outside<PublicCaller>,
  clientId: string,
): Promise<FoundClient | undefined> {
  if (clientId === ownClient.clientId) return { client: ownClient, isNew: false }
  if (!isClientId(clientId)) return undefined
  const stored = await findStoredClient(db, clientId)
  if (!isDocumentAddress(clientId)) return stored && { client: { ...stored, host: null }, isNew: false }
  if (stored && stored.readAt.getTime() > now.getTime() - documentFreshMs)
    return { client: { ...stored, host: new URL(clientId).host }, isNew: false }
  const text = await ports.programDocuments.read(clientId)
  const client = text === undefined ? undefined : clientIn(text, clientId)
  return client && { client, isNew: true }
}

export async function noteClient(
  { tx, now }: Pick<Inside<PublicCaller>, 'tx' | 'now'>,
  { client, isNew }: FoundClient,
): Promise<void> {
  if (isNew) await saveClient(tx, { ...client, readAt: now }, mostClients)
  else await saveClientUsed(tx, client.clientId, now)
}
