import type { Item } from '@risiti/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../../session/session.tsx'
import { say } from '../../../ui/toast.tsx'
import { type DraftLine, withItem } from './draft-lines.ts'
import type { SetLines } from './line-list.tsx'

/** The line that the person wrote last, if it is not from a saved item: it can become one. */
export function useNewItem(lines: readonly DraftLine[]) {
  const queries = useQueryClient()
  const mayAdd = useMay('item.create')
  const [key, setKey] = useState<number>()
  const found = lines.find((line) => line.key === key)
  const line = mayAdd && found && found.itemId === undefined && found.description.trim() !== '' ? found : undefined
  return {
    line,
    noteFocus: ({ target }: { readonly target: EventTarget }) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-line]') : null
      if (row) setKey(Number(row.dataset.line))
    },
    take: (setLines: SetLines, item: Item) => {
      if (line) setLines((before) => before.map((one) => (one.key === line.key ? withItem(one, item) : one)))
      say(`${item.name} was added to your items.`)
      void queries.invalidateQueries({ queryKey: ['items'] })
    },
  }
}
