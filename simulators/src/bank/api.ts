import { timingSafeEqual } from 'node:crypto'
import { jsonReply, type Reply, type Request, type RequestRecord } from '../shared/http.ts'
import { type AccountOrder, type Bank, BankRefusal, statusOf, type TransferOrder } from './bank.ts'
import { bankOf, banks, ownBank } from './banks.ts'
import { type Behaviour, wellBehaved } from './behaviour.ts'
import { holderOf } from './holders.ts'
import { isNuban } from './nuban.ts'
import { BankIsFull, type FeeBearer, feeBearers, type Records, type Transfer, type VirtualAccount } from './state.ts'

type Fields = Readonly<Record<string, unknown>>

export interface ApiParts {
  readonly bank: Bank
  readonly records: Records
  readonly apiKey: string
  readonly requests: readonly RequestRecord[]
  now(): Date
  settleAfterMs(): number
  behave(changes: Partial<Behaviour>): void
}

/** The largest page of the account statement. */
const longestPage = 500

/** All replies of the bank. Checks the key first, then the route, then the body. */
export function bankApi(parts: ApiParts): (request: Request) => Reply {
  return (request) => {
    try {
      if (!holdsKey(request, parts.apiKey)) throw new BankRefusal(401, 'key_unknown', 'the key is not known')
      if (request.tooLong) throw new BankRefusal(413, 'too_long', 'the body is too long')
      return jsonReply(200, { data: answer(parts, request) })
    } catch (error) {
      if (error instanceof BankRefusal) return failed(error)
      if (error instanceof BankIsFull) return failed(new BankRefusal(507, 'full', error.message))
      return failed(new BankRefusal(500, 'failed', `the simulator failed: ${error}`))
    }
  }
}

const failed = ({ status, code, message }: BankRefusal): Reply => jsonReply(status, { error: { code, message } })

