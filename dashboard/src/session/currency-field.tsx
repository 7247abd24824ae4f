import type { ComponentProps } from 'react'
import { SelectField } from '../ui/index.ts'
import { useCountry } from './country.ts'

/** A choice of the currencies that documents of the organisation's country can have. Its own currency comes first. */
export function CurrencyField(field: Omit<ComponentProps<typeof SelectField>, 'label' | 'options'>) {
  const { currency, currencies } = useCountry()
  const chosen = field.value ?? field.defaultValue
  const all = [currency, ...currencies.map(({ code }) => code), ...(typeof chosen === 'string' ? [chosen] : [])]
  const options = [...new Set(all)].filter((code) => code !== '').map((code) => [code, code] as const)
  return <SelectField label="Currency" options={options} {...field} />
}
