import { useSyncExternalStore } from 'react'
import { Notice } from '../ui/notice.tsx'

function watchConnection(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

/** Shown while the browser has no network. Reads and changes wait and continue by themselves. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(watchConnection, () => navigator.onLine)
  if (isOnline) return null
  return (
    <Notice tone="warn" title="You are offline">
      This page may be out of date. It loads the rest, and saves what you sent, when you are online again.
    </Notice>
  )
}
