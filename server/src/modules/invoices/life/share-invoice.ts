import { randomBytes } from 'node:crypto'
import type { Caller, TokenCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import type { SealedPlace } from '../../../platform/secrets/secrets.ts'
import type { InvoiceId } from '../invoice.ts'
import { emitInvoiceEvent } from '../invoice-events.ts'
import { saveProgress } from '../invoices.store.ts'
import { lockOwnInvoice } from '../lock-invoice.ts'
import { deleteShare, findShare, hashOfToken, insertShare } from '../shares.store.ts'
import { canBeShown, further } from './send-invoice.ts'

export const shareTokenPlace = (id: string): SealedPlace => ({ table: 'invoice_shares', column: 'sealed_token', id })

/** Creates a link to a public page of the invoice; returns the same link while it is shared. */
export const shareInvoice = operation(
  { needs: ['invoice.share'], refuses: ['resource.not_found', 'invoice.share.not_finalised'] },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }) => {
    const { tx, caller, now } = context
    const { tenant } = caller
    const { invoice } = await lockOwnInvoice(tx, tenant, id)
    if (!canBeShown(invoice)) throw refuse('invoice.share.not_finalised')
    const { isNew, ...link } = await findOrMakeLink(context, tenant, id)
    // A link that a mail created does not mean that a caller shared the invoice.
    if (!isNew && invoice.sharedAt) return { id, ...link }
    const shared = await saveProgress(tx, tenant, {
      ...invoice,
      sharedAt: invoice.sharedAt ?? now,
      delivery: further(invoice.delivery, 'shared_link'),
      updatedAt: now,
    })
    emitInvoiceEvent(context, 'invoice.shared', tenant, shared)
    return { id, ...link }
  },
)

type ShareContext = Pick<Inside<Caller>, 'tx' | 'now' | 'vault' | 'settings'>

/** The lock on the invoice ensures one link for concurrent requests. */
async function findOrMakeLink({ tx, now, vault, settings }: ShareContext, tenant: Tenant, id: InvoiceId) {
  const urlOf = (token: string) => new URL(`/s/${token}`, settings.dashboardUrl).href
  const known = await findShare(tx, tenant, id)
  if (known) {
    const token = vault.open(known.sealedToken, shareTokenPlace(known.id))
    return { url: urlOf(token), sharedAt: known.sharedAt, isNew: false }
  }
  const token = randomBytes(32).toString('base64url')
  const shareId = newId()
  await insertShare(tx, tenant, {
    id: shareId,
    invoiceId: id,
    tokenHash: hashOfToken(token),
    sealedToken: vault.seal(token, shareTokenPlace(shareId)),
    sharedAt: now,
  })
  return { url: urlOf(token), sharedAt: now, isNew: true }
}

/**
 * The link for a mail to the buyer; `undefined` if the invoice may no longer be shown. Unsharing ends it like any
 * other link.
 */
export async function linkForBuyer(context: ShareContext, tenant: Tenant, id: InvoiceId): Promise<string | undefined> {
  const { invoice } = await lockOwnInvoice(context.tx, tenant, id)
  return canBeShown(invoice) ? (await findOrMakeLink(context, tenant, id)).url : undefined
}

/** Ends the link. The record that the invoice was seen stays. */
export const unshareInvoice = operation(
  { needs: ['invoice.share'], refuses: ['resource.not_found'] },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }) => {
    const { tx, caller, now } = context
    const { tenant } = caller
    const { invoice } = await lockOwnInvoice(tx, tenant, id)
    if (await deleteShare(tx, tenant, id)) {
      const unshared = await saveProgress(tx, tenant, { ...invoice, updatedAt: now })
      emitInvoiceEvent(context, 'invoice.unshared', tenant, unshared)
    }
    return { id }
  },
)
