import Type, { type Static } from 'typebox'
import type { Fault } from '../../kernel/refusals.ts'
import type { BuyerId } from '../../modules/buyers/index.ts'
import { accountKinds, collectionProviderNames, type OpenInput } from '../../modules/collection/index.ts'
import type { InvoiceId } from '../../modules/invoices/index.ts'
import type { SellerId } from '../../modules/sellers/index.ts'
import type { DialectName } from '../../modules/webhooks/index.ts'
import { mostUrlCharacters } from '../../platform/outbound/outbound-http.ts'
import { Country, Email, Fields, means, OneOf, Phone, Text, Uuid } from '../fields.ts'
import { Amount, faultOfAmount, minorFrom, paidMoney } from './amounts.ts'

export const Currency = Type.Optional(OneOf('NGN', 'USD', 'EUR', 'GBP'))
export const BankCode = Type.String({
  pattern: '^[0-9A-Za-z]{3,10}$',
  explanation: 'must be the code of a bank, such as 058 or 000013',
  examples: ['058'],
})
export const AccountNumber = Type.String({
  pattern: '^[0-9]{10}$',
  explanation: 'must be an account number of 10 digits',
  examples: ['0123456785'],
})
export const ProviderField = OneOf(...collectionProviderNames)

/** Of accounts, this word is not about sandbox and live data. */
export const AccountKind = means(
  'a `dynamic` account is for one amount, a `persistent` one for payments over time',
  OneOf(...accountKinds),
)

export const OpenBody = Fields({
  mode: AccountKind,
  jurisdiction: Country,
  sellerId: Uuid,
  reference: Type.String({
    ...Text(1, 100),
    description: 'your own name for it: the same one gives the same account',
    examples: ['adebayo-trading'],
  }),
  customer: Fields({
    name: Type.String({ ...Text(1, 255), examples: ['Adebayo Trading Ltd'] }),
    firstName: Type.Optional(Text(1, 100)),
    lastName: Type.Optional(Text(1, 100)),
    phoneNumber: Type.Optional(Phone),
    email: Type.Optional(Email()),
    bvn: Type.Optional(
      Type.String({
        pattern: '^[0-9]{11}$',
        explanation: 'must have 11 digits',
        description: 'for the provider alone; it is not kept',
        examples: ['22222222222'],
      }),
    ),
  }),
  currency: Currency,
  accountReference: Type.Optional(
    Type.String({ ...Text(12, 30), description: 'of persistent accounts only', examples: ['ADEBAYO-2026-01'] }),
  ),
  invoiceId: Type.Optional(Uuid),
  buyerId: Type.Optional(Uuid),
  amount: Type.Optional(
    means('what is to be paid, in major units; needed for dynamic accounts, and of them only', Amount),
  ),
  expiresAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'until when it can be paid into; of dynamic accounts only' }),
  ),
  method: Type.Optional(
    Type.String({ ...Text(1, 50), description: 'how it is to be paid into', examples: ['BANK_TRANSFER'] }),
  ),
  preferredProvider: Type.Optional(ProviderField),
  fundingTransactionLimit: Type.Optional(Amount),
  callbackUrl: Type.Optional(
    Type.String({
      ...Text(1, mostUrlCharacters),
      description:
        'what happens to this account is told there, in place of your webhook endpoints; an endpoint is made for it',
      examples: ['https://shop.example.com/payments'],
    }),
  ),
})

const fault = (path: string, rule: string, message: string): Fault => ({ path, rule, message })

/** What no schema says: amounts, and what only one kind of account has. */
export function faultsOfAccount(body: unknown): Fault[] {
  if (typeof body !== 'object' || body === null) return []
  const { mode, amount, expiresAt, accountReference, fundingTransactionLimit } = body as Record<string, unknown>
  const isDynamic = mode === 'dynamic'
  return [
    ...(amount === undefined ? [] : faultOfAmount('amount', amount, paidMoney)),
    ...(fundingTransactionLimit === undefined
      ? []
      : faultOfAmount('fundingTransactionLimit', fundingTransactionLimit, paidMoney)),
    ...(isDynamic && amount === undefined ? [fault('amount', 'required', 'is needed for a dynamic account')] : []),
    ...(mode === 'persistent' && amount !== undefined
      ? [fault('amount', 'dynamic', 'is for dynamic accounts only')]
      : []),
    ...(mode === 'persistent' && expiresAt !== undefined
      ? [fault('expiresAt', 'dynamic', 'is for dynamic accounts only')]
      : []),
    ...(isDynamic && accountReference !== undefined
      ? [fault('accountReference', 'persistent', 'is for persistent accounts only')]
      : []),
  ]
}

type OpenBody = Static<typeof OpenBody>

export const accountAsked = ({ customer, ...body }: OpenBody, callbackForm: DialectName): OpenInput => ({
  reference: body.reference,
  kind: body.mode,
  jurisdiction: body.jurisdiction,
  currency: body.currency ?? 'NGN',
  sellerId: body.sellerId as SellerId,
  buyerId: (body.buyerId ?? null) as BuyerId | null,
  invoiceId: (body.invoiceId ?? null) as InvoiceId | null,
  customer: {
    name: customer.name,
    firstName: customer.firstName ?? null,
    lastName: customer.lastName ?? null,
    phoneNumber: customer.phoneNumber ?? null,
    email: customer.email ?? null,
  },
  bvn: customer.bvn ?? null,
  accountReference: body.accountReference ?? null,
  method: body.method ?? null,
  amountMinor: body.amount === undefined ? null : minorFrom(body.amount),
  limitMinor: body.fundingTransactionLimit === undefined ? null : minorFrom(body.fundingTransactionLimit),
  expiresAt: body.expiresAt === undefined ? null : new Date(body.expiresAt),
  preferred: body.preferredProvider,
  callbackUrl: body.callbackUrl ?? null,
  callbackForm,
})
