import type { Organization } from '@risiti/sdk'
import { faultsOf, wordsOf } from '../../../api/queries.ts'
import { useMay } from '../../../session/session.tsx'
import { AddressFields, addressIn } from '../../../ui/address-fields.tsx'
import { Button, fieldsOf, Notice, Panel, TextField } from '../../../ui/index.ts'
import { useChange } from './use-change.ts'

export function ProfilePanel({ organisation }: { readonly organisation: Organization }) {
  const mayChange = useMay('organization.update')
  const saving = useChange()
  const faults = faultsOf(saving.error)
  const { address } = organisation
  return (
    <Panel title="Profile" about="Your invoices and your emails to buyers show these details.">
      <form
        onSubmit={(event) => {
          const fields = fieldsOf(event)
          const { text, maybe } = fields
          const contactEmail = maybe('contactEmail')
          const website = maybe('website')
          const given = addressIn(fields)
          saving.mutate({
            name: text('name'),
            ...(contactEmail && contactEmail !== organisation.contactEmail ? { contactEmail } : {}),
            ...(website && website !== organisation.website ? { website } : {}),
            // An address without a state is invalid. The service reports that at the field.
            ...(given ? { address: { ...given, state: given.state ?? '' } } : {}),
          })
        }}
      >
        {saving.isError && <Notice tone="bad">{wordsOf(saving.error)}</Notice>}
        {saving.isSuccess && <Notice tone="good">Saved.</Notice>}
        <TextField label="Name" name="name" required defaultValue={organisation.name} fault={faults.name} />
        <TextField
          label="Contact email"
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
        <AddressFields address={address} country={organisation.country} faults={faults} />
        {mayChange && (
          <Button kind="primary" type="submit" busy={saving.isPending}>
            Save the profile
          </Button>
        )}
      </form>
    </Panel>
  )
}
