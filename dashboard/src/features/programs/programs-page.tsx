import type { ConnectedProgram } from '@risiti/sdk'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'
import {
  Badge,
  Button,
  ConfirmDialog,
  Dialog,
  EmptyState,
  ListTable,
  momentText,
  money,
  Panel,
} from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { SettingsHead } from '../settings/settings-head.tsx'
import { ChangeProgramForm } from './change-program-form.tsx'
import './programs.css'

const listKey = ['connected-programs']
const pageSize = 10

type OpenDialog = { readonly what: 'change' | 'revoke'; readonly program: ConnectedProgram }

/** Programs that people connected: their own ones, and for those who look after keys those of other members. */
export function ProgramsPage() {
  const client = useQueryClient()
  const maySeeOthers = useMay('api_key.read')
  const [dialog, setDialog] = useState<OpenDialog>()
  const own = useProgramList('own')
  const others = useProgramList('others', maySeeOthers)
  const close = () => setDialog(undefined)
  const changed = () => client.invalidateQueries({ queryKey: listKey })
  return (
    <>
      <SettingsHead />
      <Panel
        title="Connected programs"
        about="These programs work for you, such as an assistant or the command line. Disconnect what you do not use."
      >
        <LoadState query={own} />
        {own.data?.pagination.total === 0 && (
          <EmptyState title="No programs yet">
            A program asks you when it wants to work for you. You then choose what it may do.
          </EmptyState>
        )}
        {own.data && own.data.pagination.total > 0 && (
          <ProgramTable list={own.data} scope="own" label="Connected programs" onAsk={setDialog} />
        )}
      </Panel>
      {others.data && others.data.pagination.total > 0 && (
        <Panel title="Programs of other members" about="Members of this organisation connected these programs.">
          <ProgramTable list={others.data} scope="others" label="Programs of other members" onAsk={setDialog} />
        </Panel>
      )}
      {dialog?.what === 'change' && (
        <Dialog title={`Change ${dialog.program.program.name}`} open onClose={close}>
          <ChangeProgramForm
            program={dialog.program}
            onDone={async () => {
              close()
              await changed()
            }}
          />
        </Dialog>
      )}
      {dialog?.what === 'revoke' && (
        <ConfirmDialog
          title={`Disconnect ${dialog.program.program.name}?`}
          action="Disconnect"
          open
          onClose={close}
          onConfirm={async () => {
            await risiti.programs.revoke(dialog.program.id)
            await changed()
          }}
        >
          The program loses access at once. To use it again, connect it again in the program.
        </ConfirmDialog>
      )}
    </>
  )
}

type Scope = 'own' | 'others'

/** One page of the list. After its last program is disconnected, the page before. */
function useProgramList(scope: Scope, enabled = true) {
  const search = useSearch({ from: '/inside/settings/programs' })
  const page = (scope === 'own' ? search.page : search.others) ?? 1
  return useQuery({
    queryKey: [...listKey, scope, page],
    queryFn: async () => {
      const found = await risiti.programs.list({ scope, page, limit: pageSize })
      const { totalPages } = found.pagination
      return page <= totalPages || totalPages === 0
        ? found
        : await risiti.programs.list({ scope, page: totalPages, limit: pageSize })
    },
    placeholderData: keepPreviousData,
    enabled,
  })
}

type ProgramList = Awaited<ReturnType<typeof risiti.programs.list>>

function ProgramTable({
  list,
  scope,
  label,
  onAsk,
}: {
  readonly list: Pick<ProgramList, 'data' | 'pagination'>
  readonly scope: Scope
  readonly label: string
  readonly onAsk: (dialog: OpenDialog) => void
}) {
  const search = useSearch({ from: '/inside/settings/programs' })
  return (
    <>
      <ProgramRows programs={list.data} label={label} onAsk={onAsk} areOfOthers={scope === 'others'} />
      <Pagination
        {...list.pagination}
        label={`Pages of ${label.toLowerCase()}`}
        link={(page, words, isCurrent) => (
          <Link
            to="/settings/programs"
            search={scope === 'own' ? { ...search, page } : { ...search, others: page }}
            aria-current={isCurrent ? 'page' : undefined}
          >
            {words}
          </Link>
        )}
      />
    </>
  )
}

function ProgramRows({
  programs,
  label,
  onAsk,
  areOfOthers,
}: {
  readonly programs: readonly ConnectedProgram[]
  readonly label: string
  readonly onAsk: (dialog: OpenDialog) => void
  readonly areOfOthers: boolean
}) {
  const mayRevoke = useMay('api_key.revoke')
  return (
    <ListTable label={label} heads={['Program', 'Works in', 'Limits', 'Last used', 'actions']}>
      {programs.map((one) => (
        <tr key={one.id}>
          <th scope="row">
            <span className="program-name">{one.program.name}</span>
            <div className="table-more">
              {areOfOthers ? `${one.person.name}. ` : ''}
              {one.program.isBuiltIn ? 'Made by Risiti' : (one.program.host ?? 'Name not checked')}
            </div>
          </th>
          <td className="table-long">
            {one.organizationName} {one.mode === 'live' ? <Badge tone="warn">Live</Badge> : 'Sandbox'}
            <div className="table-more">
              {one.capabilities.length} permissions, {one.resource === 'mcp' ? 'tools for assistants' : 'whole API'}
            </div>
          </td>
          <td>
            {limitWords(one).map((words) => (
              <div key={words}>{words}</div>
            ))}
            {one.resource === 'mcp' && <div className="table-more">Today: {todayWords(one)}</div>}
          </td>
          <td className="program-moment">{one.lastUsedAt === null ? 'Never' : momentText(one.lastUsedAt)}</td>
          <td>
            <div className="table-actions">
              {!areOfOthers && (
                <Button
                  aria-label={`Change ${one.program.name}`}
                  onClick={() => onAsk({ what: 'change', program: one })}
                >
                  Change
                </Button>
              )}
              {(!areOfOthers || mayRevoke) && (
                <Button
                  kind="danger"
                  aria-label={`Disconnect ${one.program.name}`}
                  onClick={() => onAsk({ what: 'revoke', program: one })}
                >
                  Disconnect
                </Button>
              )}
            </div>
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

function limitWords({ limits }: ConnectedProgram): readonly string[] {
  const { amountMinorPerChange, amountMinorPerDay, currency, changesPerDay } = limits
  const words = [
    amountMinorPerChange !== null && currency !== null && `${money(amountMinorPerChange, currency)} in one change`,
    amountMinorPerDay !== null && currency !== null && `${money(amountMinorPerDay, currency)} in a day`,
    changesPerDay !== null && (changesPerDay === 1 ? '1 change in a day' : `${changesPerDay} changes in a day`),
  ].filter((text) => text !== false)
  return words.length === 0 ? ['None'] : words
}

/** What a program for the tools confirmed. Others are not counted. */
function todayWords({ limits, spentToday }: ConnectedProgram): string {
  const { amountMinor, changes } = spentToday
  const count = changes === 1 ? '1 change' : `${changes} changes`
  return limits.currency === null ? count : `${count}, ${money(amountMinor, limits.currency)}`
}
