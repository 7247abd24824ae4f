/** What this browser remembers under a key. `null` if it remembers nothing, or has no storage. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Makes this browser remember a choice. Without storage, the choice lasts until the page is closed. */
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {}
}

/** A remembered list. Empty if there is none, or if its text cannot be read. */
export function recallList(key: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(recall(key) ?? '[]')
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}
