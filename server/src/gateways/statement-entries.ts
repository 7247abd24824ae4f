import { createHash } from 'node:crypto'
import { collectionPort } from '../modules/collection/index.ts'
import { plainLine, UnreadableAnswer } from './provider-answers.ts'

interface ReadEntries {
  readonly transfers: readonly collectionPort.Transfer[]
  readonly unreadable: readonly collectionPort.UnreadableEntry[]
}

const mostKept = 2_000

/** The provider's reference of an entry, or else a stable name derived from the entry. */
function nameOf(
  entry: unknown,
  text: string,
  field: string,
): Pick<collectionPort.UnreadableEntry, 'reference' | 'hasReference'> {
  const given = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>)[field] : undefined
  const reference = typeof given === 'string' ? plainLine(given, 200) : null
  if (reference !== null && reference === given) return { reference, hasReference: true }
  return { reference: `unnamed ${createHash('sha256').update(text).digest('hex').slice(0, 32)}`, hasReference: false }
}

/** The fault is in this entry only: it is malformed, or the provider refuses to give its details. */
const isAboutEntry = (error: unknown): error is Error =>
  error instanceof UnreadableAnswer || error instanceof collectionPort.CollectionRefusal

/** Parses the entries of a statement of account one by one, so that a malformed one does not hide the others. */
export async function readEntries(
  entries: readonly unknown[],
  field: string,
  read: (entry: unknown) => Promise<collectionPort.Transfer | undefined> | collectionPort.Transfer,
): Promise<ReadEntries> {
  const transfers: collectionPort.Transfer[] = []
  const unreadable: collectionPort.UnreadableEntry[] = []
  for (const entry of entries)
    try {
      const transfer = await read(entry)
      if (transfer) transfers.push(transfer)
    } catch (error) {
      if (!isAboutEntry(error)) throw error
      const text = JSON.stringify(entry) ?? String(entry)
      unreadable.push({ ...nameOf(entry, text, field), detail: error.message, entry: text.slice(0, mostKept) })
    }
  return { transfers, unreadable }
}
