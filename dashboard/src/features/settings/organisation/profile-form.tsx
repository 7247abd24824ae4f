import type { Organization } from '@risiti/sdk'
import { faultsOf, wordsOf } from '../../../api/queries.ts'
import { useMay } from '../../../session/session.tsx'
import { AddressFields, addressIn } from '../../../ui/address-fields.tsx'
import { Button, fieldsOf, Notice, TextField } from '../../../ui/index.ts'
import { useChange } from './use-change.ts'

/** The details of the organisation that its documents show. */
export function ProfileForm({
  organisation,
  isShort = false,
  onDone,
}: {
  readonly organisation: Organization
  /** shows only what the tax authority needs; the other fields are under "More" */
  readonly isShort?: boolean
  readonly onDone?: () => void
}) {
  const mayChange = useMay('organization.update')
  const saving = useChange(undefined, onDone)
  const faults = faultsOf(saving.error)
  const { address } = organisation
  const website = (
    <TextField
      label="Website"
      name="website"
      type="url"
      placeholder="https://"
      defaultValue={organisation.website ?? ''}
      fault={faults.website}
    />
  )
  return (
    <form
      className="dialog-form"
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
        required={isShort}
        defaultValue={organisation.contactEmail ?? ''}
        fault={faults.contactEmail}
      />
      {!isShort && website}
      <AddressFields
        address={address}
        country={organisation.country}
        isShort={isShort}
        more={{ fields: website, isFaulty: faults.website !== undefined }}
        faults={faults}
      />
      {mayChange && (
        <Button kind="primary" type="submit" busy={saving.isPending}>
          Save the profile
        </Button>
      )}
    </form>
  )
}
