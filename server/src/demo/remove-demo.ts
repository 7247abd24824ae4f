import { rm } from 'node:fs/promises'
import { type SystemCaller, systemCaller, type UserCaller } from '../kernel/callers.ts'
import type { OrganisationId } from '../kernel/ids.ts'
import type { Page } from '../kernel/paging.ts'
import { Refusal } from '../kernel/refusals.ts'
import { modes } from '../kernel/tenant.ts'
import { apiKeyOperations } from '../modules/api-keys/index.ts'
import { billingOperations } from '../modules/billing/index.ts'
import { accountShares } from '../modules/buyer-accounts/index.ts'
import { closeAccount } from '../modules/identity/index.ts'
import { invoiceShares } from '../modules/invoices/index.ts'
import { deleteMailbox } from '../modules/messages/index.ts'
import { listActiveMemberships, organisationOperations } from '../modules/organisations/index.ts'
import { findPersonByEmail } from '../modules/people/index.ts'
import { quotes } from '../modules/quotes/index.ts'
import { taxConnectionOperations } from '../modules/tax-connection/index.ts'
import { webhookOperations } from '../modules/webhooks/index.ts'
import type { Queryable } from '../platform/database/database.ts'
import { type AnyOperation, type Inside, operation } from '../platform/operations/operation.ts'
import type { Runner, Runtime } from '../platform/operations/runner.ts'
import { leftFile } from './finish-demo.ts'
import { demoFile, demoOwner } from './seed-demo.ts'
import { demoEmail, demoEmails, demoOrigin } from './seed-organisation.ts'

/** A reason not to start, worded for the person who starts the service. */
export class DemoInTheWay extends Error {
  override readonly name = 'DemoInTheWay'
}

/** Only the seed creates a verified owner with this address: no mail can reach it. */
async function findDemoOwner(db: Queryable) {
  const person = await findPersonByEmail(db, demoEmail)
  return person?.emailVerifiedAt ? person : undefined
}

/** Outside the playground, the service refuses a database whose owner has the public demo password. */
export async function refuseDemo(db: Queryable): Promise<void> {
  if (await findDemoOwner(db))
    throw new DemoInTheWay(
      `The database contains the demo organisation, whose sign-in and keys are public, and this is not a playground
(loopback, no PUBLIC_URL, no TRUST_PROXY, not in production). Use another database, or disable the demo's people,
keys and links in this one, with the same settings: npm run demo:remove`,
    )
}

const endAccess = operation(
  { needs: [], refuses: [] },
  async (context: Inside<SystemCaller>, { organisations }: { organisations: readonly OrganisationId[] }) => {
    const { tx } = context
    for (const organisationId of organisations)
      for (const mode of modes) {
        await invoiceShares.deleteShares(tx, { organisationId, mode })
        await quotes.deleteQuoteShares(tx, { organisationId, mode })
        await accountShares.deleteAccountShares(tx, { organisationId, mode })
      }
    await deleteMailbox(tx)
    for (const email of demoEmails) {
      const person = await findPersonByEmail(tx, email)
      if (person?.emailVerifiedAt) await closeAccount(context, person.id)
    }
  },
)

const firstHundred = { page: 1, limit: 100 }
const mostHundreds = 1_000

/** Ended rows leave the list, so each read gets the next hundred. */
async function endAll<Row>(list: () => Promise<Page<Row>>, end: (row: Row) => Promise<unknown>): Promise<void> {
  for (let hundreds = 0; hundreds < mostHundreds; hundreds++) {
    const { rows } = await list()
    for (const row of rows) await end(row)
    if (rows.length < firstHundred.limit) return
  }
}

/** Revokes what an organisation has given out, through the ordinary operations, so that the audit log shows it. */
async function endWhatWasGiven(runner: Runner, owner: UserCaller): Promise<void> {
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })

  for (const status of ['active', 'rotating'] as const)
    await endAll(
      () => act(apiKeyOperations.listOrganisationKeys, { filter: { status }, page: firstHundred }),
      ({ id }) => act(apiKeyOperations.revokeApiKey, { id }),
    )
  await endAll(
    () => act(organisationOperations.listOrganisationInvitations, { status: 'pending', page: firstHundred }),
    ({ id }) => act(organisationOperations.withdrawInvitation, { id }),
  )
  await endAll(
    () => act(webhookOperations.listWebhookEndpoints, { page: firstHundred }),
    ({ id }) => act(webhookOperations.deleteEndpoint, { id }),
  )
  // The business belongs to a simulator: no real authority may receive anything in its name.
  await act(taxConnectionOperations.revokeConnection, { reason: 'The demo was removed' }).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })
  // The card belongs to a simulator: no real provider may be asked to charge it.
  const live: UserCaller = { ...owner, tenant: { ...owner.tenant, mode: 'live' } }
  const plan = await runner
    .run(billingOperations.getActiveSubscription, { caller: live, origin: demoOrigin, input: undefined })
    .catch((error: unknown) => {
      if (error instanceof Refusal) return undefined
      throw error
    })
  if (plan) {
    const input = { id: plan.subscription.id, reason: 'The demo was removed' }
    await runner.run(billingOperations.cancelSubscription, { caller: live, origin: demoOrigin, input })
  }
}

/**
 * Makes the demo unusable: its keys, invitations, links and people. The rows stay, because events cannot be undone. The owner goes last, so
 * that an interrupted removal starts again. Returns false if there is no demo.
 */
export async function removeDemo({ db }: Runtime, runner: Runner, dataDir: string): Promise<boolean> {
  for (const path of [demoFile(dataDir), leftFile(dataDir)]) await rm(path, { force: true })
  const owner = await findDemoOwner(db)
  if (!owner) return false
  const organisations = (await listActiveMemberships(db, owner.id)).map(({ organisationId }) => organisationId)
  for (const organisationId of organisations) await endWhatWasGiven(runner, demoOwner(organisationId, owner.id))
  await runner.run(endAccess, { caller: systemCaller, origin: demoOrigin, input: { organisations } })
  return true
}
