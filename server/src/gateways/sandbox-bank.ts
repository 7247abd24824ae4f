import { createHmac, timingSafeEqual } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { collectionPort, providerAccountStatuses } from '../modules/collection/index.ts'
import { OutboundFailure } from '../platform/outbound/failures.ts'
import type { OutboundHttp, Party, PartyOptions } from '../platform/outbound/outbound-http.ts'
import {
  envelopeReader,
  Maybe,
  Minor,
  Perhaps,
  parsed,
  plainLine,
  reader,
  UnreadableAnswer,
} from './provider-answers.ts'
import { sandboxSettlements } from './sandbox-bank-settlements.ts'
import { readEntries } from './statement-entries.ts'

export interface SandboxBankOptions {
  readonly outbound: OutboundHttp
  readonly baseUrl: PartyOptions['baseUrl']
  readonly apiKey: string
  readonly webhookSecret: string
}

const read = <S extends Type.TSchema>(schema: S) => reader('the sandbox bank', schema)
const Bank = Type.Object({ name: Type.String(), code: Type.String(), nipCode: Type.String() })
const toBank = ({ nipCode, ...bank }: Type.Static<typeof Bank>) => ({ ...bank, networkCode: nipCode })
const readBanks = read(Type.Array(Bank))
const readHolder = read(Type.Object({ accountName: Type.String(), bank: Bank }))
const readAccount = read(
  Type.Object({
    number: Type.String({ pattern: '^\\d{10}$' }),
    name: Type.String(),
    bankCode: Type.String(),
    bankName: Type.String(),
    status: Type.Enum([...providerAccountStatuses]),
  }),
)
const TransferAnswer = Type.Object({
  reference: Type.String(),
  accountReference: Type.String(),
  amountMinor: Minor,
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  senderName: Type.String(),
  narration: Type.String(),
  receivedAt: Type.String(),
  reversedAt: Maybe(Type.String()),
  refundedMinor: Minor,
})
const readTransfer = read(TransferAnswer)
const readStatement = read(Type.Object({ transfers: Type.Array(Type.Unknown()), next: Maybe(Type.Integer()) }))
const readRefund = read(Type.Object({ key: Type.String(), transfer: Type.String(), amountMinor: Minor }))
const readNo = read(Type.Object({ error: Type.Object({ code: Type.String(), message: Type.String() }) }))
const readYes = envelopeReader('the sandbox bank', Type.Object({ data: Type.Unknown() }))
const readNotice = read(
  Type.Object({
    id: Type.String({ minLength: 1, maxLength: 200 }),
    type: Type.String(),
    transfer: Perhaps(Type.String({ minLength: 1, maxLength: 200 })),
    settlement: Perhaps(Type.String({ minLength: 1, maxLength: 200 })),
    accountReference: Perhaps(Type.String()),
  }),
)

function timeOf(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new UnreadableAnswer('the sandbox bank answered with a time that is none')
  return time
}

const transferFrom = (transfer: Static<typeof TransferAnswer>): collectionPort.Transfer => ({
  reference: transfer.reference,
  handle: transfer.accountReference,
  amountMinor: BigInt(transfer.amountMinor),
  currency: transfer.currency,
  senderName: plainLine(transfer.senderName, 200),
  narration: plainLine(transfer.narration, 500),
  receivedAt: timeOf(transfer.receivedAt),
  isReversed: transfer.reversedAt !== null,
  refundedMinor: BigInt(transfer.refundedMinor),
})

const accountFrom = ({
  number,
  name,
  bankCode,
  bankName,
  status,
}: ReturnType<typeof readAccount>): collectionPort.ProviderAccount => ({
  accountNumber: number,
  accountName: name,
  bankCode,
  bankName,
  status,
})

