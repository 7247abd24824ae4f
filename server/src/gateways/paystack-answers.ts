import Type, { type Static } from 'typebox'
import { envelopeReader, Maybe, Minor, Perhaps, reader } from './provider-answers.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

const Transaction = Type.Object({
  id: Id,
  domain: Type.Enum(['test', 'live']),
  status: Type.String(),
  reference: Type.String(),
  amount: Minor,
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  // Empty until a payment is attempted.
  authorization: Perhaps(
    Type.Object({ authorization_code: Perhaps(Type.String()), reusable: Perhaps(Type.Boolean()) }),
  ),
  customer: Perhaps(Type.Object({ email: Perhaps(Type.String()) })),
})
export type Transaction = Static<typeof Transaction>

/** Lists give the id of the transaction, other answers the whole object. */
const Transacted = Type.Union([Id, Type.Object({ id: Id })])

const Refund = Type.Object({
  transaction: Transacted,
  amount: Minor,
  status: Type.String(),
  merchant_note: Perhaps(Type.String()),
})
export type Refund = Static<typeof Refund>

const Dispute = Type.Object({
  transaction: Transacted,
  status: Type.String(),
  resolution: Perhaps(Type.String()),
})
export type Dispute = Static<typeof Dispute>

const read = <S extends Type.TSchema>(schema: S) => reader('Paystack', schema)

export const readTransaction = read(Transaction)
export const readRefunds = read(Type.Array(Refund))
export const readDisputes = read(Type.Array(Dispute))
export const readStarted = read(Type.Object({ authorization_url: Type.String(), reference: Type.String() }))
export const readCharged = read(Type.Object({ reference: Type.String() }))
export const readAnything = read(Type.Object({}))

export const readYes = envelopeReader(
  'Paystack',
  Type.Object({ status: Type.Literal(true), data: Type.Optional(Type.Unknown()), meta: Type.Optional(Type.Unknown()) }),
)
export const readNo = read(
  Type.Object({ status: Type.Literal(false), message: Type.String(), code: Perhaps(Type.String()) }),
)

/** Our own format for a saved card: a code works only with the email address that it was issued for. */
const Card = Type.Object({ code: Type.String({ minLength: 1 }), email: Type.String({ minLength: 1 }) })
export const readCard = read(Card)

const Named = Perhaps(Type.Unknown())
export const readEvent = read(
  Type.Object({
    event: Type.String({ minLength: 1 }),
    data: Maybe(
      Type.Object({
        reference: Named,
        transaction_reference: Named,
        transaction: Named,
        channel: Named,
        customer: Named,
      }),
    ),
  }),
)

/** Paystack's channel name for transfers into dedicated accounts. */
export const transferChannel = 'dedicated_nuban'

const ListedBank = Type.Object({
  id: Id,
  name: Type.String(),
  slug: Type.String(),
  code: Type.String(),
  nip_sort_code: Perhaps(Type.String()),
})
export type ListedBank = Static<typeof ListedBank>
export const readBanks = read(Type.Array(ListedBank))
export const readCursor = read(Maybe(Type.Object({ next: Perhaps(Type.String()) })))
export const readPages = read(Type.Object({ pageCount: Perhaps(Type.Integer({ minimum: 0, maximum: 1_000_000 })) }))
export const readResolved = read(Type.Object({ account_number: Type.String(), account_name: Type.String() }))
export const readCustomer = read(Type.Object({ customer_code: Type.String({ minLength: 1 }), id: Id }))
export const readOffers = read(Type.Array(Type.Object({ provider_slug: Type.String({ minLength: 1 }) })))

const AssignedAccount = Type.Object({
  id: Id,
  account_name: Type.String(),
  account_number: Type.String({ pattern: '^\\d{10}$' }),
  active: Type.Boolean(),
  assigned: Perhaps(Type.Boolean()),
  bank: Type.Object({ id: Id, name: Type.String(), slug: Type.String() }),
})
export type AssignedAccount = Static<typeof AssignedAccount>
export const readAssigned = read(AssignedAccount)
export const readAllAssigned = read(Type.Array(AssignedAccount))

const CreditedPayment = Type.Object({
  id: Id,
  status: Type.String(),
  reference: Type.String({ minLength: 1, maxLength: 200 }),
  amount: Minor,
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  channel: Perhaps(Type.String()),
  paid_at: Perhaps(Type.String()),
  authorization: Perhaps(Type.Object({ sender_name: Perhaps(Type.String()), narration: Perhaps(Type.String()) })),
  customer: Perhaps(Type.Object({ email: Perhaps(Type.String()) })),
})
export type CreditedPayment = Static<typeof CreditedPayment>
export const readCredited = read(CreditedPayment)
/** Entries are parsed one by one, so that a malformed one does not hide the others. */
export const readList = read(Type.Array(Type.Unknown()))
export const readGone = read(Type.Unknown())
