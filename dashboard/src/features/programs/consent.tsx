import type { Mode, ProgramRequest } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useSession } from '../../session/session.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Button, DialogActions, fieldsOf, momentText, Notice, SelectField } from '../../ui/index.ts'
import { OutsidePage } from '../sign-in/outside-page.tsx'
import { Answered, type ProgramAnswer } from './answered.tsx'
import { CapabilityChoice } from './capability-choice.tsx'
import { LimitFields, limitsIn, noLimits } from './limit-fields.tsx'
import { useCurrencyOf } from './use-currency.ts'
import './programs.css'

/** Shows who asks for what, and takes the answer of the person. The code is the one that the program shows, if it shows one. */
export function Consent({ request, code }: { readonly request: ProgramRequest; readonly code?: string | undefined }) {
  const { user } = useSession()
  const [answer, setAnswer] = useState<ProgramAnswer>()
  const { program, organizations } = request
  if (answer) return <Answered answer={answer} program={program} />
  return (
    <OutsidePage title="Connect a program">
      <p>
        <strong className="program-name">{program.name}</strong> asks to work for you in Risiti. You are signed in as{' '}
        {user?.email}.
      </p>
      <WhoAsks request={request} code={code} />
      {organizations.length === 0 ? (
        <Notice tone="warn">You belong to no organisation yet. Create one first, and then start again.</Notice>
      ) : (
        <ConsentForm request={request} onAnswer={setAnswer} />
      )}
    </OutsidePage>
  )
}

function WhoAsks({ request, code }: { readonly request: ProgramRequest; readonly code: string | undefined }) {
  const { program, askedFrom, redirectHost, expiresAt } = request
  const isHere = redirectHost !== null && /^(localhost|127\.|\[::1\])/.test(redirectHost)
  return (
    <>
      <Notice tone={program.isBuiltIn && askedFrom === null ? 'info' : 'warn'}>
        {askedFrom
          ? 'Allow this only if you started the program yourself just now, and it shows this code. If somebody sent you the code or this page, refuse.'
          : 'Allow this only if you started the program yourself just now. If somebody sent you this page, refuse.'}
      </Notice>
      <Facts
        facts={[
          ['Code', code && <strong className="program-code">{code}</strong>],
          ['Made by', madeBy(request)],
          ['Asks from', askedFrom && `${askedFrom.address}, ${askedFrom.userAgent.slice(0, 120) || 'without a name'}`],
          ['Gets the answer at', redirectHost && (isHere ? `this computer (${redirectHost})` : redirectHost)],
          ['Answer until', momentText(expiresAt)],
        ]}
      />
    </>
  )
}

const madeBy = ({ program }: ProgramRequest): string =>
  program.isBuiltIn
    ? 'Risiti. But others can use this name too.'
    : program.host === null
      ? 'Unknown. Nobody has checked its name.'
      : `${program.host}. Nobody else has checked its name.`

function ConsentForm({
  request,
  onAnswer,
}: {
  readonly request: ProgramRequest
  readonly onAnswer: (answer: ProgramAnswer) => void
}) {
  const { id, organizations, requestedCapabilities, resource } = request
  const { organizationId: current } = useSession()
  const currencyOf = useCurrencyOf()
  const [first] = organizations
  const [organisationId, setOrganisationId] = useState(
    organizations.find((each) => each.id === current)?.id ?? first?.id ?? '',
  )
  const [mode, setMode] = useState<Mode>('sandbox')
  const organisation = organizations.find((each) => each.id === organisationId)
  const offered = requestedCapabilities.filter((name) => organisation?.capabilities.includes(name))
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set())
  const [typedFaults, setTypedFaults] = useState<Readonly<Record<string, string>>>({})
  const chosen = new Set(offered.filter((name) => !unticked.has(name)))
  const currency = currencyOf(organisationId)
  const answering = useMutation({
    mutationFn: (act: () => Promise<ProgramAnswer>) => act(),
    onSuccess: onAnswer,
  })
  const faults = { ...faultsOf(answering.error), ...typedFaults }
  const lacking = requestedCapabilities.length - offered.length
  return (
    <form
      className="outside-form"
      onSubmit={(event) => {
        const limits = resource === 'mcp' ? limitsIn(fieldsOf(event), currency) : noLimits
        event.preventDefault()
        if ('faults' in limits) return setTypedFaults(limits.faults)
        setTypedFaults({})
        const capabilities = [...chosen] as never
        answering.mutate(async () => {
          const body = { organizationId: organisationId, mode, capabilities, limits }
          return { isAllowed: true, ...(await risiti.programs.approveRequest(id, body)) }
        })
      }}
    >
      {organizations.length === 1 ? (
        <p>
          Organisation: <strong>{organisation?.name}</strong>
        </p>
      ) : (
        <SelectField
          label="Organisation"
          value={organisationId}
          onChange={({ currentTarget }) => setOrganisationId(currentTarget.value)}
          options={organizations.map((each) => [each.id, each.name])}
          fault={faults.organizationId}
        />
      )}
      <SelectField
        label="Mode"
        value={mode}
        onChange={({ currentTarget }) => setMode(currentTarget.value as Mode)}
        options={[
          ['sandbox', 'Sandbox: nothing is real'],
          ['live', 'Live: real invoices and real money'],
        ]}
        fault={faults.mode}
      />
      <CapabilityChoice
        names={offered}
        chosen={chosen}
        onChange={(now) => setUnticked(new Set(offered.filter((name) => !now.has(name))))}
      />
      {lacking > 0 && <p>It asks for {lacking} more that you may not do in this organisation. It does not get them.</p>}
      {resource === 'mcp' ? (
        <LimitFields limits={noLimits} currency={currency} faults={faults} />
      ) : (
        <p>This program uses the whole API. It can have no spending limits, so untick what it must not do.</p>
      )}
      {answering.isError && <Notice tone="bad">{failureWords(answering.error)}</Notice>}
      {chosen.size === 0 && <Notice tone="warn">Tick at least one thing, or refuse.</Notice>}
      <DialogActions>
        <Button
          type="button"
          busy={answering.isPending}
          onClick={() =>
            answering.mutate(async () => ({ isAllowed: false, ...(await risiti.programs.denyRequest(id)) }))
          }
        >
          Refuse
        </Button>
        <Button kind="primary" type="submit" busy={answering.isPending} disabled={chosen.size === 0}>
          Allow
        </Button>
      </DialogActions>
    </form>
  )
}

/** The request itself may be gone: answered in another window, or too old. */
export const failureWords = (error: unknown): string =>
  isGone(error) ? 'This request is unknown, too old, or answered already. Start again in the program.' : wordsOf(error)

const isGone = (error: unknown): boolean => (error as { readonly status?: unknown } | null)?.status === 404
