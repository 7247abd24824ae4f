import { createHash, randomUUID } from 'node:crypto'
import type { OpenRuntime } from '../server/src/bin/runtime.ts'
import { systemCaller, type UserCaller } from '../server/src/kernel/callers.ts'
import { newId, type OrganisationId } from '../server/src/kernel/ids.ts'
import { systemRole } from '../server/src/kernel/roles.ts'
import type { Tenant } from '../server/src/kernel/tenant.ts'
import { openAccount } from '../server/src/modules/billing/index.ts'
import { costs } from '../server/src/modules/catalogue/index.ts'
import { hold, issue } from '../server/src/modules/credits/index.ts'
import { foundOrganisation } from '../server/src/modules/foundings/index.ts'
import type { Invoice, InvoiceId } from '../server/src/modules/invoices/index.ts'
import { insertPerson } from '../server/src/modules/people/index.ts'
import { submissionOperations } from '../server/src/modules/submissions/index.ts'
import { insertSubmission } from '../server/src/modules/submissions/state/submissions.store.ts'
import { sql } from '../server/src/platform/database/sql.ts'
import { type Inside, operation } from '../server/src/platform/operations/operation.ts'

const origin = { requestId: 'bench', address: '', userAgent: '' }
const address = { line1: '4 Broad Street', city: 'Lagos', state: 'Lagos', country: 'NG' }

const act = <Result>({ runner }: OpenRuntime, body: (context: Inside<typeof systemCaller>) => Promise<Result>) =>
  runner.run(operation({ needs: [], refuses: [] }, body), { caller: systemCaller, origin, input: undefined })

/** Creates an organisation that is connected to the authority and has more credits than it needs. Returns its owner. */
export async function newReporter(open: OpenRuntime, nth: number): Promise<UserCaller> {
  const { id, name, capabilities } = systemRole('OWNER')
  const founder = { id: newId<'user'>(), email: `${newId()}@bench.test` }
  const organisationId: OrganisationId = await act(open, async (context) => {
    const person = { ...founder, passwordHash: '', firstName: 'B', lastName: 'B', emailVerifiedAt: null }
    await insertPerson(context.tx, person, context.now)
    return await foundOrganisation(context, founder, { name: 'Bench', country: 'NG' })
  })
  const tenant: Tenant = { organisationId, mode: 'sandbox' }
  await open.runner.run(openAccount, { caller: systemCaller, origin, input: { organisationId } })
  await act(open, async (context) => {
    await issue(context, tenant, 'grant', 10_000_000n, 'bench')
    const { tx, now } = context
    await tx.run(sql`
      update sellers set tax_id = '12345678-0001', tax_id_normal = '123456780001', email = 'a@bench.test', phone = '+2348030000000',
             address = ${JSON.stringify(address)}::jsonb
       where organisation_id = ${organisationId} and is_primary`)
    await tx.run(sql`
      insert into tax_connections (organisation_id, mode, id, status, business_id, service_id, number_template, created_at, updated_at, connected_at)
      values (${organisationId}, 'sandbox', ${newId()}, 'connected', ${randomUUID()}, ${`BENCH${String(nth).padStart(3, '0')}`}, '{{invoice_id}}', ${now}, ${now}, ${now})`)
  })
  return {
    kind: 'user',
    userId: founder.id,
    sessionId: newId(),
    signedInAt: new Date(),
    tenant,
    country: 'NG',
    role: { id, name },
    capabilities: new Set(capabilities),
    email: founder.email,
    firstName: 'B',
    lastName: 'B',
    emailVerified: true,
    totpEnabled: false,
  }
}

/** Creates a buyer whose tax number the authority has confirmed. */
async function newBuyer(open: OpenRuntime, { organisationId, mode }: Tenant): Promise<string> {
  const id = newId<'buyer'>()
  await act(open, ({ tx, now }) =>
    tx.run(sql`
      insert into buyers (organisation_id, mode, id, name, party_type, tax_id, tax_id_normal, tax_id_type, tax_id_status, email, phone, address, search, created_at, updated_at)
      values (${organisationId}, ${mode}, ${id}, 'Chidi Stores', 'company', '22345678-0001', '223456780001', 'national', 'verified', 'b@bench.test',
              '+2348030000001', ${JSON.stringify(address)}::jsonb, 'chidi', ${now}, ${now})`),
  )
  return id
}

