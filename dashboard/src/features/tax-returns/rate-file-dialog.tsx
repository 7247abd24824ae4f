import { useMutation, useQueryClient } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useCountry } from '../../session/country.ts'
import { Button, Dialog, DialogActions, Notice } from '../../ui/index.ts'
import { say } from '../../ui/toast.tsx'
import '../../ui/form.css'

/** Imports exchange rates from a CSV file. */
export function RateFileDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const { currency: home } = useCountry()
  const importing = useMutation({
    mutationFn: async (file: File) => await risiti.taxReturns.importRates({ content: await file.text() }),
    onSuccess: async ({ saved }) => {
      say(`${saved} exchange rates are saved.`)
      onClose()
      await client.invalidateQueries({ queryKey: ['tax-returns'] })
    },
  })
  const faults = Object.values(faultsOf(importing.error))
  return (
    <Dialog title="Import exchange rates" open onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          const file = new FormData(event.currentTarget).get('file')
          if (file instanceof File && file.size > 0) importing.mutate(file)
        }}
      >
        {importing.isError && (
          <Notice tone="bad" title={wordsOf(importing.error)}>
            {faults.length > 0 && (
              <ul>
                {faults.map((words) => (
                  <li key={words}>{words}</li>
                ))}
              </ul>
            )}
          </Notice>
        )}
        <p>
          A CSV file with the columns currency, day and rate: for example USD, 2026-01-14 and 1536.25, the price of one
          dollar in {home}. Nothing is saved if a row has a fault.
        </p>
        <label className="field">
          <span>File</span>
          <input type="file" name="file" accept=".csv,text/csv" required />
        </label>
        <DialogActions>
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" type="submit" busy={importing.isPending}>
            Import
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
