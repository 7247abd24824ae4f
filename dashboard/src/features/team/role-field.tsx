import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SelectField } from '../../ui/index.ts'
import { rolesQuery } from './roles.ts'

/** The owner role is missing because ownership is transferred, not given. */
export function RoleField({ chosen, fault }: { readonly chosen?: string; readonly fault: string | undefined }) {
  const roles = useQuery(rolesQuery)
  const open = roles.data?.filter(({ name }) => name !== 'OWNER') ?? []
  const [picked, setPicked] = useState(chosen)
  const current = picked ?? open.find(({ name }) => name === 'MEMBER')?.id ?? ''
  return (
    <SelectField
      label="Role"
      name="roleId"
      value={current}
      onChange={({ target }) => setPicked(target.value)}
      options={open.map(({ id, label }) => [id, label] as const)}
      hint={open.find(({ id }) => id === current)?.description}
      fault={fault}
    />
  )
}
