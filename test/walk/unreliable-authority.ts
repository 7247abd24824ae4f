import type { Authority, ReportingAuthority, UnclearAnswer } from '../../server/src/jurisdictions/port.ts'

/** How one request to the authority ends. */
export type Course =
  | 'well'
  /** rejected, and not registered */
  | 'refused'
  /** carried out, and the reply is lost */
  | 'reply_lost'
  /** not carried out, and answered with a server error */
  | 'server_error'
  /** no connection, so nothing is sent */
  | 'not_sent'

export type Request = 'sign' | 'lookup' | 'transmit' | 'updatePaymentStatus'

export interface UnreliableAuthority {
  /** puts the failures between our client and the simulator, which itself works normally */
  through(authority: Authority): Authority
  /** decides how the next request ends */
  course: (request: Request, reference: string) => Course
  /** documents whose last request was rejected and not registered */
  readonly refused: Set<string>
}

const unclear = (reason: UnclearAnswer['reason']): UnclearAnswer => ({
  kind: 'unclear',
  reason,
  why: `the authority: ${reason}`,
  messages: [],
  countsAgainstHealth: false,
})
const notSent = { kind: 'not_sent', why: 'no connection', countsAgainstHealth: false } as const
const refusalText = 'invoicerequest.invoice.invoice_line.item.description is required'
const referenceIn = (bytes: Buffer): string => (JSON.parse(bytes.toString()) as { irn: string }).irn

/** The real client and the real simulator, with a connection between them that fails on demand. */
export function unreliableAuthority(): UnreliableAuthority {
  const refused = new Set<string>()
  const troubled: UnreliableAuthority = {
    refused,
    course: () => 'well',
    through(authority) {
      const sign: ReportingAuthority['sign'] = async (bytes, signal) => {
        const reference = referenceIn(bytes)
        const course = troubled.course('sign', reference)
        if (course === 'refused') {
          refused.add(reference)
          return { kind: 'refused', messages: [refusalText] }
        }
        if (course === 'not_sent') return notSent
        if (course === 'server_error') return unclear('server_error')
        const answer = await authority.sign(bytes, signal)
        return course === 'reply_lost' ? unclear('no_answer') : answer
      }
      const lookup: ReportingAuthority['lookup'] = async (reference, signal) =>
        troubled.course('lookup', reference) === 'well'
          ? await authority.lookup(reference, signal)
          : unclear('server_error')
      const transmit: Required<ReportingAuthority>['transmit'] = async (reference, signal) => {
        const course = troubled.course('transmit', reference)
        if (course === 'not_sent') return notSent
        if (course === 'server_error') return unclear('server_error')
        const answer = (await authority.transmit?.(reference, signal)) ?? notSent
        return course === 'reply_lost' ? unclear('no_answer') : answer
      }
      const updatePaymentStatus: Required<ReportingAuthority>['updatePaymentStatus'] = async (
        reference,
        payment,
        signal,
      ) => {
        const course = troubled.course('updatePaymentStatus', reference)
        if (course === 'server_error') return unclear('server_error')
        const answer = (await authority.updatePaymentStatus?.(reference, payment, signal)) ?? notSent
        return course === 'reply_lost' ? unclear('no_answer') : answer
      }
      return { ...authority, sign, lookup, transmit, updatePaymentStatus, isHealthy: async () => true }
    },
  }
  return troubled
}
