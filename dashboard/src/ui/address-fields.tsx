import type { Address } from '@risiti/sdk'
import type { ReactNode } from 'react'
import { countries } from './countries.ts'
import { SelectField, TextField } from './field.tsx'
import type { fieldsOf } from './form.ts'
import { MoreFields } from './more-fields.tsx'
import './form.css'

const parts = ['line1', 'line2', 'city', 'state', 'lga', 'postalCode'] as const

/** The typed address, or `undefined` if all its fields are empty. */
export function addressIn({ text, maybe }: ReturnType<typeof fieldsOf>): Address | undefined {
  if (!parts.some((part) => text(part) !== '')) return undefined
  const optional = parts.filter((part) => part !== 'line1' && part !== 'city' && maybe(part) !== undefined)
  return {
    line1: text('line1'),
    city: text('city'),
    country: text('country'),
    ...Object.fromEntries(optional.map((part) => [part, text(part)])),
  }
}

export const AddressFields = ({
  address,
  country,
  districtName = null,
  isShort = false,
  more,
  faults,
}: {
  readonly address: Partial<Address> | null | undefined
  /** the default country */
  readonly country: string
  /** also asks for the part below the state, which people call so */
  readonly districtName?: string | null
  /** shows only the parts that documents need; the others are under "More" */
  readonly isShort?: boolean
  /** further fields of a short form, under "More" too, and whether one of them has a fault */
  readonly more?: { readonly fields: ReactNode; readonly isFaulty: boolean }
  /** by `address.` and the part */
  readonly faults: Readonly<Record<string, string>>
}) => {
  const field = (part: (typeof parts)[number], label: string) => (
    <TextField label={label} name={part} defaultValue={address?.[part] ?? ''} fault={faults[`address.${part}`]} />
  )
  const countryField = (
    <SelectField
      label="Country"
      name="country"
      options={countries}
      defaultValue={address?.country ?? country}
      fault={faults['address.country']}
    />
  )
  if (isShort) {
    const hidden = ['line2', 'lga', 'postalCode', 'country']
    return (
      <>
        {field('line1', 'Street and number')}
        <div className="form-pair">
          {field('city', 'City')}
          {field('state', 'State')}
        </div>
        <MoreFields isOpen={more?.isFaulty === true || hidden.some((part) => faults[`address.${part}`] !== undefined)}>
          {more?.fields}
          {field('line2', 'Address line 2')}
          <div className="form-pair">
            {districtName !== null && field('lga', districtName)}
            {field('postalCode', 'Postal code')}
            {countryField}
          </div>
        </MoreFields>
      </>
    )
  }
  return (
    <>
      {field('line1', 'Street and number')}
      {field('line2', 'Address line 2')}
      <div className="form-pair">
        {field('city', 'City')}
        {field('state', 'State')}
        {districtName !== null && field('lga', districtName)}
        {field('postalCode', 'Postal code')}
        {countryField}
      </div>
    </>
  )
}
