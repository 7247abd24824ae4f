import pg from 'pg'
import { parseExact } from '../../kernel/exact-json.ts'
import type { Tracer } from '../tracing/tracer.ts'
import { planForValuesOnCoordinator, shardOf } from './coordinator.store.ts'
import { codeOf } from './error-codes.ts'
import { knownShards, type RowsOwner } from './known-shards.ts'
import { createRowMaker } from './rows.ts'
import type { Sql } from './sql.ts'

export interface Queryable {
  rows<Row>(statement: Sql): Promise<Row[]>
  /** the first row, or undefined */
  maybe<Row>(statement: Sql): Promise<Row | undefined>
  /** the first row of a statement that always returns one */
  one<Row>(statement: Sql): Promise<Row>
  /** the number of affected rows */
  run(statement: Sql): Promise<number>
}

declare const insideTransaction: unique symbol
/** Only a transaction is a `Tx`: a store function that writes takes a `Tx`, so that it cannot run outside a transaction. */
export type Tx = Queryable & { readonly [insideTransaction]: true }

export interface TransactionOptions {
  /** a transaction that is still open at its deadline is ended, together with its connection */
  readonly deadline?: AbortSignal | undefined
  /** called after the body; the statements travel with COMMIT and cost no round trip */
  readonly lastStatements?: () => readonly Sql[]
}

export interface Database extends Queryable {
  transaction<Result>(body: (tx: Tx) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /** a connection outside the pool, for LISTEN and for polls that must not wait behind requests */
  dedicatedClient(part?: string): Promise<pg.Client>
  /** whether Citus distributes the tables over several servers */
  isDistributed(): Promise<boolean>
  /** Whether one statement can write rows of both organisations. On Citus they must be in one shard; false until their shards are known. */
  areTogether(one: RowsOwner, other: RowsOwner): boolean
  readonly pool: pg.Pool
  end(): Promise<void>
}

export interface DatabaseOptions {
  readonly connection: string | { host: string; user: string; database: string }
  readonly poolSize?: number
  readonly applicationName?: string
  /** false if a pooler in between does not support prepared statements; then every statement is planned again */
  readonly prepares?: boolean
  /** how long to wait for a free connection; short in production, to fail fast when overloaded */
  readonly connectWithinMs?: number
  readonly onIdleError?: (error: Error) => void
  /** looks at a new connection before its first use; if it throws, the connection is closed and the statement fails with this error */
  readonly onConnect?: (db: Queryable) => Promise<void>
  /** the server refuses writes on these connections, whatever server it is; not with `prepares: false` */
  readonly isReadOnly?: boolean
  /** makes a span of each statement of a traced request or job */
  readonly tracer?: Tracer | undefined
}

const int8 = 20
const date = 1082
const jsonTypes: readonly number[] = [114, 3802]

/** Keeps integers exact, in JSON too, and dates as dates. `pg` would turn them into texts, floating-point numbers and local midnights. */
export const exactTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === int8) return BigInt
    if (oid === date) return String
    if (jsonTypes.includes(oid)) return parseExact
    return pg.types.getTypeParser(oid, format as 'text')
  },
}

const toObjects = createRowMaker()

/** Runs a statement; rows come as arrays of values. */
type Send = (statement: Sql) => Promise<pg.QueryArrayResult<unknown[]>>

function queryable(send: Send): Queryable {
  async function rows<Row>(statement: Sql): Promise<Row[]> {
    const result = await send(statement)
    return toObjects(
      result.fields.map(({ name }) => name),
      result.rows,
    )
  }
  const maybe = async <Row>(statement: Sql) => (await rows<Row>(statement))[0]
  return {
    rows,
    maybe,
    one: async <Row>(statement: Sql) => {
      const row = await maybe<Row>(statement)
      if (row === undefined) throw new Error(`a statement that always gives a row gave none: ${statement.text}`)
      return row
    },
    run: async (statement) => (await send(statement)).rowCount ?? 0,
  }
}

