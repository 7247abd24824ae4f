import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { NotificationBehaviour } from './behaviour.ts'

/** A signed notification as it is sent. */
export interface Notice {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** The transfer or settlement that changed. The notification has no amount, so the receiver has to ask for it. */
export type BankNotification =
  | {
      readonly type: 'transfer.received' | 'transfer.reversed'
      readonly transfer: string
      readonly account: string
      /** the account's reference at its owner */
      readonly accountReference: string
    }
  | { readonly type: 'settlement.paid'; readonly settlement: string }

const pausesMs = [0, 100, 400, 1_500]
const patienceMs = 10_000
/** Above this number in progress, further notifications are dropped. */
const mostUnderway = 2_000
const atOnce = 32

export function noticeOf(secret: string, notification: BankNotification, now: Date): Notice {
  const subject = notification.type === 'settlement.paid' ? notification.settlement : notification.transfer
  const body = JSON.stringify({ id: `${notification.type}:${subject}`, ...notification, at: now.toISOString() })
  const seconds = Math.floor(now.getTime() / 1000)
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return {
    body,
    headers: { 'content-type': 'application/json', 'bank-signature': `t=${seconds},v1=${signature}` },
  }
}

/** Notifies the account's owner in the background, with a few retries. */
export class Notifier {
  readonly #underway = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  readonly #address: () => string | undefined
  readonly #waiting: (() => void)[] = []
  #sending = 0

  constructor(address: () => string | undefined) {
    this.#address = address
  }

  tell(notice: Notice, { copies, afterMs }: NotificationBehaviour): void {
    for (let copy = 0; copy < copies && this.#underway.size < mostUnderway; copy++) {
      // failures belong to the receiver or to `close`, so they are ignored
      const quiet = this.#insist(notice, afterMs)
        .catch(() => {})
        .finally(() => this.#underway.delete(quiet))
      this.#underway.add(quiet)
    }
  }

  /** Waits until all current notifications are delivered or dropped. */
  async settled(): Promise<void> {
    await Promise.all(this.#underway)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    for (const go of this.#waiting.splice(0)) go()
    await this.settled()
  }

  async #insist(notice: Notice, afterMs: number): Promise<void> {
    const { signal } = this.#closing
    await pause(afterMs, undefined, { signal })
    for (const wait of pausesMs) {
      await pause(wait, undefined, { signal })
      if (await this.#inTurn(() => this.#send(notice))) return
    }
  }

  async #inTurn(send: () => Promise<boolean>): Promise<boolean> {
    if (this.#sending >= atOnce) await new Promise<void>((go) => this.#waiting.push(go))
    this.#sending++
    try {
      return await send()
    } finally {
      this.#sending--
      this.#waiting.shift()?.()
    }
  }

  async #send({ body, headers }: Notice): Promise<boolean> {
    const url = this.#address()
    this.#closing.signal.throwIfAborted()
    if (url === undefined) return true
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(patienceMs)])
    try {
      const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
      await answer.body?.cancel()
      return answer.status >= 200 && answer.status < 300
    } catch {
      return false
    }
  }
}
