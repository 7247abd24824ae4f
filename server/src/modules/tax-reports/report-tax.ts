import type { DoneAnswer, Jurisdiction } from '../../jurisdictions/port.ts'
import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { type Fault, invalid, type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../platform/operations/operation.ts'
import { type InvoiceId, readDocument } from '../invoices/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { type Connection, credentialsOf, isConnected, lockConnectionShared } from '../tax-connection/index.ts'
import type { OwnTaxReport, TaxReportId } from './tax-report.ts'
import { findTaxReport, insertTaxReport, saveTaxReportEnded } from './tax-reports.store.ts'

export interface TaxReportInput {
  readonly invoiceId: InvoiceId
  /** the authority reference of the invoice, or its number */
  readonly reference: string
  readonly sellerTaxId: string
  readonly buyerTaxId: string
  readonly description: string | null
  readonly currency: string
  readonly reportDate: string
  readonly baseMinor: bigint
  readonly taxMinor: bigint
  readonly otherTaxesMinor: bigint
  readonly totalMinor: bigint
  readonly rate: string
}

interface ReportIntent extends Tenant {
  readonly country: string
  readonly keys: Pick<Connection, 'id' | 'sealedCredentials'>
  readonly serviceId: string
  readonly reportId: TaxReportId
}

const wrong = (path: string, rule: string, message: string): Fault => ({ path, rule, message })

/**
 * What a declaration is compared with: the references of the invoice and the tax numbers of its seller; `undefined`
 * allows any.
 */
interface KnownInvoice {
  readonly names: readonly string[]
  readonly sellers: readonly (string | null | undefined)[] | undefined
}

function faultsOf({ taxIds }: Jurisdiction, input: TaxReportInput, { names, sellers }: KnownInvoice): Fault[] {
  const { reference, sellerTaxId, buyerTaxId, baseMinor, taxMinor, otherTaxesMinor, totalMinor } = input
  const isNational = (text: string) => taxIds.normalise('national', text) !== undefined
  const notNational = (path: string) => wrong(path, 'tax-id', 'is not a valid tax number')
  return [
    ...(names.includes(reference.trim().toUpperCase())
      ? []
      : [wrong('reference', 'reference', `must be the reference of this invoice: ${names[0]}`)]),
    ...(isNational(sellerTaxId) ? [] : [notNational('sellerTaxId')]),
    ...(isNational(sellerTaxId) && sellers && !sellers.includes(taxIds.normalise('national', sellerTaxId))
      ? [wrong('sellerTaxId', 'own', 'must be the tax number of the seller on this invoice')]
      : []),
    ...(isNational(buyerTaxId) ? [] : [notNational('buyerTaxId')]),
    ...(baseMinor + taxMinor + otherTaxesMinor === totalMinor
      ? []
      : [wrong('totalMinor', 'sum', 'must be the sum of the taxed amount and all taxes')]),
  ]
}

/**
 * Declares the tax on an invoice to the authority. The declaration is stored before it is sent, and its outcome
 * afterwards.
 */
export const reportTax = exchange(
  {
    needs: ['invoice.submit'],
    refuses: [
      'resource.not_found',
      'authority.not_connected',
      'tax_report.draft',
      'tax_report.refused',
      'authority.unavailable',
      'jurisdiction.unsupported',
      'request.invalid',
    ],
  },
  {
    name: 'report-tax',
    deadlineMs: 15_000,
    intend: async (context: Inside<TokenCaller>, input: TaxReportInput): Promise<ReportIntent> => {
      const { tx, caller, ports, now } = context
      const { tenant } = caller
      const jurisdiction = jurisdictionOf(ports, caller)
      const found = await readDocument(tx, tenant, input.invoiceId)
      if (!found) throw refuse('resource.not_found')
      const connection = await lockConnectionShared(tx, tenant)
      if (!isConnected(connection)) throw refuse('authority.not_connected')
      if (found.invoice.status === 'draft') throw refuse('tax_report.draft')
      const { reporting, taxIds, country } = jurisdiction
      const reference = found.invoice.authorityReference ?? reporting.referenceOf(found.document, connection)
      // The sandbox allows any seller; in live mode a tenant declares only in its own name.
      const sellers =
        tenant.mode === 'live'
          ? [connection.taxIdNormal, taxIds.normalise('national', found.document.seller?.taxId ?? '')]
          : undefined
      const names = [reference, found.invoice.number.toUpperCase()]
      const faults = faultsOf(jurisdiction, input, { names, sellers })
      if (faults.length > 0) throw invalid(faults)
      const id: TaxReportId = newId()
      await insertTaxReport(tx, tenant, {
        ...input,
        id,
        reference,
        sellerTaxId: taxIds.normalise('national', input.sellerTaxId) as string,
        buyerTaxId: taxIds.normalise('national', input.buyerTaxId) as string,
        description: input.description ?? `Invoice ${found.invoice.number}`,
        status: 'asked',
        createdAt: now,
        endedAt: null,
      })
      const { sealedCredentials, serviceId } = connection
      return { ...tenant, country, keys: { id: connection.id, sealedCredentials }, serviceId, reportId: id }
    },
    call: async (
      { db, ports, vault, signal }: Outside<Caller> & { signal: AbortSignal },
      { organisationId, mode, country, keys, serviceId, reportId }: ReportIntent,
    ): Promise<DoneAnswer | undefined> => {
      const report = await findTaxReport(db, { organisationId, mode }, reportId)
      if (!report) return undefined
      const authority = ports.jurisdictions.authority(country, mode, credentialsOf(vault, keys))
      if (authority && !authority.reportTax)
        return { kind: 'refused', messages: ['The tax authority of this country takes no tax reports.'] }
      return await authority?.reportTax?.({ ...report, date: report.reportDate }, serviceId, signal)
    },
    inquire: { none: 'the authority does not tell what became of a report' },
    settle: async (
      { tx, ports, now }: Inside<Caller>,
      { organisationId, mode, country, reportId }: ReportIntent,
      outcome: CallOutcome<DoneAnswer | undefined>,
    ): Promise<OwnTaxReport | Refusal> => {
      const answer = outcome.kind === 'answered' ? outcome.answer : undefined
      const status = answer?.kind === 'done' ? 'reported' : answer?.kind === 'refused' ? 'refused' : 'unknown'
      const ended = await saveTaxReportEnded(tx, { organisationId, mode }, reportId, status, now)
      if (ended?.status === 'reported') return ended
      if (answer?.kind !== 'refused') return refuse('authority.unavailable', { retryAfterSeconds: 30 })
      const [text = ''] = answer.messages
      const explained = ports.jurisdictions.of(country)?.reporting.explain(text).fault.message ?? text
      return refuse('tax_report.refused', explained === '' ? {} : { message: explained })
    },
  },
)
