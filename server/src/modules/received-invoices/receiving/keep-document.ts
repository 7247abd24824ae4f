import type { AuthorityCopy } from '../../../jurisdictions/port.ts'
import type { Caller } from '../../../kernel/callers.ts'
import { businessDay } from '../../../kernel/days.ts'
import { exactMinor } from '../../../kernel/exact-json.ts'
import { newId } from '../../../kernel/ids.ts'
import { mostFaults } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { listsInForce } from '../../reference/index.ts'
import { lockClaims } from '../claims/claims.store.ts'
import { settleClaims } from '../claims/settle-claims.ts'
import type { AuthorityStatus, FetchedDocument } from '../feeds/ask-authority.ts'
import { acknowledgeInvoicesJob, keyOfTenant, nextPaymentCheck, receiveInvoicesJob } from '../feeds/feed.ts'
import { type ReceivedInvoiceId, receivedFrom } from '../received-invoice.ts'
import { insertReceived, markPossibleDuplicates, saveRepeated } from '../received-invoices.store.ts'
import { deleteArrival, insertArrival } from './arrivals.store.ts'

type AddressedDocument = AuthorityCopy & { readonly buyer: { readonly taxIdNormal: string } }

/** Whether the document names its buyer by tax number. */
export const isAddressed = (copy: AuthorityCopy): copy is AddressedDocument =>
  copy.buyer !== null && copy.buyer.taxIdNormal !== null

/** Stores a fetched document for a tenant and enqueues its processing. */
export async function arrive(
  { tx, enqueue, realNow }: Inside<Caller>,
  tenant: Tenant,
  { copy, document }: Pick<FetchedDocument, 'copy' | 'document'>,
): Promise<void> {
  const isNew = await insertArrival(tx, tenant, { reference: copy.reference, document }, realNow)
  if (isNew) enqueue(receiveInvoicesJob, tenant, { key: keyOfTenant(tenant) })
}

/** Validates a document and stores it with the result, once. */
export async function keepDocument(
  context: Inside<Caller>,
  tenant: Tenant,
  country: string,
  { copy, document }: { readonly copy: AddressedDocument; readonly document: string },
  { isReported, payment, accessPoint }: AuthorityStatus,
): Promise<void> {
  const { tx, ports, now, realNow, enqueue, emit, log } = context
  const jurisdiction = ports.jurisdictions.of(country)
  if (!jurisdiction) return
  const { reporting, zone } = jurisdiction
  const faults = reporting.faultsOfCopy(copy, listsInForce(ports.codeLists, country)).slice(0, mostFaults)
  const claim = reporting.inputTaxClaim(payment === null ? copy : { ...copy, paymentStatus: payment }, {
    isReported,
    today: businessDay(now, zone),
    faults,
    ownTaxIds: [copy.buyer.taxIdNormal],
  })
  const id: ReceivedInvoiceId = newId()
  const judged = { faults, claim }
  const kept = receivedFrom(copy, { id, document, reportedStatus: payment, accessPoint, judged, now })
  await lockClaims(tx, tenant)
  await deleteArrival(tx, tenant, copy.reference)
  if (!(await insertReceived(tx, tenant, kept, nextPaymentCheck(realNow, 0)))) {
    const repeated = await saveRepeated(tx, tenant, kept)
    // A note that came before may correct it by this reference.
    if (repeated !== undefined) await settleClaims(context, tenant, repeated)
    log.info('received.kept_before', { organisationId: tenant.organisationId, reference: copy.reference })
    return
  }
  await markPossibleDuplicates(tx, tenant, kept)
  await settleClaims(context, tenant, id)
  enqueue(acknowledgeInvoicesJob, tenant, { key: keyOfTenant(tenant) })
  emit(
    'inbound_invoice.received',
    { ...tenant, objectId: id },
    {
      inboundInvoiceId: id,
      authorityReference: kept.reference,
      invoiceNumber: kept.number,
      invoiceType: kept.type,
      sellerName: kept.sellerName,
      sellerTaxId: kept.sellerTaxId,
      issueDate: kept.issueDate,
      dueDate: kept.dueDate,
      currency: kept.currency,
      taxMinor: exactMinor(kept.taxMinor),
      payableMinor: exactMinor(kept.payableMinor),
      isValid: faults.length === 0,
      inputTaxClaimable: claim.claimable,
    },
  )
}
