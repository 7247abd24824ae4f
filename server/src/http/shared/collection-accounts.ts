import Type, { type Static } from 'typebox'
import type { Fault } from '../../kernel/refusals.ts'
import type { BuyerId } from '../../modules/buyers/index.ts'
import { accountKinds, collectionProviderNames, type OpenInput } from '../../modules/collection/index.ts'
import type { InvoiceId } from '../../modules/invoices/index.ts'
import type { SellerId } from '../../modules/sellers/index.ts'
import type { FormatName } from '../../modules/webhooks/index.ts'
import { mostUrlCharacters } from '../../platform/outbound/public-urls.ts'
import { Country, Email, Fields, means, OneOf, Phone, Text, Uuid } from '../definitions/fields.ts'
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

/** In collection, the public field `mode` is the kind of account, not sandbox or live. */
export const AccountKind = means(
  'Kind of account. `dynamic`: for one payment of a fixed amount. `persistent`: for payments over time.',
  OneOf(...accountKinds),
)

export const OpenBody = Fields({
  mode: AccountKind,
  jurisdiction: means('Country where the account is opened.', Country),
  sellerId: means('Identifier of the seller who receives the money. The seller needs a settlement account.', Uuid),
  reference: Type.String({
    ...Text(1, 100),
    description:
      'Your own name for the account, unique in your organisation and mode. The same name with the same body returns the same account.',
    examples: ['adebayo-trading'],
  }),
  customer: means(
    'Person or business that pays into the account.',
    Fields({
      name: Type.String({
        ...Text(1, 255),
        description: 'Full name of the payer, at most 255 characters.',
        examples: ['Adebayo Trading Ltd'],
      }),
      firstName: means('Given name of the payer, at most 100 characters.', Type.Optional(Text(1, 100))),
      lastName: means('Family name of the payer, at most 100 characters.', Type.Optional(Text(1, 100))),
      phoneNumber: means('Telephone number of the payer.', Type.Optional(Phone)),
      email: means('Email address of the payer, at most 254 characters.', Type.Optional(Email())),
      bvn: Type.Optional(
        Type.String({
          pattern: '^[0-9]{11}$',
          explanation: 'must have 11 digits',
          description: 'Bank verification number of the payer. It is passed to the provider and not stored.',
          examples: ['22222222222'],
        }),
      ),
    }),
  ),
  currency: means('Currency of the account, as an ISO 4217 code. `NGN` if left out.', Currency),
  accountReference: Type.Optional(
    Type.String({
      ...Text(12, 30),
      description: 'Reference of the account at the provider, 12 to 30 characters. For persistent accounts only.',
      examples: ['ADEBAYO-2026-01'],
    }),
  ),
  invoiceId: means('Identifier of the invoice that payments are applied to.', Type.Optional(Uuid)),
  buyerId: means(
    'Identifier of the buyer who pays. Payments are applied to the buyer’s open invoices, oldest first.',
    Type.Optional(Uuid),
  ),
  amount: means(
    'Amount to be paid, in major units such as dollars. Required for dynamic accounts, not allowed for others.',
    Type.Optional(Amount),
  ),
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When the account stops taking payments. For dynamic accounts only.',
    }),
  ),
  method: Type.Optional(
    Type.String({
      ...Text(1, 50),
      description: 'How the buyer pays into the account, at most 50 characters. Stored and returned as you send it.',
      examples: ['BANK_TRANSFER'],
    }),
  ),
  preferredProvider: means(
    'Provider that opens the account. This service chooses one if left out.',
    Type.Optional(ProviderField),
  ),
  fundingTransactionLimit: means(
    'Largest amount of one transfer, in major units such as dollars. Some providers refuse it.',
    Type.Optional(Amount),
  ),
  callbackUrl: Type.Optional(
    Type.String({
      ...Text(1, mostUrlCharacters),
      description:
        'URL that receives the events of this account instead of your webhook endpoints. A webhook endpoint is created for it.',
      examples: ['https://shop.example.com/payments'],
    }),
  ),
})

const fault = (path: string, rule: string, message: string): Fault => ({ path, rule, message })

/** A schema cannot check the size of amounts, nor fields that only one kind of account may have. */
export function faultsOfAccount(body: unknown): Fault[] {
  if (typeof body !== 'object' || body === null) return []
  const {
    mode,
    amount,
    expiresAt,
    accountReference,
    fundingTransactionLimit,
    currency = usualCurrency,
  } = body as Record<string, unknown>
  const isDynamic = mode === 'dynamic'
  return [
    ...(amount === undefined ? [] : faultOfAmount('amount', amount, paidMoney, currency)),
    ...(fundingTransactionLimit === undefined
      ? []
      : faultOfAmount('fundingTransactionLimit', fundingTransactionLimit, paidMoney, currency)),
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

/** The default of the contract. */
const usualCurrency = 'NGN'

export const accountAsked = (
  { customer, currency = usualCurrency, ...body }: OpenBody,
  callbackForm: FormatName,
): OpenInput => ({
  reference: body.reference,
  kind: body.mode,
  jurisdiction: body.jurisdiction,
  currency,
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
  identifiers: customer.bvn === undefined ? {} : { bvn: customer.bvn },
  accountReference: body.accountReference ?? null,
  method: body.method ?? null,
  amountMinor: body.amount === undefined ? null : minorFrom(body.amount, currency),
  limitMinor: body.fundingTransactionLimit === undefined ? null : minorFrom(body.fundingTransactionLimit, currency),
  expiresAt: body.expiresAt === undefined ? null : new Date(body.expiresAt),
  preferred: body.preferredProvider,
  callbackUrl: body.callbackUrl ?? null,
  callbackForm,
})
