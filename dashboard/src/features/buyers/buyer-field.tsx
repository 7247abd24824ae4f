import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { useLater } from '../../ui/use-later.ts'

export interface ChosenBuyer {
  readonly id: string
  readonly name: string
}

export function BuyerField({
  buyer,
  onChoose,
  nobody,
  fault,
}: {
  readonly buyer: ChosenBuyer | undefined
  readonly onChoose: (buyer: ChosenBuyer | undefined) => void
  /** the text for an empty choice */
  readonly nobody?: string
  readonly fault?: string | undefined
}) {
  const [typed, setTyped] = useState(buyer?.name ?? '')
  const [words, setWords] = useState('')
  const look = useLater(setWords, 200)
  const found = useQuery({
    queryKey: ['buyers', 'search', words],
    queryFn: async ({ signal }) =>
      words.trim() === ''
        ? (await risiti.buyers.list({ limit: 10 }, { signal })).data
        : await risiti.buyers.search({ q: words.trim() }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Combobox
      label="Buyer"
      value={typed}
      placeholder="Type a name or tax number"
      onType={(value) => {
        setTyped(value)
        look(value)
        if (buyer && value !== buyer.name) onChoose(undefined)
      }}
      choices={(found.data ?? []).map(({ id, name, taxId }) => ({ id, name, about: taxId }))}
      nothing={found.isFetching ? undefined : 'No buyer found.'}
      onChoose={(choice) => {
        setTyped(choice.name)
        onChoose(choice)
      }}
      hint={buyer ? undefined : nobody}
      fault={fault}
    />
  )
}
