import type { ComponentProps, ReactNode } from 'react'
import './check-field.css'

export const CheckField = ({ label, ...input }: { readonly label: ReactNode } & ComponentProps<'input'>) => (
  <label className="check-field">
    <input {...input} type="checkbox" />
    <span>{label}</span>
  </label>
)
