import { useRef } from 'react'

/**
 * One Idempotency-Key for something that is done once: pressed again after an answer got lost, it does nothing twice. The key stays the same
 * until `renew` is called, which is for what stays on the page after it was done. Given what is sent, another thing gets another key; without
 * it, the service refuses another thing under the same key where the first was done.
 */
export function useOneKey() {
  const kept = useRef<{ readonly idempotencyKey: string; readonly sent: string }>(undefined)
  return {
    once(what: unknown = null): { readonly idempotencyKey: string } {
      const sent = JSON.stringify(what)
      if (kept.current?.sent !== sent) kept.current = { idempotencyKey: crypto.randomUUID(), sent }
      const { idempotencyKey } = kept.current
      return { idempotencyKey }
    },
    renew() {
      kept.current = undefined
    },
  }
}
