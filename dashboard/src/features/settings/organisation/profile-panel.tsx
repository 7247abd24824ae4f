import type { Organization } from '@risiti/sdk'
import { faultsOf, wordsOf } from '../../../api/queries.ts'
import { useMay } from '../../../session/session.tsx'
import { countries } from '../../../ui/countries.ts'
import { Button, fieldsOf, Notice, Panel, SelectField, TextField } from '../../../ui/index.ts'
import { useChange } from './use-change.ts'

export function ProfilePanel({ organisation }: { readonly organisation: Organization }) {
  const mayChange = useMay('organization.update')
  const saving = useChange()
  const faults = faultsOf(saving.error)
  const { address } = organisation
  return (
    <Panel title="Profile" about="It stands on your invoices and in the mails to your buyers.">
      <form
        onSubmit={(event) => {
          const { text, maybe } = fieldsOf(event)
          const contactEmail = maybe('contactEmail')
          const website = maybe('website')
          const hasAddress = ['line1', 'line2', 'city', 'state', 'postalCode'].some((name) => text(name) !== '')
          saving.mutate({
            name: text('name'),
            ...(contactEmail && contactEmail !== organisation.contactEmail ? { contactEmail } : {}),
            ...(website && website !== organisation.website ? { website } : {}),
            ...(hasAddress
              ? {
                  address: {
                    line1: text('line1'),
                    line2: maybe('line2'),
                    city: text('city'),
                    state: text('state'),
                    postalCode: maybe('postalCode'),
                    country: text('country'),
                  },
                }
              : {}),
          })
        }}
      >
        {saving.isError && <Notice tone="bad">{wordsOf(saving.error)}</Notice>}
        {saving.isSuccess && <Notice tone="good">Saved.</Notice>}
        <TextField label="Name" name="name" required defaultValue={organisation.name} fault={faults.name} />
        <TextField
          label="Email for questions"
          name="contactEmail"
          type="email"
          defaultValue={organisation.contactEmail ?? ''}
          fault={faults.contactEmail}
        />
        <TextField
          label="Website"
          name="website"
          type="url"
          placeholder="https://"
          defaultValue={organisation.website ?? ''}
          fault={faults.website}
        />
        <TextField
          label="Street and number"
          name="line1"
          defaultValue={address?.line1}
          fault={faults['address.line1']}
        />
        <TextField label="More of it" name="line2" defaultValue={address?.line2} fault={faults['address.line2']} />
        <TextField label="City" name="city" defaultValue={address?.city} fault={faults['address.city']} />
        <TextField label="State" name="state" defaultValue={address?.state} fault={faults['address.state']} />
        <TextField
          label="Postal code"
          name="postalCode"
          defaultValue={address?.postalCode}
          fault={faults['address.postalCode']}
        />
        <SelectField
          label="Country"
          name="country"
          options={countries}
          defaultValue={address?.country ?? organisation.country}
          fault={faults['address.country']}
        />
        {mayChange && (
          <Button kind="primary" type="submit" busy={saving.isPending}>
            Save the profile
          </Button>
        )}
      </form>
    </Panel>
  )
}
