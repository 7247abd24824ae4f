import Type, { type Static } from 'typebox'
import { Maybe, Minor, Perhaps, reader } from './provider-answers.ts'

// The library's types follow Stripe's documentation, but the library passes on whatever arrived. So the fields that we
// read are validated here.
const Currency = Type.String({ pattern: '^[a-z]{3}$' })
const Id = Type.String({ minLength: 1 })
const Metadata = Perhaps(Type.Object({ reference: Type.Optional(Type.String()) }))
/** Stripe expands an object where asked, and gives its id otherwise. */
const IdOrWhole = Perhaps(Type.Union([Id, Type.Object({ id: Id })]))

const Charge = Type.Object({ id: Id, amount_refunded: Minor, disputed: Type.Boolean() })

const Intent = Type.Object({
  id: Id,
  object: Type.Literal('payment_intent'),
  amount: Minor,
  currency: Currency,
  livemode: Type.Boolean(),
  status: Type.String(),
  last_payment_error: Perhaps(Type.Object({})),
  latest_charge: Maybe(Charge),
  metadata: Metadata,
  customer: IdOrWhole,
  payment_method: IdOrWhole,
})
export type Intent = Static<typeof Intent>

const Session = Type.Object({
  id: Id,
  object: Type.Literal('checkout.session'),
  status: Maybe(Type.Enum(['open', 'complete', 'expired'])),
  payment_status: Type.Enum(['paid', 'unpaid', 'no_payment_required']),
  // Null for sessions without an amount, which other users of the Stripe account may create.
  amount_total: Maybe(Minor),
  currency: Maybe(Currency),
  livemode: Type.Boolean(),
  client_reference_id: Perhaps(Type.String()),
  metadata: Metadata,
  customer: IdOrWhole,
  // Null until a card was tried.
  payment_intent: Maybe(Intent),
})
export type Session = Static<typeof Session>

const Started = Type.Object({
  id: Type.String({ pattern: '^cs_' }),
  object: Type.Literal('checkout.session'),
  client_reference_id: Type.String(),
  url: Type.String(),
})
const Charged = Type.Object({
  id: Type.String({ pattern: '^pi_' }),
  metadata: Type.Object({ reference: Type.String() }),
})
const Disputes = Type.Object({
  data: Type.Array(Type.Object({ payment_intent: IdOrWhole, status: Type.String() })),
  has_more: Type.Boolean(),
})
const Event = Type.Object({
  id: Id,
  object: Type.Literal('event'),
  type: Id,
  data: Type.Object({ object: Type.Object({ id: Perhaps(Id), payment_intent: IdOrWhole }) }),
})

const read = <S extends Type.TSchema>(schema: S) => reader('Stripe', schema)

export const readSession = read(Session)
export const readIntent = read(Intent)
export const readStarted = read(Started)
export const readEnded = read(Type.Object({ object: Type.Literal('checkout.session') }))
export const readCharged = read(Charged)
export const readDisputes = read(Disputes)
export const readSessionIds = read(Type.Object({ data: Type.Array(Type.Object({ id: Id })) }))
export const readFoundIntents = read(Type.Object({ data: Type.Array(Type.Object({ id: Id, status: Type.String() })) }))
export const readRefund = read(
  Type.Object({ object: Type.Literal('refund'), amount: Minor, status: Maybe(Type.String()) }),
)
export const readEvent = read(Event)

/** Our own format for a saved card. */
export const readCard = read(Type.Object({ customer: Id, paymentMethod: Id }))

export const idOf = (value: Static<typeof IdOrWhole> | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id
