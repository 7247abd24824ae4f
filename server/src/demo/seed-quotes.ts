import type { UserCaller } from '../kernel/callers.ts'
import { businessDay } from '../kernel/days.ts'
import { parseDecimal } from '../kernel/decimal.ts'
import { quoteOperations, type quotes } from '../modules/quotes/index.ts'
import { systemClock } from '../platform/clock.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'
import type { DemoParties } from './seed-parties.ts'

type Line = quotes.QuoteContent['lines'][number]

const dayMs = 86_400_000
const exactly = (text: string) => parseDecimal(text) as Line['quantity']

/** Quotes in every state that a person can bring about, and one with a deposit. */
export async function seedQuotes(runner: Runner, owner: UserCaller, { buyers, items }: DemoParties): Promise<void> {
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })
  const validUntil = businessDay(new Date(systemClock.now().getTime() + 30 * dayMs), 'Africa/Lagos')
  const contentOf = (buyer: keyof typeof buyers, lines: readonly Line[]): quotes.QuoteContent => ({
    buyerId: buyers[buyer],
    currency: 'NGN',
    validUntil,
    lines,
    paymentTerms: 'Half in advance, the rest on delivery.',
  })
  const create = (type: quotes.QuoteType, content: quotes.QuoteContent) =>
    act(quoteOperations.createQuote, { type, ...content })
  const open = async (type: quotes.QuoteType, content: quotes.QuoteContent) =>
    await act(quoteOperations.sendQuote, { id: (await create(type, content)).id, isMailed: false })
  const decide = (
    { id, versionNumber }: quotes.Quote,
    decision: quotes.QuoteDecision['decision'],
    name: string,
    remark: string | null = null,
  ) => act(quoteOperations.decideForBuyer, { id, versionNumber, decision, name, remark })
  const oil = { itemId: items['Palm oil, 25 litres'], quantity: exactly('40') }
  const delivery = { itemId: items['Delivery within Lagos'], quantity: exactly('2') }
  await create('quote', contentOf('Bello Foods Ltd', [oil]))
  await open('proforma', contentOf('Calabar Freezers', [oil, delivery]))
  const bargained = await open('quote', contentOf('Ibadan Bakers Ltd', [oil, delivery]))
  const cheaper = contentOf('Ibadan Bakers Ltd', [{ ...oil, discount: exactly('5000') }, delivery])
  await act(quoteOperations.changeQuote, { id: bargained.id, ...cheaper })
  await act(quoteOperations.shareQuote, { id: bargained.id })
  const accepted = await open('quote', contentOf('Zaria Flour Mills', [delivery]))
  await decide(accepted, 'accepted', 'Hauwa Sani', 'Please deliver on a Monday.')
  const declined = await open('quote', contentOf('Bello Foods Ltd', [delivery]))
  await decide(declined, 'declined', 'Musa Bello', 'We found a cheaper one.')
  const ordered = await open('quote', contentOf('Zaria Flour Mills', [oil, delivery]))
  await decide(ordered, 'accepted', 'Hauwa Sani')
  const percent = exactly('50')
  const document = { dueDate: null, isFinalised: true }
  await act(quoteOperations.convertQuote, { id: ordered.id, ...document, deposit: { percent } })
}
