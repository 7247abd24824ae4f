import type { TokenCaller } from '../../../kernel/callers.ts'
import { businessDay } from '../../../kernel/days.ts'
import { type Fault, refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { findBuyer } from '../../buyers/index.ts'
import { exchangeRates } from '../../exchange-rates/index.ts'
import { jurisdictionOf, listsInForce } from '../../reference/index.ts'
import { findSeller } from '../../sellers/index.ts'
import { buyerParty, documentOf, sellerParty } from '../document.ts'
import type { Invoice } from '../invoice.ts'
import { isNumberTaken } from '../numbers.store.ts'
import { seriesOf } from '../numbers.ts'
import { completeDraft } from './complete-draft.ts'
import type { DraftInput } from './draft.ts'
import { foreignTaxOf } from './home-tax.ts'
import { adviceOnLetters } from './letters-advice.ts'
import { planInvoice } from './plan-invoice.ts'

export interface ReadinessReport {
  /** the draft as it would be saved */
  readonly invoice: Invoice
  /** everything that the authority would refuse, and an exchange rate that makes the document too large */
  readonly problems: readonly Fault[]
  /** further rules of the law, likely slips, and letters that cannot be drawn */
  readonly advice: readonly Fault[]
}

/**
 * Returns what a draft would become, without saving or charging. A draft that could not be saved gets the same
 * refusal.
 */
export const validateInvoice = reading(
  {
    needs: ['invoice.validate'],
    refuses: [
      'request.invalid',
      'jurisdiction.unsupported',
      'invoice.number_taken',
      'invoice.seller_unknown',
      'invoice.buyer_unknown',
      'invoice.buyer_archived',
      'invoice.item_unknown',
      'invoice.item_archived',
      'invoice.original_unknown',
      'invoice.note.not_possible',
      'invoice.note.too_much',
    ],
  },
  async (context: Outside<TokenCaller>, input: DraftInput): Promise<ReadinessReport> => {
    const { db, caller, ports, now } = context
    const { tenant } = caller
    const jurisdiction = jurisdictionOf(ports, caller)
    const plan = await planInvoice(context, input)
    const { number } = plan
    const { invoice: unnumbered, original } = await completeDraft(context, plan)
    if (number !== undefined && (await isNumberTaken(db, tenant, number))) throw refuse('invoice.number_taken')
    const invoice: Invoice = { ...unnumbered, number: number ?? '' }
    // The next number is not known yet, so any number of the series stands in for it.
    const named = { ...invoice, number: number ?? `${seriesOf[invoice.type]}1` }
    const { buyerId, sellerId } = invoice
    const buyer = buyerId === null ? undefined : await findBuyer(db, tenant, buyerId)
    const seller = sellerId === null ? undefined : await findSeller(db, tenant, sellerId)
    const document = documentOf(
      named,
      tenant.mode,
      { seller: seller ? sellerParty(seller) : null, buyer: buyer ? buyerParty(buyer) : null },
      original,
    )
    const isForeign = invoice.currency !== jurisdiction.currency
    const fromTable = isForeign
      ? await exchangeRates.findRate(db, tenant, { currency: invoice.currency, day: invoice.issueDate })
      : null
    const foreign = foreignTaxOf(invoice, { original, fromTable }, jurisdiction.currency)
    const lists = listsInForce(ports.codeLists, jurisdiction.country)
    const today = businessDay(now, jurisdiction.zone)
    const problems = [
      ...jurisdiction.readinessOf(document, lists, { today, buyerTaxIdStatus: buyer?.taxIdStatus }),
      ...foreign.faults,
    ]
    const advice = [
      ...jurisdiction.adviceOn(document, lists, { today }),
      ...adviceOnLetters(document, ports.undrawable),
      ...foreign.advice,
    ]
    return { invoice: { ...invoice, homeTax: foreign.homeTax }, problems, advice }
  },
)