/** Prepared statements cost memory on both sides: a connection with this many is replaced by a new one. */
const mostStatements = 1_000
const preparedOn = new WeakMap<object, Set<string>>()
const isWornOut = (client: object): boolean => (preparedOn.get(client)?.size ?? 0) >= mostStatements

/** Connections to a Citus coordinator. It plans most statements for their values, because these say which server has the rows. */
const coordinatorClients = new WeakSet<object>()

async function recogniseCoordinator(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  if (await planForValuesOnCoordinator(client)) coordinatorClients.add(client)
}

const usualPlans = (client: object): string => (coordinatorClients.has(client) ? 'auto' : 'force_generic_plan')

/** A coordinator may need another form of the statement. */
function formFor(client: object, statement: Sql, isInTransaction: boolean): Sql {
  const { onShards, onOneShard } = coordinatorClients.has(client) ? statement : {}
  return (isInTransaction ? undefined : onOneShard) ?? onShards ?? statement
}

/**
 * Sends statements by name, so that they are parsed and planned once per connection. One generic plan serves all values; otherwise the
 * planner would keep planning the most expensive statements again.
 */
function sendOn(client: Pick<pg.ClientBase, 'query'>, prepares: boolean, isInTransaction: boolean): Send {
  const known = preparedOn.get(client) ?? new Set<string>()
  preparedOn.set(client, known)
  return (statement) => {
    const { text, values, name, isPlannedAnew, first } = formFor(client, statement, isInTransaction)
    const query = { text, values: values as unknown[], rowMode: 'array' as const }
    if (first) return client.query(first.text, first.values as unknown[]).then(() => client.query(query))
    if (!prepares || name === undefined) return client.query<unknown[], unknown[]>(query)
    known.add(name)
    if (!isPlannedAnew) return client.query<unknown[], unknown[]>({ name, ...query })
    // Inside a transaction these travel together. If the second fails inside a transaction, the rollback also undoes the first.
    client.query('set plan_cache_mode = force_custom_plan').catch(() => {})
    const result = client.query<unknown[], unknown[]>({ name, ...query })
    client.query(`set plan_cache_mode = ${usualPlans(client)}`).catch(() => {})
    return result
  }
}

const longestQueryText = 2_000

/** Statements as spans, without their values. */
function traced(send: Send, tracer: Tracer | undefined): Send {
  if (!tracer) return send
  return (statement) => {
    const text = statement.text.replace(/\s+/g, ' ').trim()
    const attributes = () => ({ 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, longestQueryText) })
    return tracer.traceInside(text.split(' ', 1)[0] as string, 'client', attributes, () => send(statement))
  }
}

/** COMMIT was sent and the connection broke: the transaction may or may not have committed. */
export class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitOutcomeUnknown'
}

/**
 * Delays writes until the next tick so that they leave in one packet. Each packet wakes the database, which costs as much as a small
 * statement.
 */
