import { type Journal, openJournal, type RecordPosition } from '../shared/journal.ts'
import { tinOf } from './derived.ts'
import type { Entry, ListName } from './resources/lists.ts'
import type { Fields } from './routes.ts'

/** A taxpayer that a caller has read. All other details follow from the id. */
export interface KnownEntity {
  readonly id: string
  readonly createdAt: string
}

export const paymentStatuses = ['PENDING', 'PARTIAL', 'PAID', 'REJECTED'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** One update of a document's payment status. */
export interface PaymentUpdate {
  readonly status: PaymentStatus
  /** of a part, in naira */
  readonly amount: number | null
}

const mostPayments = 100

/** A document that was signed. Its text stands in the journal. */
export interface SignedDocument {
  readonly irn: string
  readonly businessId: string
  readonly issueDate: string
  readonly dueDate: string | undefined
  readonly typeCode: string
  readonly currency: string
  readonly supplierTin: string
  readonly customerTin: string | undefined
  /** when it was registered, in milliseconds */
  readonly at: number
  paymentStatus: PaymentStatus
  /** payment updates after the document itself, oldest first; only the latest are kept */
  readonly payments: PaymentUpdate[]
  transmitted: boolean
  delivered: boolean
  /** number of registrations; more than one only if duplicates are accepted */
  accepted: number
  /** number of refused duplicates */
  repeated: number
  readonly place: RecordPosition
}

/** The journal's records, one for each change. */
type JournalEntry =
  | ({ readonly what: 'entity' } & KnownEntity)
  | { readonly what: 'list'; readonly name: ListName; readonly entries: readonly Entry[] }
  | { readonly what: 'service'; readonly serviceId: string; readonly businessId: string }
  | { readonly what: 'signed'; readonly at: number; readonly document: Fields }
  | { readonly what: 'accepted' | 'repeated' | 'transmitted' | 'delivered'; readonly irn: string }
  | { readonly what: 'paid'; readonly irn: string; readonly status: PaymentStatus; readonly amount?: number }
  | { readonly what: 'receiver'; readonly tin: string }
  | { readonly what: 'key'; readonly privateKeyPem: string }
  | { readonly what: 'callbacks'; readonly url: string | null }

/** The whole state of the authority. */
export class Records {
  /** by id, in the order in which they were first asked for */
  readonly entities = new Map<string, KnownEntity>()
  /** those that were replaced */
  readonly lists: Partial<Record<ListName, readonly Entry[]>> = {}
  /** tax numbers of the businesses that use us as their access point */
  readonly ownTins = new Set<string>()
  /** the owner of each service id: its first user */
  readonly services = new Map<string, string>()
  readonly signed = new Map<string, SignedDocument>()
  /** documents in transit, by the receiver's TIN, oldest first */
  readonly inTransit = new Map<string, SignedDocument[]>()
  isClosed = false
  privateKeyPem: string | undefined
  callbackUrl: string | undefined
  readonly #journal: Journal

  constructor(file: string | undefined) {
    this.#journal = openJournal(file, (record, place) => this.#apply(record as JournalEntry, place))
  }

  note(happened: JournalEntry): void {
    this.#apply(happened, this.#journal.append(happened))
  }

  documentOf({ place }: SignedDocument): Fields {
    return (this.#journal.read(place) as { document: Fields }).document
  }

  close(): void {
    this.isClosed = true
    this.#journal.close()
  }

  #apply(happened: JournalEntry, place: RecordPosition): void {
    switch (happened.what) {
      case 'entity':
        this.entities.set(happened.id, { id: happened.id, createdAt: happened.createdAt })
        this.ownTins.add(tinOf(happened.id))
        break
      case 'receiver':
        this.ownTins.add(happened.tin)
        break
      case 'list':
        this.lists[happened.name] = happened.entries
        break
      case 'service':
        this.services.set(happened.serviceId, happened.businessId)
        break
      case 'signed':
        this.#sign(happened.document, happened.at, place)
        break
      case 'key':
        this.privateKeyPem = happened.privateKeyPem
        break
      case 'callbacks':
        this.callbackUrl = happened.url ?? undefined
        break
      default:
        this.#move(happened)
    }
  }

  #sign(document: Fields, at: number, place: RecordPosition): void {
    const text = (name: string): string => String(document[name] ?? '')
    const tinOf = (party: unknown): string => String((party as Fields | undefined)?.tin ?? '')
    const irn = text('irn')
    this.signed.set(irn, {
      irn,
      businessId: text('business_id'),
      issueDate: text('issue_date'),
      dueDate: text('due_date') || undefined,
      typeCode: text('invoice_type_code'),
      currency: text('document_currency_code'),
      supplierTin: tinOf(document.accounting_supplier_party),
      customerTin: tinOf(document.accounting_customer_party) || undefined,
      at,
      paymentStatus: paymentStatuses.find((status) => status === document.payment_status) ?? 'PENDING',
      payments: [],
      transmitted: false,
      delivered: false,
      accepted: 1,
      repeated: 0,
      place,
    })
  }

  #move(happened: Extract<JournalEntry, { irn: string }>): void {
    const signed = this.signed.get(happened.irn)
    if (signed === undefined) return
    if (happened.what === 'accepted') signed.accepted++
    else if (happened.what === 'repeated') signed.repeated++
    else if (happened.what === 'delivered') signed.delivered = true
    else if (happened.what === 'paid') {
      const { status, amount = null } = happened
      signed.paymentStatus = status
      signed.payments.push({ status, amount })
      if (signed.payments.length > mostPayments) signed.payments.shift()
    } else if (!signed.transmitted) {
      signed.transmitted = true
      const { customerTin = '' } = signed
      const waiting = this.inTransit.get(customerTin)
      if (waiting) waiting.push(signed)
      else this.inTransit.set(customerTin, [signed])
    }
  }
}

/** What every group of routes works with. */
export interface Authority {
  readonly records: Records
  now(): Date
}
