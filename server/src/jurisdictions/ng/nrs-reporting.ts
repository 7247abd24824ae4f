import { spelled } from '../../kernel/decimal.ts'
import type { LookupAnswer, RefusedAnswer, ReportingAuthority, TaxReport } from '../port.ts'
import { exactJson, money } from './exact-json.ts'
import { isIrn, issueDateIn } from './irn.ts'
import {
  readConfirmation,
  readExchange,
  readMentioned,
  readOk,
  readPulled,
  refusedAnswerIn,
  saysUnknownDocument,
} from './nrs-answers.ts'
import type { Answer, NrsCalls } from './nrs-calls.ts'
import { decrypted } from './nrs-decryption.ts'
import { paymentStatusIn, paymentWords } from './payment-words.ts'
import { asAuthorityWrites, taxIds } from './tax-ids.ts'
import { learnt, notProtocol, settled, unclear } from './unanswered.ts'

const base = '/api/v1/invoice'
const at = (route: string, reference: string): string => `${base}/${route}/${encodeURIComponent(reference)}`
/** A document of 500 lines, encrypted and in base64, with a margin. */
const mostDocumentBytes = 4 * 1024 * 1024
const mostPulledBytes = 2 * 1024 * 1024

/** Documents at the authority. An answer counts only if it has the documented form. */
export function nrsReporting(calls: NrsCalls): Required<ReportingAuthority> {
  return {
    validateReference: ({ reference, businessId, documentNumber }, signal) => {
      const invoice_reference = documentNumber ?? reference.split('-')[0]
      const body = { invoice_reference, business_id: businessId, irn: reference }
      return learnt(calls.ask({ path: `${base}/irn/validate`, body }, signal).then(okayed('valid', () => reference)))
    },

    validate: (bytes, signal) =>
      learnt(
        calls.ask({ path: `${base}/validate`, body: bytes }, signal).then(okayed('valid', () => referenceIn(bytes))),
      ),

    // With a kept connection, nobody could tell whether the request left.
    sign: (bytes, signal) =>
      settled(
        calls
          .ask({ path: `${base}/sign`, body: bytes, fresh: true }, signal)
          .then(okayed('signed', () => referenceIn(bytes))),
      ),

    lookup: (reference, signal) =>
      learnt(calls.ask({ path: at('confirm', reference) }, signal).then((answer) => lookupAnswerIn(answer, reference))),

    transmit: (reference, signal) =>
      settled(
        calls
          .ask({ method: 'POST', path: at('transmit', reference) }, signal)
          .then(okayed('transmitted', () => reference)),
      ),

    lookupExchange: (reference, signal) =>
      learnt(
        calls.ask({ path: at('transmit/lookup', reference) }, signal).then((answer) => {
          if ('refused' in answer) return absentIn(answer)
          const { irn, parties } = readExchange(answer.data)
          mustBeAbout(reference, irn)
          return {
            kind: 'found' as const,
            parties: (parties ?? []).map(({ tin, acknowledged }) => ({
              taxId: taxIds.normalise('national', tin) ?? tin,
              acknowledged: acknowledged ?? false,
            })),
          }
        }),
      ),

    download: (reference, signal) =>
      learnt(
        calls.ask({ path: at('download', reference), mostBytes: mostDocumentBytes }, signal).then((answer) => {
          if ('refused' in answer) return absentIn(answer)
          const bytes = decrypted(answer.data, calls.credentials.apiKey)
          mustBeAbout(reference, readMentioned(parsed(bytes)).irn)
          return { kind: 'downloaded' as const, bytes }
        }),
      ),

    updatePaymentStatus: (reference, { status, paidMinor, note }, signal) => {
      const text = exactJson({
        payment_status: paymentWords[status],
        reference: note,
        amount: status === 'partial' && paidMinor !== undefined ? money(paidMinor) : undefined,
      })
      const asked = { method: 'PATCH', path: at('update', reference), body: Buffer.from(text) } as const
      return settled(calls.ask(asked, signal).then(okayed('done', () => reference)))
    },

    pull: ({ from, to, acknowledged = false }, signal) => {
      const query = new URLSearchParams({ confirmed: String(acknowledged), from, to })
      const asked = { path: `${base}/transmit/pull?${query}`, mostBytes: mostPulledBytes }
      return learnt(calls.ask(asked, signal).then(pulledIn))
    },

    acknowledge: (reference, signal) => {
      const asked = { method: 'PATCH', path: at('transmit', reference), body: { message: 'ACKNOWLEDGED' } } as const
      return settled(calls.ask(asked, signal).then(okayed('done', () => reference)))
    },

    reportTax: (report, serviceId, signal) => {
      const asked = { path: '/api/v1/vat/postpayment', body: taxReportBody(report, serviceId) }
      return settled(calls.ask(asked, signal).then(taken))
    },

    testNotification: (signal) =>
      settled(calls.ask({ path: `${base}/transmit/self-health-check` }, signal).then(taken)),
  }
}