/** Makes one real submission. The other submissions are copies with their own numbers. */
async function template(open: OpenRuntime, caller: UserCaller): Promise<Invoice> {
  const buyerId = await newBuyer(open, caller.tenant)
  return await submitOne(open, caller, buyerId)
}

/** Returns a function that creates and submits one document per call. */
export async function submitterOf(open: OpenRuntime, caller: UserCaller): Promise<() => Promise<InvoiceId>> {
  const buyerId = await newBuyer(open, caller.tenant)
  return async () => (await submitOne(open, caller, buyerId)).id
}

async function submitOne(open: OpenRuntime, caller: UserCaller, buyer: string): Promise<Invoice> {
  const buyerId = buyer as never
  const line = {
    description: 'Bag of cement',
    hsnCode: '2523.29',
    productCategory: 'Cement',
    unitCode: 'XBG',
    taxCategory: 'standard',
  }
  const amounts = { quantity: { units: 3n, scale: 0 }, unitPrice: { units: 45_005n, scale: 1 } }
  const { invoice, submitRefusal } = await open.runner.run(submissionOperations.createAndSubmit, {
    caller,
    origin,
    input: {
      type: 'standard',
      kind: 'B2B',
      buyerId,
      primarySellerOnly: true,
      issueDate: new Date().toISOString().slice(0, 10),
      issueTime: null,
      currency: 'NGN',
      lines: [{ ...line, ...amounts }],
    } as never,
  })
  if (submitRefusal) throw new Error(`${submitRefusal.message} ${JSON.stringify(submitRefusal.details)}`)
  return invoice
}

const batch = 500

/**
 * Queues `each` documents for every organisation. The documents are copies of one real submission, each with its own
 * number, bytes and credit hold.
 */
export async function fillQueue(open: OpenRuntime, organisations: number, each: number): Promise<readonly Tenant[]> {
  const tenants: Tenant[] = []
  for (let nth = 1; nth <= organisations; nth++) {
    const caller = await newReporter(open, nth)
    const { tenant } = caller
    const { id, number } = await template(open, caller)
    const first = await open.runtime.db.one<{ payload: Buffer; reference: string }>(sql`
      select payload, reference from submissions where organisation_id = ${tenant.organisationId} and invoice_id = ${id}`)
    const { row } = await open.runtime.db.one<{ row: string }>(sql`
      select to_jsonb(i)::text as row from invoices i where i.organisation_id = ${tenant.organisationId} and i.mode = ${tenant.mode} and i.id = ${id}`)
    for (let from = 1; from < each; from += batch)
      await act(open, async (context) => {
        const copies = Array.from({ length: Math.min(batch, each - from) }, (_, nth) => ({
          id: newId<'invoice'>(),
          number: `B${String(from + nth).padStart(7, '0')}`,
        }))
        await context.tx.run(sql`
          insert into invoices
          select i.* from jsonb_array_elements(${JSON.stringify(copies)}::jsonb) as copy
           cross join jsonb_populate_record(null::invoices, ${row}::jsonb || copy) as i`)
        for (const copy of copies) {
          const reference = first.reference.replace(number, copy.number)
          const payload = Buffer.from(first.payload.toString().replaceAll(first.reference, reference))
          const submission = newId<'submission'>()
          await hold(context, tenant, 'invoice.submit', `submission:${submission}`)
          await insertSubmission(context.tx, tenant, {
            id: submission,
            invoiceId: copy.id,
            country: 'NG',
            reference,
            payload,
            sha256: createHash('sha256').update(payload).digest('hex'),
            goesToBuyer: true,
            cancelsInvoiceId: null,
            heldCredits: costs['invoice.submit'].credits,
            sends: 0,
            ordinal: 1,
            paymentInDocument: 'pending',
            askedBy: { kind: 'system', id: null, name: 'bench' },
            createdAt: context.now,
          })
        }
      })
    tenants.push(tenant)
  }
  return tenants
}
