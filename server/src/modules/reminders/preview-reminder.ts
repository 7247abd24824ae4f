import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import type { Language } from '../../kernel/languages/languages.ts'
import { wordingOf } from '../../kernel/languages/wording.ts'
import { invalid } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { findBuyer } from '../buyers/index.ts'
import { getOwnInvoice, type Invoice, type InvoiceId } from '../invoices/index.ts'
import { findOrganisation, letterheads } from '../organisations/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { isListed, reminderMail, sampleInvoice, shownInvoice } from './reminder-mail.ts'
import { placeholderFaults } from './save-plan.ts'

export interface AskedPreview {
  /** our own words if both are absent */
  readonly subject?: string | undefined
  readonly body?: string | undefined
  /** that of the buyer if absent */
  readonly language?: Language | undefined
  /** a made-up invoice if empty */
  readonly invoiceIds: readonly InvoiceId[]
  /** of the made-up invoice */
  readonly stepDays: number
}

export interface PreviewedMail {
  readonly language: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

function templateOf({ subject, body }: AskedPreview) {
  if (subject === undefined && body === undefined) return undefined
  if (subject === undefined || body === undefined)
    throw invalid([
      {
        path: subject === undefined ? 'subject' : 'body',
        rule: 'required',
        message: 'must be sent too; leave out both for our own words',
      },
    ])
  const faults = [...placeholderFaults('subject', subject), ...placeholderFaults('body', body)]
  if (faults.length > 0) throw invalid(faults)
  return { subject, body }
}

/** A mail as a buyer would get it. Nothing is sent, and its links lead nowhere. */
export const previewReminder = reading(
  {
    needs: ['invoice.read', 'buyer.read'],
    refuses: ['resource.not_found', 'request.invalid', 'jurisdiction.unsupported'],
  },
  async (context: Outside<TokenCaller>, asked: AskedPreview): Promise<PreviewedMail> => {
    const { db, caller, ports, now, settings } = context
    const { tenant } = caller
    const { zone, currency } = jurisdictionOf(ports, caller)
    const template = templateOf(asked)
    const invoices: Invoice[] = []
    for (const id of asked.invoiceIds) invoices.push(await getOwnInvoice(db, tenant, id))
    invoices.sort((one, other) => ((one.dueDate ?? '') < (other.dueDate ?? '') ? -1 : 1))
    const oldest = invoices[0]
    const buyer = oldest?.buyerId ? await findBuyer(db, tenant, oldest.buyerId) : undefined
    const wording = wordingOf(asked.language ?? buyer?.language)
    const today = businessDay(now, zone)
    const own = (await findOrganisation(db, tenant.organisationId))?.name ?? wording.say('mail.unnamed_seller')
    const link = new URL('/s/preview', settings.dashboardUrl).href
    const sample = { ...sampleInvoice(currency, own, today, asked.stepDays), link }
    const [first = sample, ...others] = invoices.map((invoice, nth) =>
      shownInvoice(invoice, { unnamedSeller: own, link: isListed(nth) ? link : undefined, today }),
    )
    const { language, subject, text, html } = reminderMail({
      mode: tenant.mode,
      invoices: [first, ...others],
      seller: oldest?.sellerCopy ?? { name: own, email: null },
      buyer: buyer?.name ?? oldest?.buyerCopy?.name ?? wording.say('mail.unnamed_buyer'),
      // A picture in a mail is an attachment, which a preview does not have.
      letterhead: { ...(await letterheads.findLetterhead(db, tenant.organisationId)), logo: null },
      template,
      wording,
      today,
    })
    return { language, subject, text, html }
  },
)
