import { Combobox as Base, ComboboxItem, ComboboxList, ComboboxProvider } from '@ariakit/react'
import './combobox.css'
import './command-list.css'

export interface Command {
  readonly id: string
  readonly name: string
  readonly about?: string | undefined
}

export const CommandList = ({
  label,
  placeholder,
  value,
  onType,
  commands,
  nothing,
  onChoose,
}: {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onType: (typed: string) => void
  readonly commands: readonly Command[]
  readonly nothing: string
  readonly onChoose: (id: string) => void
}) => (
  <ComboboxProvider value={value} setValue={onType} open resetValueOnHide={false}>
    <Base className="command-field" autoSelect="always" autoFocus placeholder={placeholder} aria-label={label} />
    <ComboboxList className="command-list" alwaysVisible>
      {commands.map(({ id, name, about }) => (
        <ComboboxItem
          key={id}
          className="combobox-choice"
          value={name}
          setValueOnClick={false}
          hideOnClick={false}
          onClick={() => onChoose(id)}
        >
          {name}
          {about && <small>{about}</small>}
        </ComboboxItem>
      ))}
    </ComboboxList>
    {commands.length === 0 && (
      <p className="combobox-nothing" role="status">
        {nothing}
      </p>
    )}
  </ComboboxProvider>
)
