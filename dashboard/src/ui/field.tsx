import { type ComponentProps, type ReactNode, useId } from 'react'
import './field.css'

interface Label {
  readonly label: ReactNode
  /** help that is visible before any error */
  readonly hint?: ReactNode
  readonly fault?: string | undefined
}

/** Screen readers read the error together with the field. */
export function TextField({ label, hint, fault, ...input }: Label & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} {...input} aria-invalid={fault !== undefined || undefined} aria-describedby={`${id}-about`} />
      <FieldNotes id={`${id}-about`} hint={hint} fault={fault} />
    </div>
  )
}

export function AreaField({ label, hint, fault, ...area }: Label & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={1}
        {...area}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={`${id}-about`}
      />
      <FieldNotes id={`${id}-about`} hint={hint} fault={fault} />
    </div>
  )
}

export function SelectField({
  label,
  hint,
  fault,
  options,
  ...select
}: Label & ComponentProps<'select'> & { readonly options: readonly (readonly [value: string, text: string])[] }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} {...select} aria-invalid={fault !== undefined || undefined} aria-describedby={`${id}-about`}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <FieldNotes id={`${id}-about`} hint={hint} fault={fault} />
    </div>
  )
}

function FieldNotes({ id, hint, fault }: { readonly id: string } & Pick<Label, 'hint' | 'fault'>) {
  return (
    <p id={id} className={fault === undefined ? 'field-hint' : 'field-fault'}>
      {fault ?? hint}
    </p>
  )
}
