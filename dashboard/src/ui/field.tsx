import { type ComponentProps, type ReactNode, useId, useRef, useState } from 'react'
import type { Term } from '../words/glossary.ts'
import { useFirstFault } from './first-fault.ts'
import { Help } from './help.tsx'
import './field.css'

interface Label {
  readonly label: ReactNode
  /** help that is visible before any error */
  readonly hint?: ReactNode
  /** a term of the label that needs an explanation */
  readonly help?: Term | undefined
  readonly fault?: string | undefined
}

/** Screen readers read the error together with the field. */
export function TextField({ label, hint, help, fault, ...input }: Label & ComponentProps<'input'>) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useFirstFault(field, fault)
  const isSecret = input.type === 'password'
  const [isShown, setShown] = useState(false)
  const control = (
    <input
      ref={field}
      id={id}
      {...input}
      {...(isSecret && isShown ? { type: 'text', autoCapitalize: 'none', spellCheck: false } : {})}
      aria-invalid={fault !== undefined || undefined}
      aria-describedby={`${id}-about`}
    />
  )
  return (
    <div className="field">
      <FieldLabel id={id} label={label} help={help} />
      {isSecret ? (
        <div className="field-secret">
          {control}
          <button type="button" aria-controls={id} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
          </button>
        </div>
      ) : (
        control
      )}
      <FieldNotes id={`${id}-about`} hint={hint} fault={fault} />
    </div>
  )
}

export function AreaField({ label, hint, help, fault, ...area }: Label & ComponentProps<'textarea'>) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  useFirstFault(field, fault)
  return (
    <div className="field">
      <FieldLabel id={id} label={label} help={help} />
      <textarea
        ref={field}
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
  help,
  fault,
  options,
  ...select
}: Label & ComponentProps<'select'> & { readonly options: readonly (readonly [value: string, text: string])[] }) {
  const id = useId()
  const field = useRef<HTMLSelectElement>(null)
  useFirstFault(field, fault)
  return (
    <div className="field">
      <FieldLabel id={id} label={label} help={help} />
      <select
        ref={field}
        id={id}
        {...select}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={`${id}-about`}
      >
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

function FieldLabel({ id, label, help }: { readonly id: string } & Pick<Label, 'label' | 'help'>) {
  const words = <label htmlFor={id}>{label}</label>
  if (help === undefined) return words
  return (
    <div className="field-label">
      {words}
      <Help of={help} />
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
