import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useLater } from '../../ui/use-later.ts'

type Kind = 'goods' | 'service'

interface Code {
  readonly code: string
  readonly name: string
}

const mostShown = 12
const none: readonly Code[] = []

/** Codes of goods whose words hold what was asked for. */
const goodsLike = async (search: string, signal: AbortSignal): Promise<readonly Code[]> => {
  const { data } = await risiti.reference.searchProductCodes({ search, limit: mostShown }, { signal })
  return data.map(({ code, description }) => ({ code, name: description }))
}

/** Codes that may be meant by what is being written: of goods or of services. The function stays the same, as lines are drawn again for another. */
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
      const found = await goodsLike(words, signal)
      // Whoever writes more than the list does is understood by the longest of the words.
      const longest = words.split(/\s+/).toSorted((one, other) => other.length - one.length)[0] ?? ''
      return found.length === 0 && longest !== words ? await goodsLike(longest, signal) : found
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
  // There are a few hundred of services: the browser finds among them what is typed.
  const codes: readonly Code[] = (asked?.kind === 'service' ? services.data?.entries : goods.data) ?? none
  return { codes, lookForCode }
}
