import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
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
  typed: begun = '',
  onType,
  onAdd,
  nobody,
  fault,
}: {
  readonly buyer: ChosenBuyer | undefined
  readonly onChoose: (buyer: ChosenBuyer | undefined) => void
  /** a name that was typed before and belongs to no chosen buyer */
  readonly typed?: string
  /** learns of a typed name that belongs to no chosen buyer */
  readonly onType?: (typed: string) => void
  /** offers to add a buyer with the typed name */
  readonly onAdd?: ((name: string) => void) | undefined
  /** the text for an empty choice */
  readonly nobody?: string
  readonly fault?: string | undefined
}) {
  const [typed, setTyped] = useState(buyer?.name ?? begun)
  const chosenName = buyer?.name
  useEffect(() => {
    if (chosenName !== undefined) setTyped(chosenName)
  }, [chosenName])
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
  const name = typed.trim()
  return (
    <Combobox
      label="Buyer"
      value={typed}
      placeholder="Type a name or tax number"
      onType={(value) => {
        setTyped(value)
        look(value)
        if (buyer && value !== buyer.name) onChoose(undefined)
        onType?.(value === buyer?.name ? '' : value.trim())
      }}
      choices={(found.data ?? []).map(({ id, name, taxId }) => ({ id, name, about: taxId }))}
      create={
        onAdd && name !== '' && name !== buyer?.name
          ? { words: `Add “${name}”`, onCreate: () => onAdd(name) }
          : undefined
      }
      nothing={found.isFetching ? undefined : 'No buyer found.'}
      onChoose={(choice) => {
        setTyped(choice.name)
        onType?.('')
        onChoose(choice)
      }}
      hint={buyer ? undefined : nobody}
      fault={fault}
    />
  )
}