/** Yes is exactly `{"ok":true}`; it may name the document, and then it must be ours. */
const okayed =
  <Kind extends string>(kind: Kind, reference: () => string | undefined) =>
  (answer: Answer): { readonly kind: Kind } | RefusedAnswer => {
    if ('refused' in answer) return refusedAnswerIn(answer)
    const { irn } = readOk(answer.data)
    if (irn !== undefined && irn !== null) mustBeAbout(reference() ?? '', irn)
    return { kind }
  }

/** The rest of the answer is undocumented and ignored. */
const taken = (answer: Answer): { readonly kind: 'done' } | RefusedAnswer =>
  'refused' in answer ? refusedAnswerIn(answer) : { kind: 'done' }

function absentIn(answer: Extract<Answer, { refused: unknown }>): { readonly kind: 'absent' } {
  if (saysUnknownDocument(answer)) return { kind: 'absent' }
  const [first = ''] = answer.texts
  throw unclear('ambiguous', 'the authority refuses to look it up', [first])
}

function lookupAnswerIn(answer: Answer, reference: string): LookupAnswer {
  if ('refused' in answer) return absentIn(answer)
  const { irn, issue_date, sync_date, payment_status, transmitted, delivered } = readConfirmation(answer.data)
  if (irn !== undefined && irn !== null) mustBeAbout(reference, irn)
  // The day of issue is part of the reference.
  if (issue_date.slice(0, 10) !== issueDateIn(reference))
    throw unclear('other_document', 'the authority answered about another document')
  return {
    kind: 'found',
    transmitted: transmitted ?? false,
    delivered: delivered ?? false,
    paymentStatus: paymentStatusIn(payment_status),
    registeredOn: sync_date?.slice(0, 10),
  }
}

function pulledIn(answer: Answer) {
  if ('refused' in answer) throw unclear('ambiguous', 'the authority refuses to list what it has', answer.texts)
  const invoices = readPulled(answer.data).invoices ?? []
  const references = invoices.map((invoice) => readMentioned(invoice).irn)
  return { kind: 'pulled' as const, references: [...new Set(references.filter(isIrn))] }
}

function mustBeAbout(reference: string, named: string): void {
  if (named.toUpperCase() !== reference.toUpperCase())
    throw unclear('other_document', 'the authority answered about another document')
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw notProtocol('the authority sent a document that cannot be opened')
  }
}

function referenceIn(bytes: Buffer): string | undefined {
  try {
    return readMentioned(JSON.parse(bytes.toString())).irn
  } catch {
    return undefined
  }
}

/** All values are texts, also amounts. */
function taxReportBody(report: TaxReport, serviceId: string): Record<string, string> {
  const amount = (minor: bigint): string => spelled(minor, 2)
  return {
    agent_tin: asAuthorityWrites(report.sellerTaxId),
    base_amount: amount(report.baseMinor),
    beneficiary_tin: asAuthorityWrites(report.buyerTaxId),
    currency: report.currency,
    item_description: report.description,
    irn: report.reference,
    other_taxes: amount(report.otherTaxesMinor),
    total_amount: amount(report.totalMinor),
    transaction_date: report.date,
    integrator_service_id: serviceId,
    vat_calculated: amount(report.taxMinor),
    vat_rate: report.rate,
    vat_status: vatStatusOf(report),
  }
}

const standardRate = /^7\.50*$/
const noRate = /^0+(\.0*)?$/

function vatStatusOf({ rate }: TaxReport): string {
  if (noRate.test(rate)) return 'ZERO_VAT'
  return standardRate.test(rate) ? 'STANDARD_VAT' : 'REDUCED_VAT'
}
