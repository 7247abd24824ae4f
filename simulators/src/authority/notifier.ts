import { setTimeout as pause } from 'node:timers/promises'
import type { CallbackBehaviour } from './behaviour.ts'
import type { Records } from './state.ts'

export interface Callback {
  readonly irn: string
  readonly message: 'TRANSMITTING' | 'TRANSMITTED' | 'ACKNOWLEDGED' | 'TEST'
}

export interface Notifier {
  /** calls the registered address, after a delay */
  tell(callback: Callback, behaviour: CallbackBehaviour, afterMs?: number): void
  close(): void
}

const lateMs = 1_500
const answerMs = 5_000

/** Sends callbacks once, twice, late or never. Failed callbacks are not repeated. */
export function createNotifier(records: Records): Notifier {
  const closing = new AbortController()

  async function deliver(callback: Callback, afterMs: number): Promise<void> {
    if (afterMs > 0) await pause(afterMs, undefined, { signal: closing.signal })
    const url = records.callbackUrl
    if (url === undefined || closing.signal.aborted) return
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(callback),
      redirect: 'error',
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(answerMs)]),
    })
    await response.body?.cancel()
  }

  return {
    tell(callback, behaviour, afterMs = 0) {
      if (behaviour === 'never') return
      const delay = behaviour === 'late' ? afterMs + lateMs : afterMs
      const times = behaviour === 'twice' ? 2 : 1
      for (let time = 0; time < times; time++) deliver(callback, delay).catch(() => undefined)
    },
    close: () => closing.abort(),
  }
}