class BankRefusal extends collectionPort.CollectionRefusal {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

interface BankRequest {
  readonly path: string
  readonly body?: object
}

/** Throws a refusal only if the bank judged the request. */
function bankClient(party: Party, apiKey: string) {
  return async <T>({ path, body }: BankRequest, readData: (data: unknown) => T, signal: AbortSignal): Promise<T> => {
    const answer = await party.send({
      method: body === undefined ? 'GET' : 'POST',
      path,
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      signal,
    })
    const reply = parsed(answer.body.toString())
    if (answer.status === 200) return readData(readYes(reply).data)
    if (![400, 404, 409, 422].includes(answer.status)) throw new Error(`the sandbox bank answered ${answer.status}`)
    const { code, message } = readNo(reply).error
    throw new BankRefusal(answer.status, code, message)
  }
}

/** Turns "not found" into undefined. */
const orNothing = async <T>(question: Promise<T>): Promise<T | undefined> => {
  try {
    return await question
  } catch (error) {
    if (error instanceof BankRefusal && error.status === 404) return undefined
    throw error
  }
}

const name = encodeURIComponent
const number = (minor: bigint | null): number | null => (minor === null ? null : Number(minor))

/** The simulated bank for the sandbox. */
export function sandboxBank({
  outbound,
  baseUrl,
  apiKey,
  webhookSecret,
}: SandboxBankOptions): collectionPort.CollectionProvider {
  const ask = bankClient(outbound.party('sandbox_bank', { baseUrl, mostBytes: 1024 * 1024, overallMs: 8_000 }), apiKey)

  return {
    ...sandboxSettlements({
      ask,
      orNothing,
      codeOf: (error) => (error instanceof BankRefusal ? error.code : undefined),
    }),
    name: 'sandbox',
    mode: 'sandbox',
    country: 'NG',
    currencies: ['NGN'],

    banks: async (signal) => (await ask({ path: '/v1/banks' }, readBanks, signal)).map(toBank),

    async findHolder({ bank, accountNumber }, signal) {
      const path = `/v1/holders?bankCode=${name(bank.code)}&accountNumber=${name(accountNumber)}`
      const holder = await orNothing(ask({ path }, readHolder, signal))
      return holder && { accountName: holder.accountName, bank: toBank(holder.bank) }
    },

    async openAccount(order, signal) {
      const body = {
        reference: order.handle,
        name: order.name,
        kind: order.kind,
        currency: order.currency,
        amountMinor: number(order.amountMinor),
        limitMinor: number(order.limitMinor),
        expiresAt: order.expiresAt?.toISOString() ?? null,
        subAccount: order.split.subAccount,
        feeBearer: order.split.feeBearer,
      }
      return accountFrom(await ask({ path: '/v1/accounts', body }, readAccount, signal))
    },

    async findAccount(handle, signal) {
      const found = await orNothing(ask({ path: `/v1/accounts/${name(handle)}` }, readAccount, signal))
      return found && accountFrom(found)
    },

    async closeAccount(handle, signal) {
      await ask({ path: `/v1/accounts/${name(handle)}/close`, body: {} }, readAccount, signal)
    },

    async look(reference, signal) {
      const found = await orNothing(ask({ path: `/v1/transfers/${name(reference)}` }, readTransfer, signal))
      return found && transferFrom(found)
    },

    async statement({ from, to, after }, signal) {
      const query = new URLSearchParams({
        from: from.toISOString(),
        to: to.toISOString(),
        limit: '200',
        ...(after === null ? {} : { after }),
      })
      const { transfers, next } = await ask({ path: `/v1/statement?${query}` }, readStatement, signal)
      const entries = await readEntries(transfers, 'reference', (entry) => transferFrom(readTransfer(entry)))
      return { ...entries, next: next === null ? null : String(next) }
    },

    async refund({ key, transfer, amountMinor, reason }, signal) {
      const body = { key, transfer, amountMinor: Number(amountMinor), ...(reason === '' ? {} : { reason }) }
      try {
        await ask({ path: '/v1/refunds', body }, readRefund, signal)
        return 'sent'
      } catch (error) {
        if (error instanceof BankRefusal && error.code === 'balance_too_low')
          throw new collectionPort.BalanceTooLow('the sandbox bank', error.message)
        throw error
      }
    },

    async findRefund({ key }, signal) {
      const found = await orNothing(ask({ path: `/v1/refunds/${name(key)}` }, readRefund, signal))
      return found ? 'sent' : 'unknown'
    },

    readNotification(body, headers) {
      const [, seconds = '', hex = ''] =
        /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(headers['bank-signature'])) ?? []
      const wanted = createHmac('sha256', webhookSecret).update(`${seconds}.`).update(body).digest()
      const given = Buffer.from(hex, 'hex')
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
      try {
        const { id, type, transfer, settlement, accountReference } = readNotice(parsed(body.toString()))
        if (type === 'settlement.paid' && settlement)
          return { id, subject: 'settlement', transfer: settlement, handle: null }
        if (!type.startsWith('transfer.') || !transfer) return 'nothing to do'
        return { id, transfer, handle: accountReference ?? null }
      } catch {
        return 'nothing to do'
      }
    },
  }
}

/** Simulated payers, through the bank's control route. */
export function sandboxPayers({
  outbound,
  baseUrl,
  apiKey,
}: Omit<SandboxBankOptions, 'webhookSecret'>): collectionPort.SimulatedPayers {
  const ask = bankClient(outbound.party('sandbox_payers', { baseUrl, overallMs: 4_000 }), apiKey)
  return {
    async send({ accountNumber, amountMinor, senderName, narration }, signal) {
      const body = { accountNumber, amountMinor: Number(amountMinor), senderName, narration }
      try {
        const { reference } = await ask({ path: '/control/transfers', body }, readTransfer, signal)
        return { kind: 'sent', reference }
      } catch (error) {
        if (error instanceof BankRefusal) return { kind: 'refused', reason: error.message }
        if (error instanceof OutboundFailure) return { kind: 'away' }
        throw error
      }
    },
  }
}
