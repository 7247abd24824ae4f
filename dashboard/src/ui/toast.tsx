import { useSyncExternalStore } from 'react'
import './toast.css'

let lastToast: { readonly words: string; readonly at: number } | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** For short confirmations only. Errors belong beside their cause, where they stay visible. */
export function say(words: string): void {
  lastToast = { words, at: Date.now() }
  clearTimeout(timer)
  timer = setTimeout(() => {
    lastToast = undefined
    tell()
  }, 6_000)
  tell()
}

/** Screen readers announce the text without moving the focus. */
export function Toasts() {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => lastToast,
  )
  return (
    <div className="toasts" role="status">
      {now && (
        <p key={now.at} className="toast">
          {now.words}
        </p>
      )}
    </div>
  )
}
