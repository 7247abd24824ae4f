import { noOrganisation } from '../../kernel/callers.ts'
import { idAt, type OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { writeApart } from '../../platform/database/write-apart.ts'
import { type Logger, redact } from '../../platform/logger.ts'
import type { Answered, LoggedRequest, SaidError } from './logged-request.ts'
import { insertRequests, mostKept, purgeRequests } from './request-log.store.ts'
import { pathWithoutSecrets } from './without-secrets.ts'

/** Notes requests in memory and writes them behind: no request waits for it. What a process holds when it is killed is lost. */
export interface RequestLog {
  /** asked before an answer is described: of a caller who asks a thousand times a second most are let go */
  hasRoomFor(organisationId: OrganisationId): boolean
  note(answered: Answered): void
  flush(): Promise<void>
  start(): void
  stop(): Promise<void>
  /** what was written and what was let go, as Prometheus reads it */
  metrics(): string
}

declare module '../../platform/operations/ports.ts' {
  interface Ports {
    readonly requestLog: RequestLog
  }
}

export interface RequestLogOptions {
  readonly everyMs?: number
  /** held at a time, in all and of one organisation: the rest is let go until they are written */
  readonly most?: number
  readonly mostOfOrganisation?: number
  /** of one organisation and mode in the database, and how many are written until what is beyond is removed */
  readonly mostKeptOfTenant?: number
  readonly trimAfter?: number
}

/** Written since the last time that a tenant's were trimmed. Those who ask little are left to the hourly purge. */
const mostTenantsCounted = 50_000

/** Of what was refused, as much is kept: enough to see what is wrong, and little enough for a thousand of them. */
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
  let noted: (Answered & { readonly at: Date })[] = []
  let ofOrganisation = new Map<OrganisationId, number>()
  const untrimmed = new Map<string, { readonly tenant: Tenant; count: number }>()
  /** keeps those of one moment in their order */
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

  function note(answered: Answered): void {
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
      // Those of all organisations are written together: what the database refuses of one costs the others nothing.
      const { refused, error } = await writeApart(batch, (some) => insertRequests(db, some))
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

  /** Whoever asks a hundred times a second has many times its share within the hour until all are purged: it is trimmed as it grows. */
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
        // With some to spare: other nodes write for the same organisation.
        await purgeRequests(db, tenant, { before: new Date(0), most: mostKeptOfTenant, limit: count * 2 })
      } catch (error) {
        log.warn('request_log.not_trimmed', { error })
      }
    }
    if (untrimmed.size > mostTenantsCounted) untrimmed.clear()
  }

  /** One after the other: while the database is slow, what comes meanwhile is held, as much of it as there is room for. */
  function flush(): Promise<void> {
    writing = writing.then(write)
    return writing
  }

  /** Nothing while the last one is still being written: a queue of writers would grow with a database that is away. */
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
      [
        '# HELP risiti_request_log_total Requests for the request log, by what became of them',
        '# TYPE risiti_request_log_total counter',
        ...Object.entries(counts).map(([outcome, count]) => `risiti_request_log_total{outcome="${outcome}"} ${count}`),
      ].join('\n'),
  }
}

function toLogged(
  { caller, at, url, refused, durationMs, route, ...rest }: Answered & { at: Date },
  nth: number,
): LoggedRequest {
  const isUser = caller.kind === 'user'
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
    actorType: caller.kind,
    actorId: isUser ? caller.userId : caller.keyId,
    actorName: isUser ? caller.email : caller.name,
    requestId,
    address,
    userAgent,
  }
}

const cut = (text: string): string => {
  const told = redact(text.slice(0, longestText * 2))
  return told.length > longestText ? `${told.slice(0, longestText)}…` : told
}

const shortened = ({ code, message, details }: SaidError): SaidError => ({
  ...(code === undefined ? {} : { code }),
  message: cut(message),
  ...(details
    ? {
        details: details
          .slice(0, mostFaults)
          .map(({ path, rule, message: said }) => ({ path: cut(path), rule, message: cut(said) })),
      }
    : {}),
})
