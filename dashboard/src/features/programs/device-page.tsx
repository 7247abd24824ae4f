import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { faultsOf } from '../../api/queries.ts'
import { Button, fieldsOf, Notice, TextField } from '../../ui/index.ts'
import { OutsidePage } from '../sign-in/outside-page.tsx'
import { Consent, failureWords } from './consent.tsx'

/** As programs show it: four letters, a hyphen, four letters. */
const codeText = (typed: string): string => {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return letters.length === 8 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : typed.toUpperCase()
}

/** A program shows a code, on this machine or another. */
export function DevicePage() {
  const { code } = useSearch({ from: '/signed-in/connect/device' })
  const finding = useMutation({
    mutationFn: async (userCode: string) => ({ userCode, request: await risiti.programs.findRequest({ userCode }) }),
  })
  if (finding.data) return <Consent request={finding.data.request} code={codeText(finding.data.userCode)} />
  return (
    <OutsidePage title="Connect a program">
      <p>Your program shows a code. Enter it here. Compare it if it is already filled in.</p>
      <form
        className="outside-form"
        onSubmit={(event) => {
          const userCode = fieldsOf(event).text('code')
          finding.mutate(userCode)
        }}
      >
        {finding.isError && <Notice tone="bad">{wordsFor(finding.error)}</Notice>}
        <TextField
          label="Code"
          name="code"
          className="program-code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          required
          autoFocus
          hint="Eight letters, such as BCDF-GHJK."
          defaultValue={code === undefined ? '' : codeText(code)}
          fault={faultsOf(finding.error).userCode}
        />
        <Button kind="primary" type="submit" busy={finding.isPending}>
          Continue
        </Button>
      </form>
    </OutsidePage>
  )
}

const wordsFor = (error: unknown): string =>
  (error as { readonly status?: unknown } | null)?.status === 404
    ? 'No program waits with this code. Compare it with your program, or start the program again: a code works for ten minutes.'
    : failureWords(error)
