import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { Reply } from './client.ts'
import { type Issuer, invoiceBody } from './invoices.ts'
import { invoicesPath } from './issued.ts'
import { type ServerNode, until } from './processes.ts'
import { type Chance, pick } from './random-invoices.ts'

/** A server in a process of its own, or in this one. */
type Served = Pick<ServerNode, 'a'>

/** A request for an invoice. Its tag finds the result, with or without a reply. */
export interface LoadRequest {
  readonly tag: string
  readonly own: Issuer
  readonly isKeyed: boolean
  readonly more: object
}

interface CreatedInvoice {
  readonly id: string
  readonly number: string
}

export interface Work {
  /** waits until this many more requests have succeeded */
  goesOn(granted: number): Promise<void>
  callOff(): Promise<void>
}

/** Clients that create invoices and record their requests and replies. */
export interface Load {
  readonly asked: readonly LoadRequest[]
  /** number of replies per status; 0 means no reply */
  readonly statuses: ReadonlyMap<number, number>
  /** requests with an Idempotency-Key that have not succeeded yet */
  pending(): readonly LoadRequest[]
  ask(asked: LoadRequest, node: Served): Promise<void>
  newRequest(own: Issuer, isKeyed?: boolean): LoadRequest
  /** Clients send requests until stopped, pending ones first. */
  start(node: Served, clients: number): Work
  /** Repeats the pending requests until each has a reply. */
  finish(node: Served): Promise<void>
  /**
   * Every success has its invoice, every request with a key has exactly one, and none has two. Returns how many
   * invoices had no reply.
   */
  expectAllKept(db: Database): Promise<number>
  /** whether an invoice without a key was created and its reply was lost */
  hasLostAnswers(db: Database): Promise<boolean>
}

export function invoiceLoad(owners: readonly Issuer[], next: Chance): Load {
  const asked: LoadRequest[] = []
  const told = new Map<string, CreatedInvoice>()
  const statuses = new Map<number, number>()
  const underWay = new Set<LoadRequest>()

  function newRequest(own: Issuer, isKeyed = next() < 0.5): LoadRequest {
    const tag = `T${String(asked.length).padStart(8, '0')}`
    const number = next() < 0.2 ? { invoiceNumber: tag } : {}
    const request = { tag, own, isKeyed, more: { ...number, currency: pick(next, ['NGN', 'USD']), notes: tag } }
    asked.push(request)
    return request
  }

  function hear({ tag }: LoadRequest, { status, data, text }: Reply): void {
    expect([201, 503], text).toContain(status)
    if (status === 503) return
    const made = { id: data.id, number: data.invoiceNumber }
    expect(data.notes, text).toBe(tag)
    expect(told.get(tag) ?? made, 'a repetition is told of the same invoice').toEqual(made)
    told.set(tag, made)
  }

  async function ask(request: LoadRequest, node: Served): Promise<void> {
    const { tag, own, isKeyed, more } = request
    const headers: Record<string, string> = isKeyed ? { 'idempotency-key': tag } : {}
    let status = 0
    underWay.add(request)
    try {
      const reply = await node.a.post(invoicesPath, { token: own.token, body: invoiceBody.A(own, more), headers })
      status = reply.status
      hear(request, reply)
    } catch (error) {
      // `fetch` throws a TypeError if the connection breaks.
      if (!(error instanceof TypeError)) throw error
    } finally {
      underWay.delete(request)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }

  const pending = () => asked.filter((one) => one.isKeyed && !told.has(one.tag) && !underWay.has(one))

  function start(node: Served, clients: number): Work {
    let on = true
    const loops = Array.from({ length: clients }, async (_, at) => {
      while (on) {
        await ask(pending()[0] ?? newRequest(owners[at % owners.length] as Issuer), node)
        await wait(1)
      }
    })
    const all = Promise.all(loops)
    all.catch(() => {}) // the error is thrown when the caller awaits `all`
    const granted = () => statuses.get(201) ?? 0
    return {
      async goesOn(more) {
        const enough = granted() + more
        await Promise.race([until(async () => granted() >= enough, `${more} more invoices`), all])
      },
      async callOff() {
        on = false
        await all
      },
    }
  }

  async function finish(node: Served): Promise<void> {
    for (let tries = 0; pending().length > 0; tries++) {
      expect(tries, 'tries').toBeLessThan(100)
      await Promise.all(pending().map((request) => ask(request, node)))
      await wait(20)
    }
  }

  async function expectAllKept(db: Database): Promise<number> {
    const ids = owners.map(({ organisationId }) => organisationId)
    const rows = await db.rows<CreatedInvoice & { organisationId: string; tag: string }>(sql`
      select organisation_id, notes as tag, id, number from invoices where organisation_id = any (${ids}) and notes is not null`)
    const found = Map.groupBy(rows, ({ tag }) => tag)
    const faults = asked.flatMap(({ tag, own, isKeyed }) => {
      const [first, ...more] = found.get(tag) ?? []
      const made = told.get(tag)
      if (more.length > 0) return [`${tag} is there ${more.length + 1} times`]
      if (!first) return isKeyed || made ? [`${tag} is not there`] : []
      if (first.organisationId !== own.organisationId) return [`${tag} is somebody else’s`]
      if (made && (made.id !== first.id || made.number !== first.number)) return [`${tag} is not as it was told`]
      return []
    })
    expect(faults).toEqual([])
    const tags = new Set(asked.map(({ tag }) => tag))
    expect(rows.filter(({ tag }) => !tags.has(tag))).toEqual([])
    return rows.filter(({ tag }) => !told.has(tag)).length
  }

  async function hasLostAnswers(db: Database): Promise<boolean> {
    const open = new Set([...underWay].map(({ tag }) => tag))
    const lost = asked.filter(({ tag, isKeyed }) => !isKeyed && !told.has(tag) && !open.has(tag)).map(({ tag }) => tag)
    const { isThere } = await db.one<{ isThere: boolean }>(
      sql`select exists (select 1 from invoices where notes = any (${lost})) as is_there`,
    )
    return isThere
  }

  return { asked, statuses, pending, ask, newRequest, start, finish, expectAllKept, hasLostAnswers }
}
