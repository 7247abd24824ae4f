import { useRef } from 'react'

/**
 * Keeps one Idempotency-Key for an action, so that a second press after a lost reply has no second effect. `renew`
 * starts a new action on a page that stays open. If the body is passed, a changed body gets a new key. Otherwise the
 * service refuses a changed body under a used key.
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
