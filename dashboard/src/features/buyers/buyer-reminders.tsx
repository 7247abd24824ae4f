import type { BuyerReminders as Choice } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'
import { Notice, Panel, SelectField } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { say } from '../../ui/toast.tsx'
import { choiceWords } from '../reminders/reminder-words.ts'

/** Whether a buyer gets reminders of the plan. */
export function BuyerReminders({ buyerId }: { readonly buyerId: string }) {
  const client = useQueryClient()
  const mayChange = useMay('buyer.update')
  const choice = useQuery({
    queryKey: ['buyers', 'reminders', buyerId],
    queryFn: () => risiti.reminders.getOfBuyer(buyerId),
  })
  const choose = useMutation({
    mutationFn: (reminders: Choice['reminders']) => risiti.reminders.chooseBuyer(buyerId, { reminders }),
    onSuccess: async (saved) => {
      client.setQueryData(['buyers', 'reminders', buyerId], saved)
      say('The choice was saved.')
      await client.invalidateQueries({ queryKey: ['reminders'] })
    },
  })
  const shown = choose.isPending ? choose.variables : choice.data?.reminders
  return (
    <Panel title="Reminders">
      <LoadState query={choice} />
      {choose.isError && <Notice tone="bad">{wordsOf(choose.error)}</Notice>}
      {choice.data &&
        (mayChange ? (
          <SelectField
            label="This buyer gets reminders"
            value={shown}
            options={Object.entries(choiceWords) as [Choice['reminders'], string][]}
            onChange={({ target }) => choose.mutate(target.value as Choice['reminders'])}
          />
        ) : (
          <p>{choiceWords[choice.data.reminders]}</p>
        ))}
    </Panel>
  )
}
