import { Link, useNavigate } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { queries } from '../../api/queries.ts'
import { say } from '../../ui/toast.tsx'
import { QuoteForm, useEmptyStart } from './quote-form.tsx'

export function NewQuotePage() {
  const navigate = useNavigate()
  const start = useEmptyStart()
  const { once } = useOneKey()
  return (
    <QuoteForm
      title="New quote"
      isNew
      start={start}
      back={
        <Link to="/quotes" search={{}} className="button">
          Back
        </Link>
      }
      onSave={async (body) => {
        const { id, quoteNumber } = await risiti.quotes.create(body, once(body))
        say(`${quoteNumber} was saved as a draft.`)
        await queries.invalidateQueries({ queryKey: ['quotes'] })
        await navigate({ to: '/quotes/$id', params: { id } })
      }}
    />
  )
}
