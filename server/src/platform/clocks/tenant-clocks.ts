import type { OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Authentication } from '../callers/authentication.ts'
import type { Clock } from '../clock.ts'
import type { Queryable } from '../database/database.ts'
import { shownTime, type TestClock, workTime } from './business-time.ts'
import { findTestClock, organisationOf } from './test-clocks.store.ts'

/** The business time of tenants. */
export interface TenantClocks {
  /** not a promise if the node knows it: hot operations wait for no query */
  nowOf(tenant: Tenant): Date | Promise<Date>
  /** the same without a query, for replies whose operation has just asked */
  latelyOf(tenant: Tenant): Date
  /** for background work: it sees the moment of a move under way, and asks the database each time */
  forWork(db: Queryable): TenantClocks
}

const mostKnown = 50_000

interface KnownClock {
  /** undefined for a sandbox that was never moved */
  readonly found: TestClock | undefined
  /** false once the clock was changed, or while it may have been */
  readonly isFresh: boolean
}

/** Caches the clocks of sandboxes as long as the node follows the log of changes, like the callers of tokens. */
export function createTenantClocks(
  db: Queryable,
  authentication: Pick<Authentication, 'isConfirmed' | 'listen'>,
  clock: Clock,
): TenantClocks {
  const known = new Map<OrganisationId, KnownClock>()
  /** rises whenever clocks are forgotten, so that a clock that was read before is not cached afterwards */
  let generation = 0
  authentication.listen((subjects) => {
    generation++
    if (!subjects) return known.clear()
    for (const subject of subjects) {
      const organisationId = organisationOf(subject)
      const one = organisationId && known.get(organisationId)
      if (one) known.set(organisationId, { ...one, isFresh: false })
    }
  })

  function remember(organisationId: OrganisationId, one: KnownClock): void {
    if (known.size >= mostKnown)
      for (const oldest of known.keys()) {
        known.delete(oldest)
        break
      }
    known.set(organisationId, one)
  }

  const timeOf = (found: TestClock | undefined): Date => shownTime(found, clock.now(), new Date())

  /** Concurrent calls for one organisation share a query, if no clock was forgotten since. */
  const loading = new Map<OrganisationId, { readonly found: Promise<TestClock | undefined>; readonly since: number }>()

  function find(organisationId: OrganisationId): Promise<TestClock | undefined> {
    const running = loading.get(organisationId)
    if (running?.since === generation && authentication.isConfirmed()) return running.found
    const since = generation
    const mine = { found: findTestClock(db, organisationId), since }
    loading.set(organisationId, mine)
    const end = () => {
      if (loading.get(organisationId) === mine) loading.delete(organisationId)
    }
    mine.found.then(end, end)
    return mine.found
  }

  async function load(organisationId: OrganisationId): Promise<Date> {
    const before = generation
    const found = await find(organisationId)
    remember(organisationId, { found, isFresh: generation === before })
    return timeOf(found)
  }

  return {
    nowOf({ organisationId, mode }) {
      if (mode === 'live') return clock.now()
      const one = known.get(organisationId)
      return one?.isFresh && authentication.isConfirmed() ? timeOf(one.found) : load(organisationId)
    },
    latelyOf: ({ organisationId, mode }) => (mode === 'live' ? clock.now() : timeOf(known.get(organisationId)?.found)),
    forWork: (db) => workClocks(db, clock),
  }
}

function workClocks(db: Queryable, clock: Clock): TenantClocks {
  return {
    async nowOf({ organisationId, mode }) {
      if (mode === 'live') return clock.now()
      const found = await findTestClock(db, organisationId)
      return workTime(found, clock.now())
    },
    latelyOf() {
      throw new Error('background work encodes no replies')
    },
    forWork: (db) => workClocks(db, clock),
  }
}
