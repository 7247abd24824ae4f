import Type, { type Static } from 'typebox'
import { envelopeReader, Perhaps, reader, UnreadableAnswer } from './provider-answers.ts'

const read = <S extends Type.TSchema>(schema: S) => reader('Monnify', schema)

/** Naira with decimals: a number in some answers, text in others. */
const Naira = Type.Union([Type.Number(), Type.String()])
const Reference = Type.String({ minLength: 1, maxLength: 200 })

export const readToken = read(
  Type.Object({ accessToken: Type.String({ minLength: 1 }), expiresIn: Type.Number({ minimum: 0 }) }),
)

const Bank = Type.Object({ name: Type.String(), code: Type.String(), nipBankCode: Perhaps(Type.String()) })
export const readBanks = read(Type.Array(Bank))
export const readHolder = read(Type.Object({ accountNumber: Type.String(), accountName: Type.String() }))

const ReservedAccount = Type.Object({
  accountReference: Type.String(),
  accountName: Type.String(),
  status: Perhaps(Type.String()),
  // One entry per bank; older answers have a single account here.
  accounts: Perhaps(
    Type.Array(
      Type.Object({
        bankCode: Type.String(),
        bankName: Type.String(),
        accountNumber: Type.String(),
        accountName: Perhaps(Type.String()),
      }),
    ),
  ),
})
export type ReservedAccount = Static<typeof ReservedAccount>
export const readReserved = read(ReservedAccount)

const Transaction = Type.Object({
  transactionReference: Reference,
  amountPaid: Naira,
  paidOn: Perhaps(Type.String()),
  paymentStatus: Type.String(),
  paymentDescription: Perhaps(Type.String()),
  currency: Perhaps(Type.String()),
  currencyCode: Perhaps(Type.String()),
  product: Perhaps(Type.Object({ type: Perhaps(Type.String()), reference: Perhaps(Type.String()) })),
  accountDetails: Perhaps(Type.Object({ accountName: Perhaps(Type.String()) })),
})
export type Transaction = Static<typeof Transaction>
export const readTransaction = read(Transaction)

const ListedTransaction = Type.Object({
  transactionReference: Reference,
  amountPaid: Perhaps(Naira),
  amount: Perhaps(Naira),
  completedOn: Perhaps(Type.String()),
  createdOn: Perhaps(Type.String()),
  paymentStatus: Type.String(),
})
export type ListedTransaction = Static<typeof ListedTransaction>
export const readListed = read(ListedTransaction)
/** Entries are parsed one by one, so that a malformed one does not hide the others. */
export const readList = read(
  Type.Object({ content: Type.Array(Type.Unknown()), totalPages: Type.Integer({ minimum: 0, maximum: 1_000_000 }) }),
)

export const readRefund = read(Type.Object({ refundReference: Type.String(), refundStatus: Type.String() }))
export const readAnything = read(Type.Unknown())

export const readEnvelope = envelopeReader(
  'Monnify',
  Type.Object({
    requestSuccessful: Type.Boolean(),
    responseMessage: Perhaps(Type.String()),
    responseCode: Perhaps(Type.String()),
    responseBody: Type.Optional(Type.Unknown()),
  }),
)

export const readEvent = read(
  Type.Object({
    eventType: Type.String({ minLength: 1, maxLength: 100 }),
    eventData: Type.Object({
      transactionReference: Perhaps(Type.String({ minLength: 1, maxLength: 200 })),
      settlementReference: Perhaps(Type.String({ minLength: 1, maxLength: 200 })),
      product: Perhaps(Type.Object({ type: Perhaps(Type.String()), reference: Perhaps(Type.Unknown()) })),
    }),
  }),
)

/** Exact kobo. A third decimal, an exponent or a sign is rejected. */
export function koboOf(amount: number | string): bigint {
  const [, naira, kobo = ''] = /^(\d{1,15})(?:\.(\d{1,2})0*)?$/.exec(String(amount).replaceAll(',', '')) ?? []
  if (naira === undefined) throw new UnreadableAnswer('Monnify answered with an amount that is none')
  return BigInt(naira) * 100n + BigInt(kobo.padEnd(2, '0'))
}

export const nairaText = (minor: bigint): string => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`

/** Lagos has been UTC+1 all year since 1919. */
const lagosMs = 3600_000

/**
 * Parses a time. Without a zone it is Lagos time: `26/02/2020 09:38:13 AM` in some answers, `2021-11-17 11:28:42.615`
 * in others.
 */
export function timeOf(text: string): Date {
  const [, day, month, year, hour, minute, second, half] =
    /^(\d{2})\/(\d{2})\/(\d{4}) (\d{1,2}):(\d{2}):(\d{2}) ([AP]M)$/i.exec(text) ?? []
  const iso = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}:?\d{2})?$/.exec(text)
  let time = Number.NaN
  if (year !== undefined) {
    const hours = (Number(hour) % 12) + (half?.toUpperCase() === 'PM' ? 12 : 0)
    const local = new Date(
      Date.UTC(Number(year), Number(month) - 1, Number(day), hours, Number(minute), Number(second)),
    )
    // `Date` would silently turn a day that does not exist, such as 31/02, into another one.
    if (local.toISOString().startsWith(`${year}-${month}-${day}`)) time = local.getTime() - lagosMs
  } else if (iso) {
    const [, date, clock, zone] = iso
    const offset = zone?.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
    time = Date.parse(`${date}T${clock}${offset ?? 'Z'}`) - (offset === undefined ? lagosMs : 0)
  }
  if (Number.isNaN(time)) throw new UnreadableAnswer('Monnify answered with a time that is none')
  return new Date(time)
}
