import type { IdentityRegisterBody } from '@risiti/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { countriesQuery } from '../../session/country.ts'
import { countries } from '../../ui/countries.ts'
import { Button, fieldsOf, Notice, SelectField, TextField } from '../../ui/index.ts'
import { OutsidePage } from './outside-page.tsx'

export function RegisterPage() {
  const { next } = useSearch({ from: '/register' })
  const navigate = useNavigate()
  const served = useQuery(countriesQuery).data?.[0]?.country
  const registering = useMutation({
    mutationFn: (given: IdentityRegisterBody) => risiti.identity.register(given),
    onSuccess: ({ email }) => navigate({ to: '/verify-email', search: { email, next } }),
  })
  const faults = faultsOf(registering.error)
  return (
    <OutsidePage title="Create an account">
      <form
        className="outside-form"
        onSubmit={(event) => {
          const { text, typed } = fieldsOf(event)
          registering.mutate({
            email: text('email'),
            password: typed('password'),
            firstName: text('firstName'),
            lastName: text('lastName'),
            organizationName: text('organizationName'),
            country: text('country'),
          })
        }}
      >
        {registering.isError && Object.keys(faults).length === 0 && (
          <Notice tone="bad">{wordsOf(registering.error)}</Notice>
        )}
        <div className="outside-pair">
          <TextField label="First name" name="firstName" autoComplete="given-name" required fault={faults.firstName} />
          <TextField label="Last name" name="lastName" autoComplete="family-name" required fault={faults.lastName} />
        </div>
        <TextField
          label="Name of your business"
          name="organizationName"
          autoComplete="organization"
          required
          fault={faults.organizationName}
        />
        <SelectField
          label="Country"
          name="country"
          options={countries}
          key={served}
          defaultValue={served}
          fault={faults.country}
        />
        <TextField label="Email" name="email" type="email" autoComplete="username" required fault={faults.email} />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          hint="At least 8 characters, and not a common password. Several unusual words together are safest."
          fault={faults.password}
        />
        <Button kind="primary" type="submit" busy={registering.isPending}>
          Create the account
        </Button>
      </form>
      <p className="outside-else">
        Already have an account?{' '}
        <Link to="/sign-in" search={{ next }}>
          Sign in
        </Link>
      </p>
    </OutsidePage>
  )
}
