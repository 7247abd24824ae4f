import { setTimeout as pause } from 'node:timers/promises'
import type { Provider } from './payment.ts'

export interface NotificationRecord {
  readonly provider: Provider
  readonly type: string
  readonly body: string
  readonly headers: Record<string, string>
  /** the merchant's last status; undefined if the notification was not sent or had no reply */
  status?: number
}

/** Pauses before each further attempt. Real providers go on for days; a tester does not wait that long. */
const pausesMs = [100, 300, 900, 2_000]
const patienceMs = 10_000
/** Notifications can cause further notifications, so the rounds are limited. */
const mostRounds = 100

/** Notifies the merchant in the background, with a few retries. */
export class Notifier {
  readonly records: NotificationRecord[] = []
  #addresses: Readonly<Record<Provider, string>> | undefined
  readonly #underway = new Set<Promise<void>>()
  readonly #closing = new AbortController()

  notifyAt(addresses: Readonly<Record<Provider, string>>): void {
    this.#addresses = addresses
  }

  /** With 0 copies it is only recorded, for `resend`. */
  notify(record: NotificationRecord, copies: number): void {
    this.records.push(record)
    if (this.#addresses === undefined) return
    for (let copy = 0; copy < copies; copy += 1) this.#inBackground(this.#insist(record))
  }

  async resend(index: number): Promise<number> {
    const record = this.records[index]
    if (record === undefined) throw new Error(`there is no notification ${index}`)
    return this.#send(record)
  }

  /** Until nothing is underway any more: delivered, or given up. */
  async settled(): Promise<void> {
    for (let rounds = 0; this.#underway.size > 0; rounds++) {
      if (rounds === mostRounds) throw new Error('notifications call for ever new ones')
      await Promise.all(this.#underway)
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.settled()
  }

  #inBackground(work: Promise<void>): void {
    // failures belong to the merchant or to `close`, so they are ignored
    const quiet = work.catch(() => {}).finally(() => this.#underway.delete(quiet))
    this.#underway.add(quiet)
  }

  async #insist(record: NotificationRecord): Promise<void> {
    for (const wait of [0, ...pausesMs]) {
      await pause(wait, undefined, { signal: this.#closing.signal })
      const status = await this.#send(record).catch(() => 0)
      if (status >= 200 && status < 300) return
    }
  }

  async #send(record: NotificationRecord): Promise<number> {
    const address = this.#addresses?.[record.provider]
    if (address === undefined) throw new Error('nobody said where notifications go: call notifyAt first')
    const { status, body } = await fetch(address, {
      method: 'POST',
      headers: record.headers,
      body: record.body,
      redirect: 'manual',
      signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(patienceMs)]),
    })
    record.status = status
    await body?.cancel()
    return status
  }
}
