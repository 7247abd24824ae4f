import { expect } from 'vitest'
import type { TestApp } from './app.ts'

/** A business in the authority's records. */
export interface RecordOfBusiness {
  readonly name: string
  readonly serviceId: string
  readonly taxId: string
}

/** Reads the simulated authority's record of a business in live mode. */
export async function recordOf(app: TestApp, businessId: string): Promise<RecordOfBusiness> {
  const authority = app.runtime.ports.jurisdictions.authority('NG', 'live')
  const found = await authority?.findBusiness(businessId, businessId, AbortSignal.timeout(5_000))
  return {
    name: found?.name ?? '',
    serviceId: /-([A-Z0-9]{8})-/.exec(found?.numberTemplate ?? '')?.[1] ?? '',
    taxId: found?.taxId ?? '',
  }
}

interface Session {
  readonly token: string
}

export async function renameOrganisation(app: TestApp, { token }: Session, name: string): Promise<void> {
  const reply = await app.a.patch('/a/v1/organizations/me', { token, body: { name } })
  expect(reply.status, reply.text).toBe(200)
  await app.quiet()
}

/** Has the organisation's own tax number confirmed, through either form. */
export const confirmTaxNumber = (app: TestApp, { token }: Session, taxId: string, form: 'A' | 'B' = 'A') =>
  app.client(form).post('/a/v1/organizations/me/onboarding/verify-tax-number', {
    token,
    body: form === 'A' ? { taxId } : { taxNo: taxId },
  })

/** Prepares an organisation for a live connection: it gets the business's name and a confirmed tax number. */
export async function becomeBusiness(
  app: TestApp,
  session: Session,
  { name, taxId }: Omit<RecordOfBusiness, 'serviceId'>,
): Promise<void> {
  await renameOrganisation(app, session, name)
  const reply = await confirmTaxNumber(app, session, taxId)
  expect(reply.status, reply.text).toBe(200)
}
