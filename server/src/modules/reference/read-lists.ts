import type { ListType } from '../../jurisdictions/port.ts'
import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { mapped, type PageRequest, pageOfArray } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import type { LoadedList } from './loaded-list.ts'
import { jurisdictionOf } from './own-jurisdiction.ts'
import { listsInForce, subheadingsOf } from './product-codes.ts'

const facts = { needs: ['reference.read'], refuses: ['jurisdiction.unsupported'] } as const

function ownList({ ports, caller }: Outside<TokenCaller>, type: ListType): LoadedList {
  const { country } = jurisdictionOf(ports, caller)
  const found = ports.codeLists.all(country).find((list) => list.type === type)
  if (!found)
    throw refuse('resource.not_found', {
      message: 'Your country does not have this code list. Read all lists to see those that it has.',
    })
  return found
}

export const readAllLists = reading(facts, async (context: Outside<TokenCaller>) => {
  const { country } = jurisdictionOf(context.ports, context.caller)
  const { codeLists } = context.ports
  return { lists: codeLists.all(country), tag: codeLists.tag(country) }
})

export const readList = reading(
  { ...facts, refuses: [...facts.refuses, 'resource.not_found'] },
  async (context: Outside<TokenCaller>, { type }: { type: ListType }) => ownList(context, type),
)

export interface ProductCodeQuery {
  readonly search: string | undefined
  readonly category: string | undefined
  /** without headings, which the authority does not accept on a line */
  readonly onlyForLines: boolean
  readonly page: PageRequest
}

export const searchProductCodes = reading(
  facts,
  async (context: Outside<TokenCaller>, { search, category, onlyForLines, page }: ProductCodeQuery) => {
    const list = ownList(context, 'product-codes')
    const matches = list.search(search, category)
    const found = onlyForLines ? subheadingsOf(list, matches) : matches
    const jurisdiction = jurisdictionOf(context.ports, context.caller)
    const lists = listsInForce(context.ports.codeLists, jurisdiction.country)
    const today = businessDay(context.now, jurisdiction.zone)
    const shown = mapped(pageOfArray(found, page), (entry) => ({
      ...entry,
      suggested: jurisdiction.suggestedTaxCategory({ hsnCode: entry.code }, today, lists),
    }))
    return { ...shown, tag: list.tag }
  },
)

export const listProductCategories = reading(facts, async (context: Outside<TokenCaller>) => {
  const list = ownList(context, 'product-codes')
  return { categories: list.categories(), tag: list.tag }
})
