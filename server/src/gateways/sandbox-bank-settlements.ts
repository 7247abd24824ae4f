import Type, { type Static } from 'typebox'
import { collectionPort } from '../modules/collection/index.ts'
import { Minor, reader } from './provider-answers.ts'

const read = <S extends Type.TSchema>(schema: S) => reader('the sandbox bank', schema)
const SubAccountAnswer = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 100 }),
  accountNumber: Type.String(),
})
const readSubAccount = read(SubAccountAnswer)
const readSubAccounts = read(Type.Array(SubAccountAnswer))
const SettlementAnswer = Type.Object({
  reference: Type.String({ minLength: 1, maxLength: 200 }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  settledAt: Type.String(),
  transfers: Type.Array(
    Type.Object({
      reference: Type.String({ minLength: 1, maxLength: 200 }),
      accountReference: Type.String(),
      amountMinor: Minor,
      feeMinor: Minor,
    }),
  ),
})
const readSettlement = read(SettlementAnswer)
const readSettlements = read(Type.Array(SettlementAnswer))

const settlementFrom = ({
  reference,
  currency,
  settledAt,
  transfers,
}: Static<typeof SettlementAnswer>): collectionPort.ProviderSettlement => ({
  reference,
  status: 'settled',
  currency,
  settledAt: new Date(settledAt),
  transfers: transfers.map((transfer) => ({
    reference: transfer.reference,
    handle: transfer.accountReference,
    amountMinor: BigInt(transfer.amountMinor),
    feeMinor: BigInt(transfer.feeMinor),
  })),
})

type Ask = <T>(
  asked: { readonly path: string; readonly body?: object },
  read: (data: unknown) => T,
  signal: AbortSignal,
) => Promise<T>

export interface SandboxSettlementParts {
  readonly ask: Ask
  readonly orNothing: <T>(question: Promise<T>) => Promise<T | undefined>
  /** The bank's own code for a refusal. */
  readonly codeOf: (error: unknown) => string | undefined
}

export const sandboxSettlements = ({ ask, orNothing, codeOf }: SandboxSettlementParts) => ({
  async findSubAccount(
    { bank, accountNumber }: collectionPort.SubAccountOrder,
    signal: AbortSignal,
  ): Promise<collectionPort.SubAccount | undefined> {
    const query = new URLSearchParams({ bankCode: bank.code, accountNumber })
    const [found] = await ask({ path: `/v1/sub-accounts?${query}` }, readSubAccounts, signal)
    return found && { code: found.code }
  },

  async createSubAccount(
    { bank, accountNumber, name }: collectionPort.SubAccountOrder,
    signal: AbortSignal,
  ): Promise<collectionPort.SubAccount> {
    const body = { bankCode: bank.code, accountNumber, name }
    try {
      const { code } = await ask({ path: '/v1/sub-accounts', body }, readSubAccount, signal)
      return { code }
    } catch (error) {
      if (codeOf(error) === 'sub_accounts_not_enabled')
        throw new collectionPort.SubAccountsNotEnabled('The sandbox bank', (error as Error).message)
      throw error
    }
  },

  async pointAccount(handle: string, split: collectionPort.Split, signal: AbortSignal): Promise<void> {
    const body = { subAccount: split.subAccount, feeBearer: split.feeBearer }
    await ask({ path: `/v1/accounts/${encodeURIComponent(handle)}/split`, body }, read(Type.Unknown()), signal)
  },

  async lookSettlement(reference: string, signal: AbortSignal): Promise<collectionPort.ProviderSettlement | undefined> {
    const path = `/v1/settlements/${encodeURIComponent(reference)}`
    const found = await orNothing(ask({ path }, readSettlement, signal))
    return found && settlementFrom(found)
  },

  async findSettlements(
    { subAccounts, from, to }: { readonly subAccounts: readonly string[]; readonly from: Date; readonly to: Date },
    signal: AbortSignal,
  ): Promise<readonly collectionPort.ProviderSettlement[]> {
    const found: collectionPort.ProviderSettlement[] = []
    for (const subAccount of subAccounts) {
      const query = new URLSearchParams({ subAccount, from: from.toISOString(), to: to.toISOString() })
      found.push(...(await ask({ path: `/v1/settlements?${query}` }, readSettlements, signal)).map(settlementFrom))
    }
    return found
  },
})
