import type { ApiKey, ApiKeyWithSecret } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { Button, DialogActions, fieldsOf, Notice, SelectField } from '../../ui/index.ts'

const graces = [
  ['86400', 'A day'],
  ['3600', 'An hour'],
  ['604800', 'A week'],
  ['0', 'No time: the key may have leaked'],
] as const

/** Both keys work for a while, so that the program can change over. */
export function RotateKeyForm({
  apiKey,
  onMade,
}: {
  readonly apiKey: ApiKey
  readonly onMade: (key: ApiKeyWithSecret) => void
}) {
  const rotating = useMutation({
    mutationFn: (gracePeriodSeconds: number) => risiti.apiKeys.rotate(apiKey.id, { gracePeriodSeconds }),
    onSuccess: ({ current }) => onMade(current),
  })
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => rotating.mutate(Number(fieldsOf(event).text('gracePeriodSeconds')))}
    >
      {rotating.isError && <Notice tone="bad">{wordsOf(rotating.error)}</Notice>}
      <SelectField label="The old key keeps working for" name="gracePeriodSeconds" options={graces} />
      <DialogActions>
        <Button kind="primary" type="submit" busy={rotating.isPending}>
          Create the new key
        </Button>
      </DialogActions>
    </form>
  )
}
