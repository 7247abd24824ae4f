import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The contract's access rules, independent of the code. `expected-access.tsv` is copied by hand from the contract's
 * tables, and the sets below from its text. This file must not import the capability catalogue.
 */
export interface ExpectedRoute {
  readonly form: 'A' | 'B'
  readonly method: string
  readonly path: string
  readonly who: 'public' | 'user' | 'user_or_program' | 'key' | 'token'
  /** joined by `|`: one is enough; joined by `+`: all are needed */
  readonly capabilities: readonly string[]
  /** routes that move real money need a session in live mode */
  readonly liveOnly: boolean
}

export const expectedRoutes: readonly ExpectedRoute[] = readFileSync(
  join(import.meta.dirname, 'expected-access.tsv'),
  'utf8',
)
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [ExpectedRoute['form'], string, string, ExpectedRoute['who'], string?, string?])
  .map(([form, method, path, who, capability, mode]) => ({
    form,
    method,
    path,
    who,
    capabilities: capability ? capability.split('|') : [],
    liveOnly: mode === 'live',
  }))

const reads = [
  'collection.read',
  'member.read',
  'invitation.read',
  'role.read',
  'api_key.read',
  'organization.read',
  'tax_connection.read',
]
const everyone = ['organization.read', 'member.read', 'role.read', 'tax_connection.read']
/** Capabilities for buyers, sellers, items and reference data. */
const isDailyWork = (capability: string) => /^(buyer|seller|item|reference|tax_id)\./.test(capability)
const isPartyRead = (capability: string) => /^(buyer|seller|item|reference)\.read$/.test(capability)
/** Capabilities for invoices up to finalise, without submission and payments. */
const isInvoicing = (capability: string) =>
  /^invoice\./.test(capability) && !/^invoice\.(submit|retry|cancel|record_payment)$/.test(capability)
const isInvoiceRead = (capability: string) =>
  /^invoice\.(read|stats\.read|inbound\.read|download_pdf|download_authority_copy)$/.test(capability)
const isBillingRead = (capability: string) => /^billing\..*\.read$/.test(capability)
const isWebhookRead = (capability: string) => /^webhook\..*\.read$/.test(capability)

/** The capabilities of each role, out of those that these routes need. */
const held: Readonly<Record<string, (capability: string) => boolean>> = {
  OWNER: () => true,
  ADMIN: (capability) => capability !== 'organization.transfer_ownership',
  ACCOUNTANT: (capability) =>
    everyone.includes(capability) ||
    isBillingRead(capability) ||
    isDailyWork(capability) ||
    capability.startsWith('collection.') ||
    capability.startsWith('invoice.'),
  MEMBER: (capability) => everyone.includes(capability) || isDailyWork(capability) || isInvoicing(capability),
  DEVELOPER: (capability) =>
    reads.includes(capability) ||
    isBillingRead(capability) ||
    isDailyWork(capability) ||
    isInvoicing(capability) ||
    capability.startsWith('api_key.') ||
    capability.startsWith('webhook.'),
  VIEWER: (capability) =>
    reads.includes(capability) ||
    isBillingRead(capability) ||
    isPartyRead(capability) ||
    isInvoiceRead(capability) ||
    isWebhookRead(capability),
}

export const roleNames = Object.keys(held)

/** The contract's list of capabilities that an API key may have. */
export const grantableToKeys = `organization.read billing.account.read billing.usage.read billing.ledger.read
  billing.statement.read billing.payment.read billing.subscription.read webhook.endpoint.read webhook.endpoint.test
  webhook.delivery.read webhook.delivery.redeliver invoice.read invoice.stats.read invoice.create invoice.update_draft
  invoice.delete_draft invoice.finalise invoice.validate invoice.submit invoice.retry invoice.query_status invoice.cancel
  invoice.record_payment invoice.send_to_buyer invoice.download_pdf invoice.download_authority_copy invoice.reopen
  invoice.share invoice.inbound.read reference.read tax_id.lookup buyer.read buyer.create buyer.update buyer.delete
  buyer.verify_tax_id item.read item.create item.update item.archive seller.read tax_connection.read`.split(/\s+/)

export type Principal =
  | { readonly kind: 'nobody' | 'stranger' | 'revoked key' }
  | { readonly kind: 'unverified owner' | 'owner of another organisation' | 'owner in live mode' }
  | { readonly kind: 'role'; readonly role: string }
  | { readonly kind: 'key'; readonly capability: string | undefined }
  /** a program that an owner connected, with everything that programs may hold */
  | { readonly kind: 'program' }

/** The two capabilities beside those of keys: a program can read collections, and the request log. */
const grantableToPrograms = [...grantableToKeys, 'collection.read', 'api_key.read']

/** Routes that a person may call before the email address is verified. */
const beforeVerification = /^\/a\/v1\/auth\/(logout|me|sessions)/

/**
 * Expected status and code of a request with a deliberately invalid query. An allowed caller gets 400 before anything
 * is read or changed.
 */
export function expectedAnswer(route: ExpectedRoute, principal: Principal): string {
  const letIn = '400 VAL001'
  if (route.who === 'public') return letIn
  if (principal.kind === 'nobody' || principal.kind === 'stranger' || principal.kind === 'revoked key')
    return '401 AUTH001'
  if (principal.kind === 'key') {
    if (route.who === 'user' || route.who === 'user_or_program') return '403 PERM002'
    if (route.capabilities.length > 0 && !route.capabilities.includes(principal.capability ?? '')) return '403 PERM001'
    return letIn
  }
  if (route.who === 'key') return '403 PERM002'
  if (principal.kind === 'program') {
    if (route.who === 'user') return '403 PERM002'
    const mayCall = route.capabilities.some((wanted) =>
      wanted.split('+').every((one) => grantableToPrograms.includes(one)),
    )
    if (route.capabilities.length > 0 && !mayCall) return '403 PERM001'
    return route.liveOnly ? '403 PERM003' : letIn
  }
  if (principal.kind === 'unverified owner' && !beforeVerification.test(route.path)) return '403 AUTH004'
  if (principal.kind === 'owner of another organisation' && route.path.includes('/organizations/{orgId}'))
    return '404 RES001'
  if (principal.kind === 'role') {
    const holds = held[principal.role] as (capability: string) => boolean
    if (route.capabilities.length > 0 && !route.capabilities.some((wanted) => wanted.split('+').every(holds)))
      return '403 PERM001'
  }
  return route.liveOnly && principal.kind !== 'owner in live mode' ? '403 PERM003' : letIn
}