function corkUntilNextTick(client: pg.Client): void {
  const { stream } = client.connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Sends the last statements and COMMIT together. If the database refuses a statement, it rolls back instead of committing. */
async function commitWith(client: Pick<pg.ClientBase, 'query'>, send: Send, last: readonly Sql[]): Promise<void> {
  const answers = await Promise.allSettled([...last.map((statement) => send(statement)), client.query('commit')])
  const failures: unknown[] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  const end = answers.at(-1) as PromiseSettledResult<pg.QueryResult>
  // PostgreSQL replies to COMMIT of a failed transaction with success and the word ROLLBACK.
  const isCommitted = end.status === 'fulfilled' && end.value.command === 'COMMIT'
  if (failures.some((failure) => isConnectionFailure(failure) && !isReadOnlyServer(failure)))
    throw new CommitOutcomeUnknown('the connection broke during COMMIT', { cause: failures[0] })
  // An error on our side, before a statement reaches the database, would not stop the database from committing the others.
  if (failures.length > 0 && isCommitted)
    throw new CommitOutcomeUnknown('a part of the transaction was committed without the last of it', {
      cause: failures[0],
    })
  if (failures.length > 0) throw failures[0]
  if (!isCommitted) throw new Error('the transaction had failed and was rolled back at commit')
}

export function openDatabase(options: DatabaseOptions): Database {
  const { poolSize = 10, prepares = true, connectWithinMs = 2_000, tracer, onConnect } = options
  const readOnly = options.isReadOnly ? ' -c default_transaction_read_only=on' : ''
  const config: pg.PoolConfig = {
    ...(typeof options.connection === 'string' ? { connectionString: options.connection } : options.connection),
    types: exactTypes,
    application_name: options.applicationName ?? 'risiti',
    // A generic plan assumes more rows than most values have, and so expects enough cost for JIT compilation on every run. The first page
    // of a list with 60,000 events exceeded `jit_above_cost` and took a millisecond.
    ...(prepares ? { options: `-c plan_cache_mode=force_generic_plan -c jit=off${readOnly}` } : {}),
    keepAlive: true,
    // After that the request gets 503.
    connectionTimeoutMillis: connectWithinMs,
    statement_timeout: 10_000,
    lock_timeout: 8_000,
    idle_in_transaction_session_timeout: 15_000,
    // A network that drops packets sends no error, so the client needs a timeout too.
    query_timeout: 12_000,
    onConnect: async (client: pg.ClientBase) => {
      await recogniseCoordinator(client)
      isDistributed = coordinatorClients.has(client)
      await onConnect?.(asQueryable(client))
    },
  }
  const pool = new pg.Pool({ ...config, max: poolSize, pipeline: true } as pg.PoolConfig)
  const onIdleError = options.onIdleError ?? (() => {})
  pool.on('error', onIdleError)
  // Without a listener on a checked-out client, a dying database would end the process.
  pool.on('connect', (client) => client.on('error', onIdleError))

  const checkOut = () => pool.connect()
  /** Tables are distributed only while no node runs, so one answer is enough. */
  let isDistributed: boolean | undefined

  async function sendOnAny(statement: Sql): Promise<pg.QueryArrayResult<unknown[]>> {
    const client = await checkOut()
    let isBroken = false
    try {
      return await traced(sendOn(client, prepares, false), tracer)(statement)
    } catch (error) {
      isBroken = isConnectionFailure(error) || ranOnWrongServer(error)
      throw error
    } finally {
      client.release(isBroken || isWornOut(client))
    }
  }

  async function transaction<Result>(
    body: (tx: Tx) => Promise<Result>,
    { deadline, lastStatements = () => [] }: TransactionOptions = {},
  ): Promise<Result> {
    const client = await checkOut()
    const sendNow = traced(sendOn(client, prepares, true), tracer)
    const send: Send = (statement) => {
      corkUntilNextTick(client)
      return sendNow(statement)
    }
    let isBodyOver = false
    /** After one part of the body failed, a part that continues would write without a transaction, or in another one. */
    const sendForBody: Send = (statement) =>
      isBodyOver ? Promise.reject(new Error('the transaction is over')) : send(statement)
    let broken = false
    let isOver = false
    /** Closing the connection ends the transaction, whatever the body still waits for. A statement that is running ends first, within its time limit. */
    const end = () => {
      isOver = true
      client.release(true)
    }
    deadline?.addEventListener('abort', end, { once: true })
    try {
      deadline?.throwIfAborted()
      // BEGIN travels with the first statement of the body and costs no round trip.
      corkUntilNextTick(client)
      const begun = client.query('begin')
      begun.catch(() => {})
      let result: Result
      let last: readonly Sql[]
      try {
        result = await body(queryable(sendForBody) as Tx)
        last = lastStatements()
        await begun
      } catch (error) {
        isBodyOver = true
        broken = isConnectionFailure(error)
        if (!broken)
          await client.query('rollback').catch(() => {
            broken = true
          })
        throw error
      }
      isBodyOver = true
      try {
        await commitWith(client, send, last)
      } catch (error) {
        broken = error instanceof CommitOutcomeUnknown || isReadOnlyServer(error)
        throw error
      }
      return result
    } finally {
      deadline?.removeEventListener('abort', end)
      if (!isOver) client.release(broken || isWornOut(client))
    }
  }

  const outside = queryable(sendOnAny)
  const areInOneShard = knownShards(async (organisationId) => {
    const { shard } = await outside.one<{ shard: bigint }>(shardOf(organisationId))
    return shard
  })

  return {
    ...outside,
    transaction,
    async isDistributed() {
      if (isDistributed === undefined) {
        const client = await checkOut()
        client.release()
        isDistributed = coordinatorClients.has(client)
      }
      return isDistributed
    },
    areTogether: (one, other) => !isDistributed || areInOneShard(one, other),
    pool,
    dedicatedClient: async (part = 'watch') => {
      const client = new pg.Client({ ...config, application_name: `${options.applicationName ?? 'risiti'} ${part}` })
      client.on('error', onIdleError)
      await client.connect()
      await recogniseCoordinator(client)
      return client
    },
    end: () => pool.end(),
  }
}

/**
 * Wraps a bare client, such as a dedicated one, in the same interface. Its statements are rare, so preparing them would save little.
 * Unprepared, they also work through any pooler.
 */
export const asQueryable = (client: Pick<pg.ClientBase, 'query'>): Queryable => queryable(sendOn(client, false, true))

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The SQLSTATE of a refused statement; undefined for every other error. */
export function refusalCodeOf(error: unknown): string | undefined {
  const code = codeOf(error)
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !networkCodes.has(code) ? code : undefined
}

/** The server accepts no writes: it is a standby, or the old primary after a failover. */
const isReadOnlyServer = (error: unknown): boolean => codeOf(error) === '25006'

/** A Citus coordinator lost its connection to another server, which it reports as an internal error or as one of a file. */
const lostDataServer = (error: unknown): boolean =>
  ['XX000', '58030'].includes(codeOf(error) ?? '') &&
  /server closed the connection|no connection to the server|connection not open|could not (?:send data to|receive data from) server|SSL SYSCALL error|SSL error: unexpected eof|SSL connection has been closed unexpectedly|connection marked as essential|failed to COPY to shard|failed to complete COPY on/.test(
    (error as Error).message,
  )

/**
 * `run_on_shard` ran on a server without the shard. Either the shard was moved, or an error while Citus planned a part of an earlier statement
 * has left the connection so that it sends no call to another server. A new connection sends them.
 */
const ranOnWrongServer = (error: unknown): boolean => codeOf(error) === '55000'

/** The connection is useless: it broke, or its server accepts no writes. A new connection may reach the new primary. */
export function isConnectionFailure(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined)
    return networkCodes.has(code) || /^(08|57P0[1-5])/.test(code) || isReadOnlyServer(error) || lostDataServer(error)
  return (
    error instanceof Error &&
    /Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|not queryable/.test(
      error.message,
    )
  )
}

/** No connection of the pool became free, or none could be opened, within the time limit. */
export const gotNoConnection = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('timeout exceeded when trying to connect')

/** A temporary failure of the database: no space, lock timeout, too slow, unreachable. A later try may succeed. */
export const isPassingFailure = (error: unknown): boolean =>
  error instanceof CommitOutcomeUnknown ||
  isConnectionFailure(error) ||
  /^(53|55P03|57014|25P03)/.test(codeOf(error) ?? '')

/** A statement was cancelled, by its time limit or by an operator. */
export const tookTooLong = (error: unknown): boolean => codeOf(error) === '57014'

/** Serialisation failure or deadlock: run the transaction again from its start. */
export const isSerializationFailure = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error) ?? '')

/** Our role lacks a right. */
export const lacksRight = (error: unknown): boolean => codeOf(error) === '42501'

/** Another row refers to the row that was to be deleted. */
export const isForeignKeyViolation = (error: unknown): boolean => codeOf(error) === '23503'

/** Another row has the value that must be unique. */
export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505'
