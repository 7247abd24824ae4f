import { setTimeout as pauseFor } from 'node:timers/promises'
import { exitCodes, Failure } from '../failures.ts'
import { NoAnswer, Refused, type Risiti, TimedOut } from '../sdk.ts'
import type { CursorFile } from './cursor-file.ts'
import { type SendResult, send } from './send.ts'
import { type Format, signedHeaders } from './signed-headers.ts'
import type { ListenTimes } from './times.ts'

type FeedEvent = Awaited<ReturnType<Risiti['webhooks']['getEvent']>>

/** An event in the form that was chosen. */
export interface ShownEvent {
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly cursor: string
  readonly body: string
}

export interface FollowOptions {
  readonly client: Pick<Risiti, 'webhooks'>
  /** where to begin */
  readonly from: string
  readonly file: Pick<CursorFile, 'secret' | 'save'>
  readonly format: Format
  readonly isWanted: (type: string) => boolean
  /** the address of the program; without one, events are only shown */
  readonly address: string | undefined
  /** whether to wait for a program at the address */
  readonly waits: boolean
  readonly times: ListenTimes
  readonly signal: AbortSignal
  onEvent(event: ShownEvent, result: SendResult | undefined): void
  note(text: string): void
}

/** Crashes of the program while it handled one event, after which the event is left to `risiti events resend`. */
const mostBroken = 3
const pageOf = 100

/** Pauses that double, with a random half: programs that failed together do not try again together. */
class Pauses {
  readonly #times: ListenTimes
  readonly #signal: AbortSignal
  #count = 0

  constructor(times: ListenTimes, signal: AbortSignal) {
    this.#times = times
    this.#signal = signal
  }

  reset(): void {
    this.#count = 0
  }

  async next(atLeastMs = 0): Promise<void> {
    const { firstPauseMs, longestPauseMs } = this.#times
    const ms = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(this.#count++, 20)) * (0.5 + Math.random() / 2)
    await pauseFor(Math.max(ms, atLeastMs), undefined, { signal: this.#signal })
  }
}

/** Another try may succeed. */
function mayRecover(error: unknown): boolean {
  if (error instanceof NoAnswer || error instanceof TimedOut) return true
  return error instanceof Refused && (error.status === 429 || error.status >= 500 || error.reason === undefined)
}

const clock = (time: Date): string => time.toTimeString().slice(0, 8)

/**
 * Reads the events behind a cursor and sends each to the program, one after the other. The cursor moves only behind an event that the
 * program has taken. So no event is lost or overtaken, whatever breaks; one may arrive twice if this process ends in between.
 */
export async function follow(options: FollowOptions): Promise<void> {
  const { client, file, format, isWanted, times, signal, onEvent, note } = options
  const pauses = new Pauses(times, signal)
  let cursor = options.from
  let isAway = false
  let lastLineAt = performance.now()
  while (!signal.aborted) {
    let events: readonly FeedEvent[]
    try {
      const query = { after: cursor, limit: pageOf, wait: times.waitSeconds, format }
      const limits = { signal, tryTimeoutMs: times.waitSeconds * 1_000 + times.graceMs, retry: { most: 0 } }
      events = (await client.webhooks.listEvents(query, limits)).data
    } catch (error) {
      if (signal.aborted || !mayRecover(error)) throw error
      if (!isAway) note(`no connection to the service (${(error as Error).message}); trying again …\n`)
      isAway = true
      await pauses.next(error instanceof Refused ? (error.retryAfterSeconds ?? 0) * 1_000 : 0)
      continue
    }
    if (isAway) note('connected again\n')
    isAway = false
    pauses.reset()
    for (const event of events) {
      const shown = shownAs(event)
      const sends = shown !== undefined && isWanted(shown.type)
      if (sends) {
        onEvent(shown, options.address === undefined ? undefined : await deliver(options, options.address, shown))
        lastLineAt = performance.now()
      }
      cursor = event.cursor
      // Each event that was sent is remembered. The others are remembered with the last of their page.
      if (sends || event === events.at(-1)) await file.save(cursor)
    }
    if (events.length === 0 && performance.now() - lastLineAt >= times.quietMs) {
      note(`up to date at ${clock(new Date())}\n`)
      lastLineAt = performance.now()
    }
  }
}

/** `undefined` if the form does not have the type. */
function shownAs({ id, createdAt, cursor, payload }: FeedEvent): ShownEvent | undefined {
  if (payload === undefined)
    throw new Failure(exitCodes.refused, 'The service is too old for `listen`: its events have no payload. Update it.')
  if (payload === null) return undefined
  const { type } = JSON.parse(payload) as { type: string }
  return { id, type, createdAt, cursor, body: payload }
}

/** Sends an event until the program has taken it. */
async function deliver(
  { file, format, waits, times, signal, note }: Omit<FollowOptions, 'address'>,
  address: string,
  event: ShownEvent,
): Promise<SendResult> {
  const pauses = new Pauses(times, signal)
  let isAbsent = false
  let broken = 0
  for (let attempt = 1; ; ) {
    const headers = signedHeaders(format, event, file.secret, { attempt, now: Date.now() })
    const result = await send(address, headers, event.body, { replyMs: times.replyMs, signal })
    if (result.kind === 'refused') {
      if (!waits)
        throw new Failure(
          exitCodes.noAnswer,
          `Nothing listens at ${address} (${result.reason}). The event ${event.id} stays the next one.`,
        )
      if (!isAbsent) note(`nothing listens at ${address} (${result.reason}); waiting until something does …\n`)
      isAbsent = true
    } else {
      if (isAbsent) note(`something listens at ${address} again\n`)
      isAbsent = false
      attempt++
      if (result.kind === 'replied' || ++broken >= mostBroken) return result
    }
    await pauses.next()
  }
}
