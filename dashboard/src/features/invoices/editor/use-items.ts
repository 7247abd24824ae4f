import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { useLater } from '../../../ui/use-later.ts'

const none: readonly [] = []

/** Saved items that match the text. The functions are stable, so that lines are not rendered again. */
export function useItems() {
  const [words, setWords] = useState('')
  const later = useLater(setWords, 200)
  const found = useQuery({
    queryKey: ['items', 'search', words],
    queryFn: async ({ signal }) =>
      (await risiti.items.list({ limit: 10, sort: '-useCount', ...(words ? { q: words } : {}) }, { signal })).data,
    placeholderData: keepPreviousData,
  })
  const items = found.data ?? none
  const latest = useRef({ items, later })
  latest.current = { items, later }
  const look = useCallback((typed: string) => latest.current.later(typed.trim()), [])
  const itemNamed = useCallback((name: string) => latest.current.items.find((item) => item.name === name), [])
  return { items, look, itemNamed }
}
