import { setTimeout as pause } from 'node:timers/promises'
import type { Provider } from './payment.ts'

export interface NotificationRecord {
  readonly provider: Provider
  readonly type: string
  readonly body: string
  readonly headers: Record<string, string>
  /** what the merchant answered last; nothing when it was not sent, or nobody answered */
  status?: number
}

/** Pauses before each further attempt. Real providers go on for days; a tester does not wait that long. */
const pausesMs = [100, 300, 900, 2_000]
const patienceMs = 10_000
/** What is told may call for more to tell, but not for ever. */
const mostRounds = 100

/** Tells the merchant what happened: in the background, a few times when nobody says yes. */
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
    // what fails here fails at the merchant, or because of `close`: there is nobody to tell
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
