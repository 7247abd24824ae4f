import { noOrganisation } from '../../kernel/callers.ts'
import { idAt, type OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { writeAllButRefused } from '../../platform/database/write-all-but-refused.ts'
import { actorOf } from '../../platform/events/actors.ts'
import { type Logger, redact } from '../../platform/logger.ts'
import { metricsText } from '../../platform/metrics.ts'
import type { AnsweredRequest, LoggedRequest, ReplyError } from './logged-request.ts'
import { insertRequests, mostKept, purgeRequests } from './request-log.store.ts'
import { pathWithoutSecrets } from './without-secrets.ts'

/**
 * Collects requests in memory and writes them in the background. No request waits. A killed process loses what it
 * holds.
 */
export interface RequestLog {
  /** Checked before a request is described: of a thousand requests a second, most are dropped. */
  hasRoomFor(organisationId: OrganisationId): boolean
  note(answered: AnsweredRequest): void
  flush(): Promise<void>
  start(): void
  stop(): Promise<void>
  /** Written and dropped requests, for Prometheus. */
  metrics(): Promise<string>
}

declare module '../../platform/operations/ports.ts' {
  interface Ports {
    readonly requestLog: RequestLog
  }
}

export interface RequestLogOptions {
  readonly everyMs?: number
  /** Limits of requests in memory, in total and per organisation. Further ones are dropped until some are written. */
  readonly most?: number
  readonly mostOfOrganisation?: number
  /** Limit per tenant in the database, and number of writes between two trims. */
  readonly mostKeptOfTenant?: number
  readonly trimAfter?: number
}

/** Writes since the last trim of a tenant. Tenants with few requests are left to the hourly purge. */
const mostTenantsCounted = 50_000

/** Faults kept per refusal: enough to see the problem, small enough for a thousand of them. */
const mostFaults = 20
const longestText = 300

export function createRequestLog(
  db: Queryable,
  clock: Clock,
  log: Logger,
  {
    everyMs = 1_000,
    most = 2_000,
    mostOfOrganisation = 100,
    mostKeptOfTenant = mostKept,
    trimAfter = 2_000,
  }: RequestLogOptions = {},
): RequestLog {
  let noted: (AnsweredRequest & { readonly at: Date })[] = []
  let ofOrganisation = new Map<OrganisationId, number>()
  const untrimmed = new Map<string, { readonly tenant: Tenant; count: number }>()
  /** Keeps requests of one millisecond in order. */
  let described = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const counts = { written: 0, no_room: 0, not_written: 0 }

  function hasRoomFor(organisationId: OrganisationId): boolean {
    if (organisationId === noOrganisation) return false
    const hasRoom = noted.length < most && (ofOrganisation.get(organisationId) ?? 0) < mostOfOrganisation
    if (!hasRoom) counts.no_room++
    return hasRoom
  }

  function note(answered: AnsweredRequest): void {
    const { organisationId } = answered.caller.tenant
    if (!hasRoomFor(organisationId)) return
    ofOrganisation.set(organisationId, (ofOrganisation.get(organisationId) ?? 0) + 1)
    noted.push({ ...answered, at: clock.now() })
  }

  async function write(): Promise<void> {
    if (noted.length === 0) return
    const batch = noted.map((one) => toLogged(one, described++))
    noted = []
    ofOrganisation = new Map()
    try {
      // Writes the requests of all organisations together. A row that the database refuses does not affect the others.
      const { refused, error } = await writeAllButRefused(batch, (some) => insertRequests(db, some))
      counts.written += batch.length - refused.length
      counts.not_written += refused.length
      for (const { organisationId, mode, requestId } of refused)
        log.error('request_log.refused', { organisationId, mode, requestId, error })
    } catch (error) {
      counts.not_written += batch.length
      log.warn('request_log.not_written', { count: batch.length, error })
      return
    }
    await trim(batch)
  }

  /**
   * A tenant with a hundred requests a second would exceed its limit many times before the hourly purge, so that it is
   * trimmed as it grows.
   */
  async function trim(written: readonly Tenant[]): Promise<void> {
    const grown = new Set<string>()
    for (const { organisationId, mode } of written) {
      const key = `${organisationId} ${mode}`
      const counted = untrimmed.get(key) ?? { tenant: { organisationId, mode }, count: 0 }
      if (++counted.count >= trimAfter) grown.add(key)
      untrimmed.set(key, counted)
    }
    for (const key of grown) {
      const { tenant, count } = untrimmed.get(key) as { tenant: Tenant; count: number }
      untrimmed.delete(key)
      try {
        // With a margin, because other nodes write for the same tenant.
        await purgeRequests(db, tenant, { before: new Date(0), most: mostKeptOfTenant, limit: count * 2 })
      } catch (error) {
        log.warn('request_log.not_trimmed', { error })
      }
    }
    if (untrimmed.size > mostTenantsCounted) untrimmed.clear()
  }

  /** One write at a time. While the database is slow, up to the limit of requests stay in memory. */
  function flush(): Promise<void> {
    writing = writing.then(write)
    return writing
  }

  /** Skips a turn while a write is under way. Otherwise writers would pile up while the database is down. */
  let isDue = true
  function flushWhenDue(): void {
    if (!isDue) return
    isDue = false
    void flush().finally(() => {
      isDue = true
    })
  }

  return {
    hasRoomFor,
    note,
    flush,
    start() {
      timer ??= setInterval(flushWhenDue, everyMs).unref()
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
      await flush()
    },
    metrics: () =>
      metricsText([
        {
          name: 'risiti_request_log_total',
          help: 'Requests for the request log, by outcome.',
          type: 'counter',
          values: Object.entries(counts).map(([outcome, count]) => [{ outcome }, count]),
        },
      ]),
  }
}

function toLogged(
  { caller, at, url, refused, durationMs, route, ...rest }: AnsweredRequest & { at: Date },
  nth: number,
): LoggedRequest {
  const { kind, id, name } = actorOf(caller)
  const { method, status, requestId, address, userAgent } = rest
  return {
    ...caller.tenant,
    id: idAt(at.getTime(), nth),
    answeredAt: at,
    method,
    route: route ?? null,
    path: pathWithoutSecrets(url),
    status,
    reason: refused?.reason ?? null,
    error: refused ? JSON.stringify(shortened(refused.error)) : null,
    durationMs: Math.round(durationMs * 10) / 10,
    actorType: kind as LoggedRequest['actorType'],
    actorId: id as string,
    actorName: name,
    requestId,
    address,
    userAgent,
  }
}

const cut = (text: string): string => {
  const redacted = redact(text.slice(0, longestText * 2))
  return redacted.length > longestText ? `${redacted.slice(0, longestText)}…` : redacted
}

const shortened = ({ code, message, details }: ReplyError): ReplyError => ({
  ...(code === undefined ? {} : { code }),
  message: cut(message),
  ...(details
    ? {
        details: details
          .slice(0, mostFaults)
          .map(({ path, rule, message: text }) => ({ path: cut(path), rule, message: cut(text) })),
      }
    : {}),
})
