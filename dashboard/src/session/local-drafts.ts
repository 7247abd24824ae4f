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
        const giveUp = () => {
          database.close()
          resolve(undefined)
        }
        try {
          const transaction = database.transaction(storeName, mode)
          const asked = act(transaction.objectStore(storeName))
          transaction.oncomplete = () => {
            database.close()
            resolve(asked.result)
          }
          transaction.onabort = giveUp
        } catch {
          // A damaged storage must not keep the editor from opening.
          giveUp()
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

/** More tabs with an unsaved new invoice than anybody has open. */
const mostNewDrafts = 20
const tabKeys = new Map<string, Promise<string>>()

/**
 * The key of the new invoice in this tab, so that two tabs never write one local draft. A tab takes over the draft of a
 * closed tab. The lock ends with the tab.
 */
export function newDraftKeyOfTab(owner: string): Promise<string> {
  const known = tabKeys.get(owner) ?? takeNewDraftKey(owner)
  tabKeys.set(owner, known)
  return known
}

/** Where a tab remembers its key, so that it finds its own draft again after a reload. */
const tabMemory = 'risiti-new-draft'

function rememberedKey(): string | null {
  try {
    return sessionStorage.getItem(tabMemory)
  } catch {
    return null
  }
}

function rememberKey(key: string): string {
  try {
    sessionStorage.setItem(tabMemory, key)
  } catch {}
  return key
}

async function takeNewDraftKey(owner: string): Promise<string> {
  const keys = Array.from(
    { length: mostNewDrafts },
    (_, nth) => `${owner} invoice new${nth === 0 ? '' : ` ${nth + 1}`}`,
  )
  const own = rememberedKey()
  // The page that was reloaded may still hold the lock of this tab's key, so we try for a moment.
  if (own !== null && keys.includes(own) && (await lockUntilTabCloses(own, reloadMs))) return own
  const stored = await Promise.all(keys.map(readLocalDraft))
  const isStored = (key: string) => stored[keys.indexOf(key)] !== undefined
  for (const key of [...keys.filter(isStored), ...keys.filter((each) => !isStored(each))])
    if (await lockUntilTabCloses(key)) return rememberKey(key)
  return `${owner} invoice new ${crypto.randomUUID()}`
}

const reloadMs = 500

/** False if another tab holds the key, also after the given time. Browsers without locks share one key. */
async function lockUntilTabCloses(key: string, withinMs = 0): Promise<boolean> {
  if (await takeLock(key)) return true
  if (withinMs === 0) return false
  await new Promise((resolve) => setTimeout(resolve, withinMs))
  return await takeLock(key)
}

function takeLock(key: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (!('locks' in navigator)) return resolve(true)
    void navigator.locks.request(key, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      return lock === null ? undefined : new Promise<void>(() => {})
    })
  })
}
