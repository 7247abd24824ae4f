import { AreaField, TextField } from '../../ui/field.tsx'
import type { EditedField } from './written-fields.ts'

/** The field of the editor for a written field of an invoice, a quote or a schedule. */
export function WrittenFieldInput({
  of: { label, field },
  value,
  fault,
  onChange,
}: {
  readonly of: Pick<EditedField, 'label' | 'field'>
  readonly value: string
  readonly fault: string | undefined
  readonly onChange: (value: string) => void
}) {
  const shared = { label, value, fault }
  if (field === 'paragraphs') return <AreaField {...shared} onChange={({ target }) => onChange(target.value)} />
  return (
    <TextField {...shared} type={field === 'day' ? 'date' : 'text'} onChange={({ target }) => onChange(target.value)} />
  )
}
