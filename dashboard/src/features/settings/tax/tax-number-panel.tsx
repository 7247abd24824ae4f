import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../../api/client.ts'
import { faultsOf, wordsOf } from '../../../api/queries.ts'
import { useCountry } from '../../../session/country.ts'
import { Button, DialogActions, fieldsOf, Notice, Panel, TextField } from '../../../ui/index.ts'

/** In live mode the authority must confirm the organisation's tax number before a connection. */
export function TaxNumberPanel() {
  const client = useQueryClient()
  const { taxIdTypes } = useCountry()
  const sellers = useQuery({ queryKey: ['sellers', 'own'], queryFn: async () => await risiti.sellers.list({}) })
  const confirming = useMutation({
    mutationFn: (taxId: string) => risiti.organisations.verifyTaxNumber({ taxId }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['sellers'] }),
  })
  const own = sellers.data?.data[0]
  if (!own) return null
  const isConfirmed = own.taxIdStatus === 'verified'
  return (
    <Panel
      title="Your tax number"
      about="The tax authority must confirm this number before you connect. The authority’s record of your business must show this number and the name of your organisation."
    >
      {isConfirmed ? (
        <Notice tone="good">{own.taxId} is confirmed.</Notice>
      ) : (
        <form className="dialog-form" onSubmit={(event) => confirming.mutate(fieldsOf(event).text('taxId'))}>
          {confirming.isError && <Notice tone="bad">{wordsOf(confirming.error)}</Notice>}
          <TextField
            label="Tax number"
            name="taxId"
            required
            autoComplete="off"
            placeholder={taxIdTypes[0]?.example ?? undefined}
            defaultValue={own.taxId ?? undefined}
            fault={faultsOf(confirming.error).taxId}
          />
          <DialogActions>
            <Button type="submit" busy={confirming.isPending}>
              Confirm the tax number
            </Button>
          </DialogActions>
        </form>
      )}
    </Panel>
  )
}
