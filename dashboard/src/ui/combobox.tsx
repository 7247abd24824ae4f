import { Combobox as Base, ComboboxItem, ComboboxLabel, ComboboxPopover, ComboboxProvider } from '@ariakit/react'
import { type ReactNode, useId } from 'react'
import './field.css'
import './combobox.css'

export interface Choice {
  readonly id: string
  readonly name: string
  /** distinguishes entries with the same name */
  readonly about?: string | null
}

export const Combobox = ({
  label,
  value,
  onType,
  choices,
  onChoose,
  create,
  placeholder,
  nothing,
  hint,
  fault,
}: {
  readonly label: ReactNode
  readonly value: string
  readonly onType: (typed: string) => void
  readonly choices: readonly Choice[]
  readonly onChoose: (choice: Choice) => void
  /** the last entry, which adds what was typed */
  readonly create?: { readonly words: string; readonly onCreate: () => void } | undefined
  readonly placeholder?: string
  /** shown only after a search without results */
  readonly nothing?: string | undefined
  readonly hint?: ReactNode
  readonly fault?: string | undefined
}) => {
  const about = useId()
  return (
    <div className="field">
      <ComboboxProvider value={value} setValue={onType} resetValueOnHide={false}>
        <ComboboxLabel>{label}</ComboboxLabel>
        <Base
          placeholder={placeholder}
          autoSelect
          aria-invalid={fault !== undefined || undefined}
          aria-describedby={about}
        />
        <ComboboxPopover gutter={4} sameWidth className="combobox">
          {choices.map((choice) => (
            <ComboboxItem
              key={choice.id}
              className="combobox-choice"
              value={choice.name}
              setValueOnClick={false}
              onClick={() => onChoose(choice)}
            >
              {choice.name}
              {choice.about && <small>{choice.about}</small>}
            </ComboboxItem>
          ))}
          {choices.length === 0 && (nothing ?? !create) && (
            <p className="combobox-nothing">{nothing ?? 'Searching …'}</p>
          )}
          {create && (
            <ComboboxItem
              className="combobox-choice combobox-create"
              setValueOnClick={false}
              onClick={() => create.onCreate()}
            >
              {create.words}
            </ComboboxItem>
          )}
        </ComboboxPopover>
      </ComboboxProvider>
      <p id={about} className={fault === undefined ? 'field-hint' : 'field-fault'}>
        {fault ?? hint}
      </p>
    </div>
  )
}