function holdsKey({ headers }: Request, apiKey: string): boolean {
  const [given, wanted] = [Buffer.from(String(headers.authorization ?? '')), Buffer.from(`Bearer ${apiKey}`)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function answer(parts: ApiParts, request: Request): unknown {
  const { bank, now } = parts
  const { method, query } = request
  const [, version, noun, id, verb] = request.path.split('/').map(decoded)
  const route = `${method} /${[version, noun, id && ':', verb].filter(Boolean).join('/')}`
  switch (route) {
    case 'GET /v1/banks':
      return banks
    case 'GET /v1/holders':
      return holder(query.get('bankCode') ?? '', query.get('accountNumber') ?? '')
    case 'POST /v1/accounts':
      return shown(bank.open(accountOrder(fieldsIn(request))), now())
    case 'GET /v1/accounts/:':
      return shown(bank.account(id as string), now())
    case 'POST /v1/accounts/:/close':
      return shown(bank.close(id as string), now())
    case 'POST /v1/accounts/:/split':
      return shown(bank.point(id as string, splitIn(fieldsIn(request))), now())
    case 'POST /v1/sub-accounts':
      return bank.addSubAccount(subAccountOrder(fieldsIn(request)))
    case 'GET /v1/sub-accounts':
      return subAccounts(parts.records, query)
    case 'GET /v1/settlements':
      bank.settle(parts.settleAfterMs())
      return settlements(parts.records, query)
    case 'GET /v1/settlements/:':
      return bank.settlement(id as string)
    case 'POST /control/settlements':
      return bank.settle(0)
    case 'GET /control/requests':
      return parts.requests
    case 'GET /v1/transfers/:':
      return bank.transfer(id as string)
    case 'GET /v1/statement':
      return statement(parts.records, query)
    case 'POST /v1/refunds':
      return bank.refund(refundOrder(fieldsIn(request)))
    case 'GET /v1/refunds/:':
      return refund(parts.records, id as string)
    case 'POST /control/transfers':
      return bank.receive(transferOrder(fieldsIn(request)))
    case 'POST /control/transfers/:/reverse':
      bank.reverse(id as string)
      return bank.transfer(id as string)
    case 'PUT /control/behaviour':
      return behave(parts, fieldsIn(request))
    default:
      throw new BankRefusal(404, 'route_not_found', 'nothing is served here')
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new BankRefusal(400, 'path_unreadable', 'the path cannot be read')
  }
}

function fieldsIn({ body }: Request): Fields {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  } catch {}
  throw new BankRefusal(400, 'body_unreadable', 'the body must be a JSON object')
}

function textIn(fields: Fields, name: string, longest = 200): string {
  const value = fields[name]
  if (typeof value === 'string' && value !== '' && value.length <= longest) return value
  throw new BankRefusal(400, 'field_wrong', `${name} must be a text of 1 to ${longest} characters`)
}

function minorIn(fields: Fields, name: string): number {
  const value = fields[name]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw new BankRefusal(400, 'field_wrong', `${name} must be a whole number of minor units above 0`)
}

const orNull = <Value>(fields: Fields, name: string, read: (fields: Fields, name: string) => Value): Value | null =>
  fields[name] == null ? null : read(fields, name)

function accountOrder(fields: Fields): AccountOrder {
  const kind = textIn(fields, 'kind')
  if (kind !== 'persistent' && kind !== 'dynamic')
    throw new BankRefusal(400, 'field_wrong', 'kind must be persistent or dynamic')
  const currency = textIn(fields, 'currency')
  if (currency !== 'NGN') throw new BankRefusal(422, 'other_currency', 'accounts are kept in NGN')
  return {
    reference: textIn(fields, 'reference'),
    name: textIn(fields, 'name', 300),
    kind,
    currency,
    amountMinor: orNull(fields, 'amountMinor', minorIn),
    limitMinor: orNull(fields, 'limitMinor', minorIn),
    expiresAt: orNull(fields, 'expiresAt', textIn),
    subAccount: orNull(fields, 'subAccount', textIn),
    feeBearer: feeBearerIn(fields),
  }
}

function feeBearerIn({ feeBearer = 'seller' }: Fields): FeeBearer {
  const found = feeBearers.find((one) => one === feeBearer)
  if (found === undefined)
    throw new BankRefusal(400, 'field_wrong', `feeBearer must be one of ${feeBearers.join(', ')}`)
  return found
}

const splitIn = (fields: Fields) => ({ subAccount: textIn(fields, 'subAccount'), feeBearer: feeBearerIn(fields) })

const subAccountOrder = (fields: Fields) => ({
  bankCode: textIn(fields, 'bankCode'),
  accountNumber: textIn(fields, 'accountNumber'),
  name: textIn(fields, 'name', 300),
})

const refundOrder = (fields: Fields) => ({
  key: textIn(fields, 'key'),
  transfer: textIn(fields, 'transfer'),
  amountMinor: minorIn(fields, 'amountMinor'),
  reason: orNull(fields, 'reason', (given, name) => textIn(given, name, 1_000)) ?? '',
})

function transferOrder(fields: Fields): TransferOrder {
  const senderName = orNull(fields, 'senderName', textIn)
  const narration = orNull(fields, 'narration', (given, name) => textIn(given, name, 500))
  const currency = orNull(fields, 'currency', textIn)
  return {
    accountNumber: textIn(fields, 'accountNumber'),
    amountMinor: minorIn(fields, 'amountMinor'),
    ...(senderName === null ? {} : { senderName }),
    ...(narration === null ? {} : { narration }),
    ...(currency === null ? {} : { currency }),
    ...(fields.force === true ? { force: true } : {}),
  }
}

function behave({ behave: change }: ApiParts, fields: Fields): Behaviour {
  for (const [name, value] of Object.entries(fields))
    if (!Object.hasOwn(wellBehaved, name) || typeof value !== typeof wellBehaved[name as keyof Behaviour])
      throw new BankRefusal(400, 'field_wrong', `there is no such ${name}`)
  change(fields as Partial<Behaviour>)
  return { ...wellBehaved, ...(fields as Partial<Behaviour>) }
}

const shown = (account: VirtualAccount, now: Date) => ({
  ...account,
  bankCode: ownBank.code,
  bankName: ownBank.name,
  status: statusOf(account, now),
})

function holder(bankCode: string, accountNumber: string) {
  const bank = bankOf(bankCode)
  if (bank === undefined) throw new BankRefusal(404, 'bank_not_found', 'no bank has this code')
  if (!isNuban(bank.code, accountNumber))
    throw new BankRefusal(404, 'account_not_found', 'the bank has no such account')
  return { accountName: holderOf(accountNumber), accountNumber, bank }
}

function refund({ refunds }: Records, key: string) {
  const found = refunds.get(key)
  if (found === undefined) throw new BankRefusal(404, 'refund_not_found', 'no refund has this key')
  return found
}

/** Those of one bank account, oldest first. */
function subAccounts({ subAccounts: all }: Records, query: URLSearchParams) {
  const bank = bankOf(query.get('bankCode') ?? '')
  const number = query.get('accountNumber')
  return [...all.values()].filter(({ bankCode, accountNumber }) => bankCode === bank?.code && accountNumber === number)
}

/** What was paid out to one sub-account from one moment up to another, newest first. */
function settlements({ settlements: all }: Records, query: URLSearchParams) {
  const from = Date.parse(query.get('from') ?? '') || 0
  const to = Date.parse(query.get('to') ?? '') || Number.POSITIVE_INFINITY
  return all
    .filter(({ subAccount, settledAt }) => {
      const at = Date.parse(settledAt)
      return subAccount === query.get('subAccount') && at >= from && at < to
    })
    .toReversed()
    .slice(0, longestPage)
}

/** What came from one moment up to another, oldest first; `next` asks for what follows. */
function statement({ transfers }: Records, query: URLSearchParams) {
  const from = Date.parse(query.get('from') ?? '') || 0
  const to = Date.parse(query.get('to') ?? '') || Number.POSITIVE_INFINITY
  const after = Number(query.get('after') ?? 0) || 0
  const limit = Math.min(Number(query.get('limit') ?? longestPage) || longestPage, longestPage)
  const page: Transfer[] = []
  let at = Math.max(0, after)
  for (; at < transfers.length && page.length < limit; at++) {
    const transfer = transfers[at] as Transfer
    const time = Date.parse(transfer.receivedAt)
    if (time >= from && time < to) page.push(transfer)
  }
  return { transfers: page, next: at < transfers.length ? at : null }
}
