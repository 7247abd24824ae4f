import type { ConnectedProgram } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { Button, DialogActions, fieldsOf, Notice } from '../../ui/index.ts'
import { CapabilityChoice } from './capability-choice.tsx'
import { LimitFields, limitsIn } from './limit-fields.tsx'
import { useCurrencyOf } from './use-currency.ts'

/** Takes permissions away, and changes the limits. To give a program more, it is connected again. */
export function ChangeProgramForm({
  program,
  onDone,
}: {
  readonly program: ConnectedProgram
  readonly onDone: () => void
}) {
  const { id, capabilities, limits, resource, organizationId } = program
  const currencyOf = useCurrencyOf()
  const currency = limits.currency ?? currencyOf(organizationId)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(capabilities))
  const [typedFaults, setTypedFaults] = useState<Readonly<Record<string, string>>>({})
  const saving = useMutation({
    mutationFn: (body: Parameters<typeof risiti.programs.change>[1]) => risiti.programs.change(id, body),
    onSuccess: onDone,
  })
  const faults = { ...faultsOf(saving.error), ...typedFaults }
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        const now = limitsIn(fieldsOf(event), currency)
        if ('faults' in now) return setTypedFaults(now.faults)
        setTypedFaults({})
        saving.mutate({ capabilities: [...chosen] as never, ...(resource === 'mcp' ? { limits: now } : {}) })
      }}
    >
      <p>You can only take permissions away. To give more, connect the program again.</p>
      <CapabilityChoice names={capabilities} chosen={chosen} onChange={setChosen} />
      {resource === 'mcp' && <LimitFields limits={limits} currency={currency} faults={faults} />}
      {saving.isError && <Notice tone="bad">{wordsOf(saving.error)}</Notice>}
      {chosen.size === 0 && <Notice tone="warn">Tick at least one thing, or disconnect the program.</Notice>}
      <DialogActions>
        <Button kind="primary" type="submit" busy={saving.isPending} disabled={chosen.size === 0}>
          Save
        </Button>
      </DialogActions>
    </form>
  )
}
