const databaseName = 'risiti-local-drafts'
const storeName = 'drafts'

/** Runs one request on the store. `undefined` if this browser has no storage, such as in some private windows. */
function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | undefined> {
  return new Promise((resolve) => {
    try {
      const opening = indexedDB.open(databaseName, 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore(storeName)
      opening.onerror = () => resolve(undefined)
      opening.onsuccess = () => {
        const database = opening.result
        const transaction = database.transaction(storeName, mode)
        const asked = act(transaction.objectStore(storeName))
        transaction.oncomplete = () => {
          database.close()
          resolve(asked.result)
        }
        transaction.onabort = () => {
          database.close()
          resolve(undefined)
        }
      }
    } catch {
      resolve(undefined)
    }
  })
}

/**
 * A local draft is what a person has written and not saved, stored in this browser. The draft survives a closed tab and the
 * end of a session. The key begins with the person and the organisation, so that nobody else sees the draft.
 */
export const readLocalDraft = async (key: string): Promise<unknown> =>
  await inStore<unknown>('readonly', (store) => store.get(key))

export const storeLocalDraft = async (key: string, draft: unknown): Promise<unknown> =>
  await inStore('readwrite', (store) => store.put(draft, key))

export const deleteLocalDraft = async (key: string): Promise<unknown> =>
  await inStore('readwrite', (store) => store.delete(key))

/** For a person who signs out. */
export const deleteAllLocalDrafts = async (): Promise<unknown> => await inStore('readwrite', (store) => store.clear())
