import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useLater } from '../../ui/use-later.ts'

type Kind = 'goods' | 'service'

interface Code {
  readonly code: string
  readonly name: string
  /** the group of goods or services; absent if the code belongs to none */
  readonly category?: string | undefined
}

const mostShown = 12
const none: readonly Code[] = []

const goodsLike = async (search: string, onlyForLines: boolean, signal: AbortSignal): Promise<readonly Code[]> => {
  const { data } = await risiti.reference.searchProductCodes({ search, limit: mostShown, onlyForLines }, { signal })
  return data.map(({ code, description, category }) => ({ code, name: description, category: category ?? undefined }))
}

/** The list rarely contains a whole phrase, so the longest word is searched after it. */
async function goodsFor(words: string, onlyForLines: boolean, signal: AbortSignal): Promise<readonly Code[]> {
  const found = await goodsLike(words, onlyForLines, signal)
  const longest = words.split(/\s+/).toSorted((one, other) => other.length - one.length)[0] ?? ''
  return found.length === 0 && longest !== words ? await goodsLike(longest, onlyForLines, signal) : found
}

/** What to do if the list has only the group of the goods, whose code is too short for an invoice. */
const groupWords = (groups: readonly Code[]): string | undefined => {
  const [group] = groups
  if (!group) return undefined
  const begins = groups.slice(0, 3).map(({ code, name }) => `${code} (${name})`)
  return `The list has no complete code for this. The code has six digits and begins with ${begins.join(' or ')}. Find the last two digits in the customs tariff or on your supplier’s invoice, and type all six.`
}

/** Codes of goods or services that match the text. The function is stable, so that lines are not rendered again. */
export function useCodes() {
  const [asked, setAsked] = useState<{ readonly kind: Kind; readonly words: string }>()
  const later = useLater((kind: Kind, words: string) => setAsked({ kind, words: words.trim() }), 200)
  const latest = useRef(later)
  latest.current = later
  const lookForCode = useCallback((kind: Kind, words: string) => latest.current(kind, words), [])
  const goods = useQuery({
    queryKey: ['reference', 'goods', asked?.words],
    queryFn: async ({ signal }) => {
      const words = asked?.words ?? ''
      const codes = await goodsFor(words, true, signal)
      // A complete code that a person typed needs no advice, although the list may lack it.
      const isComplete = /^\d{4}\.?\d{2}$/.test(words)
      const groups = codes.length === 0 && !isComplete ? await goodsFor(words, false, signal) : none
      return { codes, groups: groups.filter(({ code }) => code.length === 4) }
    },
    enabled: asked?.kind === 'goods' && asked.words.length > 1,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const services = useQuery({
    queryKey: ['reference', 'service-codes'],
    queryFn: async () => await risiti.reference.readList('service-codes'),
    enabled: asked?.kind === 'service',
    staleTime: Number.POSITIVE_INFINITY,
  })
  // There are only a few hundred service codes, so the browser filters them.
  const codes: readonly Code[] = (asked?.kind === 'service' ? services.data?.entries : goods.data?.codes) ?? none
  const advice = asked?.kind === 'goods' && asked.words.length > 1 ? groupWords(goods.data?.groups ?? none) : undefined
  return { codes, advice, lookForCode }
}
