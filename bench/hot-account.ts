import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenRuntime, openRuntime } from '../server/src/bin/runtime.ts'
import { readServiceConfig } from '../server/src/bin/service-config.ts'
import { type SystemCaller, systemCaller } from '../server/src/kernel/callers.ts'
import { newId, type OrganisationId } from '../server/src/kernel/ids.ts'
import { Refusal } from '../server/src/kernel/refusals.ts'
import type { Tenant } from '../server/src/kernel/tenant.ts'
import { openAccount } from '../server/src/modules/billing/index.ts'
import { openingCredits } from '../server/src/modules/catalogue/index.ts'
import { charge, findBalances, issue, revoke } from '../server/src/modules/credits/index.ts'
import { foundOrganisation } from '../server/src/modules/foundings/index.ts'
import { insertPerson } from '../server/src/modules/people/index.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { type Inside, operation } from '../server/src/platform/operations/operation.ts'
import { median, medianRound, type Row } from './measure.ts'
import { pgbenchPerSecond } from './pgbench.ts'

const origin = { requestId: 'bench', address: '', userAgent: '' }
const callers = 64
const connections = 10
const seconds = 4
const rounds = 5

const act = <Result>({ runner }: OpenRuntime, body: (context: Inside<SystemCaller>) => Promise<Result>) =>
  runner.run(operation({ needs: [], refuses: [] }, body), { caller: systemCaller, origin, input: undefined })

/** Creates an organisation whose live ledger holds exactly `credits` credits. */
async function newTenant(open: OpenRuntime, credits: bigint): Promise<Tenant> {
  const organisationId: OrganisationId = await act(open, async (context) => {
    const founder = { id: newId<'user'>(), email: `${newId()}@bench.test` }
    const person = { ...founder, passwordHash: '', firstName: 'B', lastName: 'B', emailVerifiedAt: null }
    await insertPerson(context.tx, person, context.now)
    return await foundOrganisation(context, founder, { name: 'Bench', country: 'NG' })
  })
  const tenant: Tenant = { organisationId, mode: 'live' }
  await open.runner.run(openAccount, { caller: systemCaller, origin, input: { organisationId } })
  await act(open, async (context) => {
    await revoke(context, tenant, openingCredits.live, 'bench')
    await issue(context, tenant, 'grant', credits, 'bench')
  })
  return tenant
}

const chargeOnce = (open: OpenRuntime, tenant: Tenant) =>
  act(open, (context) => charge(context, tenant, 'invoice.create', newId()))

async function chargesPerSecond(open: OpenRuntime, tenant: Tenant): Promise<number> {
  const until = performance.now() + seconds * 1000
  let done = 0
  const caller = async () => {
    while (performance.now() < until) {
      await chargeOnce(open, tenant)
      done++
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return done / seconds
}

/** Checks the invariant behind the figure: with 6,000 credits, exactly 6,000 of 10,000 charges succeed. */
async function drawEmpty(open: OpenRuntime): Promise<string> {
  const tenant = await newTenant(open, 6_000n)
  let [left, charged, refused] = [10_000, 0, 0]
  const caller = async () => {
    while (left-- > 0)
      await chargeOnce(open, tenant).then(
        () => charged++,
        (error: unknown) => {
          if (!(error instanceof Refusal)) throw error
          refused++
        },
      )
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const balances = await findBalances(open.runtime.db, tenant)
  if (charged !== 6_000 || refused !== 4_000 || balances?.available !== 0n || balances.spent !== 6_000n)
    throw new Error(
      `10,000 charges on 6,000 credits: ${charged} charged, ${refused} refused, ${balances?.available} left`,
    )
  return `10,000 charges by ${callers} callers on 6,000 credits: ${charged} charged, ${refused} refused, 0 left, the ledger balances.`
}

/**
 * Measures charges on one account that all callers share. The yardstick is the same statement on the database alone.
 */
export async function benchHotAccount(say: (text: string) => void): Promise<Row> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  const open = await openRuntime(readServiceConfig({ DATA_DIR: home, LOG_LEVEL: 'warn' }, []), silentLogger)
  try {
    say(await drawEmpty(open))
    const tenant = await newTenant(open, 1_000_000_000n)
    await chargesPerSecond(open, tenant)
    const ours: number[] = []
    const yardstick: number[] = []
    for (let round = 0; round < rounds; round++) {
      ours.push(await chargesPerSecond(open, tenant))
      const figure = await pgbenchPerSecond({
        connection: open.ownerConnection,
        files: [join(import.meta.dirname, 'hot-account.sql')],
        variables: { org: tenant.organisationId },
        clients: connections,
        seconds,
      })
      if (figure !== undefined) yardstick.push(figure)
    }
    return {
      name: 'charges on one hot account',
      unit: 'charges/s',
      ...(yardstick.length > 0 ? medianRound(ours, yardstick) : { ours: median(ours), yardstick: undefined }),
      yardstickName: 'pgbench, same statement',
      goal: 0.5,
    }
  } finally {
    await open.close()
    await rm(home, { recursive: true, force: true })
  }
}
