import { randomBytes } from 'node:crypto'
import type { Caller, TokenCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import type { SealedPlace } from '../../../platform/secrets/secrets.ts'
import type { InvoiceId } from '../invoice.ts'
import { tellOfInvoice } from '../invoice-events.ts'
import { saveProgress } from '../invoices.store.ts'
import { lockOwnInvoice } from '../lock-invoice.ts'
import { deleteShare, findShare, hashOfToken, insertShare } from '../shares.store.ts'
import { canBeShown, further } from './send-invoice.ts'

export const shareTokenPlace = (id: string): SealedPlace => ({ table: 'invoice_shares', column: 'sealed_token', id })

/** Makes a link to a public page of the invoice; the same one again while it is shared. */
export const shareInvoice = operation(
  { needs: ['invoice.share'], refuses: ['resource.not_found', 'invoice.share.not_finalised'] },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }) => {
    const { tx, caller, now } = context
    const { tenant } = caller
    const { invoice } = await lockOwnInvoice(tx, tenant, id)
    if (!canBeShown(invoice)) throw refuse('invoice.share.not_finalised')
    const { isNew, ...link } = await findOrMakeLink(context, tenant, id)
    // One that a mail to the buyer made was not shared by anybody yet.
    if (!isNew && invoice.sharedAt) return { id, ...link }
    const shared = await saveProgress(tx, tenant, {
      ...invoice,
      sharedAt: invoice.sharedAt ?? now,
      delivery: further(invoice.delivery, 'shared_link'),
      updatedAt: now,
    })
    tellOfInvoice(context, 'invoice.shared', tenant, shared)
    return { id, ...link }
  },
)

type Making = Pick<Inside<Caller>, 'tx' | 'now' | 'vault' | 'settings'>

/** The invoice is locked, so that it has one link however many ask for it. */
async function findOrMakeLink({ tx, now, vault, settings }: Making, tenant: Tenant, id: InvoiceId) {
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

/** The link that a mail to the buyer carries; nothing where the invoice may not be shown any more. Unsharing ends it like any other. */
export async function linkForBuyer(context: Making, tenant: Tenant, id: InvoiceId): Promise<string | undefined> {
  const { invoice } = await lockOwnInvoice(context.tx, tenant, id)
  return canBeShown(invoice) ? (await findOrMakeLink(context, tenant, id)).url : undefined
}

/** Ends the link. That the invoice was seen stays known. */
export const unshareInvoice = operation(
  { needs: ['invoice.share'], refuses: ['resource.not_found'] },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }) => {
    const { tx, caller, now } = context
    const { tenant } = caller
    const { invoice } = await lockOwnInvoice(tx, tenant, id)
    if (await deleteShare(tx, tenant, id)) {
      const unshared = await saveProgress(tx, tenant, { ...invoice, updatedAt: now })
      tellOfInvoice(context, 'invoice.unshared', tenant, unshared)
    }
    return { id }
  },
)
