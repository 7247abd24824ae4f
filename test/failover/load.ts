import { setTimeout as wait } from 'node:timers/promises'
import { systemCaller } from '../../server/src/kernel/callers.ts'
import { issue } from '../../server/src/modules/credits/index.ts'
import { operation } from '../../server/src/platform/operations/operation.ts'
import { origin, type TestApp } from '../harness/app.ts'
import type { Client, Reply } from '../harness/client.ts'
import { invoiceBody } from '../harness/invoices.ts'
import { invoicesPath } from '../harness/issued.ts'
import type { Reporter } from '../harness/reporters.ts'

const pauseMs = 500
const mostTries = 600

/** Everything that the service acknowledged, and how long it took. */
export interface Load {
  readonly created: ReadonlySet<string>
  readonly finalised: ReadonlySet<string>
  readonly submitted: ReadonlySet<string>
  /** transfers by the bank's reference, with the amount */
  readonly transfers: ReadonlyMap<string, number>
  /** number of replies per status */
  readonly statuses: ReadonlyMap<number, number>
  /** replies that should not occur, in words */
  readonly faults: readonly string[]
  readonly longestRequestMs: number
  /** the first create that was sent and acknowledged after this moment of `performance.now()` */
  firstCreateAfter(moment: number): number | undefined
  /** the longest time without an acknowledged create between these moments */
  longestGap(from: number, to: number): number
  /** No new work begins. What is under way is repeated until it succeeds. */
  finish(): Promise<void>
}

interface Step {
  readonly client: Client
  readonly path: string
  readonly token: string
  readonly key: string
  readonly body?: object
}

/** Grants more credits than the load can use. */
export async function grantCredits({ runner }: TestApp, { organisationId }: Reporter): Promise<void> {
  const granting = operation({ needs: [], refuses: [] }, async (context) => {
    await issue(context, { organisationId, mode: 'sandbox' }, 'grant', 1_000_000n, 'load')
  })
  await runner.run(granting, { caller: systemCaller, origin, input: undefined })
}

export interface LoadOptions {
  readonly clients: readonly Client[]
  readonly reporters: readonly Reporter[]
  /** virtual accounts that are paid into */
  readonly accounts: readonly string[]
  /** begins every Idempotency-Key */
  readonly name: string
  readonly callers: number
}

/** Callers that repeat each failed request with its Idempotency-Key, as an integrator would. */
export function startLoad(app: TestApp, { clients, reporters, accounts, name, callers }: LoadOptions): Load {
  const created = new Set<string>()
  const finalised = new Set<string>()
  const submitted = new Set<string>()
  const transfers = new Map<string, number>()
  const statuses = new Map<number, number>()
  const faults: string[] = []
  const creates: { readonly sentAt: number; readonly at: number }[] = []
  let longestRequestMs = 0
  let isOn = true
  let keys = 0

  function countReply(what: string, status: number, text: string, retryAfter: string | null): void {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const isFine = (status >= 200 && status < 300) || (status === 503 && retryAfter !== null)
    if (!isFine && faults.length < 50) faults.push(`${what}: ${status} ${text.slice(0, 300)}`)
  }

  /** Repeats a step until it succeeds. Gives up if it is refused, and after a number of tries. */
  async function succeed({ client, path, token, key, body }: Step): Promise<Reply | undefined> {
    for (let tries = 0; tries < mostTries; tries++) {
      const sentAt = performance.now()
      const reply = await client.post(path, { token, body, headers: { 'idempotency-key': key } })
      longestRequestMs = Math.max(longestRequestMs, performance.now() - sentAt)
      countReply(path, reply.status, reply.text, reply.headers.get('retry-after'))
      if (reply.status < 300) {
        if (path === invoicesPath) creates.push({ sentAt, at: performance.now() })
        return reply
      }
      if (reply.status < 500) return undefined
      await wait(pauseMs)
    }
    faults.push(`${path} never succeeded`)
    return undefined
  }

  async function call(nth: number): Promise<void> {
    const client = clients[nth % clients.length] as Client
    for (let round = 0; isOn; round++) {
      const own = reporters[(nth + round) % reporters.length] as Reporter
      const key = `${name}-${++keys}`
      const { token } = own
      const made = await succeed({ client, path: invoicesPath, token, key, body: invoiceBody.A(own) })
      if (!made) return
      const { id } = made.data
      created.add(id)
      // A third stays a draft, a third is finalised, a third is reported too.
      if (round % 3 === 0) continue
      const below = (action: string) => ({
        client,
        path: `${invoicesPath}/${id}/${action}`,
        token,
        key: `${key}-${action}`,
      })
      if (!(await succeed(below('finalise')))) return
      finalised.add(id)
      if (round % 3 === 1) continue
      if (!(await succeed(below('submit')))) return
      submitted.add(id)
    }
  }

  /** Sends a notification until the service confirms it, as banks do. */
  async function notify(reference: string): Promise<boolean> {
    for (let tries = 0; tries < mostTries; tries++) {
      const reply = await fetch(`${app.url}/notifications/collection/sandbox/sandbox`, {
        method: 'POST',
        ...app.bank.control.noticeOf(reference),
      })
      countReply('a notification of the bank', reply.status, await reply.text(), reply.headers.get('retry-after'))
      if (reply.status < 500) return reply.ok
      await wait(pauseMs)
    }
    faults.push(`the notification of ${reference} never succeeded`)
    return false
  }

  async function pay(): Promise<void> {
    for (let nth = 0; isOn; nth++) {
      const accountNumber = accounts[nth % accounts.length] as string
      const { reference, amountMinor } = app.bank.control.receive({ accountNumber, amountMinor: 10_000 + nth })
      if (!(await notify(reference))) return
      transfers.set(reference, amountMinor)
      await wait(200)
    }
  }

  const all = Promise.all([...Array.from({ length: callers }, (_, nth) => call(nth)), pay()])
  all.catch((error: unknown) => faults.push(String(error)))
  return {
    created,
    finalised,
    submitted,
    transfers,
    statuses,
    faults,
    get longestRequestMs() {
      return longestRequestMs
    },
    firstCreateAfter: (moment) => creates.find(({ sentAt, at }) => sentAt > moment && at > moment)?.at,
    longestGap(from, to) {
      const moments = [from, ...creates.map(({ at }) => at).filter((at) => at > from && at < to), to]
      return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] as number)))
    },
    async finish() {
      isOn = false
      await all
    },
  }
}
