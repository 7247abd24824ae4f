const databaseName = 'risiti-writing'
const storeName = 'written'

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
 * What a person has written and not saved, in this browser. It survives a closed tab and the end of a session. The key
 * begins with the person and the organisation, so that nobody else sees it.
 */
export const readWriting = async (key: string): Promise<unknown> =>
  await inStore<unknown>('readonly', (store) => store.get(key))

export const keepWriting = async (key: string, written: unknown): Promise<unknown> =>
  await inStore('readwrite', (store) => store.put(written, key))

export const forgetWriting = async (key: string): Promise<unknown> =>
  await inStore('readwrite', (store) => store.delete(key))

/** For the end of a session by the person's own wish. */
export const forgetAllWriting = async (): Promise<unknown> => await inStore('readwrite', (store) => store.clear())
