import type { NewTestClockMove, SandboxTime, TestClockMove } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { testClockQuery } from '../../api/test-clock.ts'
import { useMay, useSession } from '../../session/session.tsx'
import { Facts } from '../../ui/facts.tsx'
import {
  Badge,
  Button,
  DialogActions,
  EmptyState,
  fieldsOf,
  ListTable,
  momentText,
  Notice,
  Panel,
  TextField,
  type Tone,
} from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { DevelopersHead } from './developers-head.tsx'
import './developers.css'

const spans = [
  ['A day', { days: 1 }],
  ['A week', { weeks: 1 }],
  ['A month', { months: 1 }],
] as const

const statusWords: Readonly<Record<TestClockMove['status'], readonly [Tone, string]>> = {
  advancing: ['info', 'Under way'],
  ready: ['good', 'Ready'],
  stopped: ['bad', 'Stopped'],
}

/** Moves the time of the sandbox forward, and shows what happened. */
export function TestClockPage() {
  const { mode } = useSession()
  return (
    <>
      <DevelopersHead />
      {mode === 'live' ? (
        <EmptyState title="Live has the real time">Switch to the sandbox to move its time forward.</EmptyState>
      ) : (
        <SandboxClock />
      )}
    </>
  )
}

function SandboxClock() {
  const clock = useQuery(testClockQuery)
  useNewsAfterMove(clock.data)
  if (!clock.data) return <LoadState query={clock} />
  return (
    <>
      <Panel
        title="Time of the sandbox"
        about="Everything that waits for time happens as if it had passed: recurring invoices, deadlines, due dates. Live is not touched, and time never goes backwards."
      >
        <Facts
          facts={[
            ['Sandbox', momentText(clock.data.now)],
            ['Real time', momentText(clock.data.realNow)],
          ]}
        />
        <MoveForm clock={clock.data} />
      </Panel>
      {clock.data.move && <LastMove move={clock.data.move} />}
    </>
  )
}

/** After a move, everything that pages show may have changed. */
function useNewsAfterMove(clock: SandboxTime | undefined): void {
  const client = useQueryClient()
  const before = useRef<string>(undefined)
  const seen = clock?.move && `${clock.move.id} ${clock.move.status}`
  useEffect(() => {
    if (before.current !== undefined && before.current !== seen)
      void client.invalidateQueries({
        predicate: ({ queryKey }) => !['session', 'test-clock'].includes(String(queryKey[0])),
      })
    before.current = seen ?? ''
  }, [seen, client])
}

function MoveForm({ clock }: { readonly clock: SandboxTime }) {
  const mayMove = useMay('webhook.endpoint.test')
  const client = useQueryClient()
  const { once, renew } = useOneKey()
  const moving = useMutation({
    mutationFn: async (to: NewTestClockMove) => await risiti.testClock.move(to, once(to)),
    onSuccess: async () => {
      renew()
      await client.invalidateQueries({ queryKey: testClockQuery.queryKey })
    },
  })
  if (!mayMove) return null
  const isMoving = moving.isPending || clock.move?.status === 'advancing'
  const { to, by } = faultsOf(moving.error)
  return (
    <form
      onSubmit={(event) => {
        const day = fieldsOf(event).text('to')
        if (day) moving.mutate({ to: new Date(`${day}T12:00:00`).toISOString() })
      }}
    >
      {moving.isError && <Notice tone="bad">{by ?? (to ? 'Choose another date.' : wordsOf(moving.error))}</Notice>}
      <DialogActions>
        {spans.map(([words, span]) => (
          <Button key={words} disabled={isMoving} onClick={() => moving.mutate({ by: span })}>
            {words} forward
          </Button>
        ))}
      </DialogActions>
      <TextField label="To noon of a day" name="to" type="date" fault={to} />
      <Button kind="primary" type="submit" busy={isMoving}>
        Move to this day
      </Button>
    </form>
  )
}

function LastMove({ move }: { readonly move: TestClockMove }) {
  const [tone, words] = statusWords[move.status]
  const whole = Date.parse(move.toAt) - Date.parse(move.fromAt)
  const done = Date.parse(move.reachedAt) - Date.parse(move.fromAt)
  return (
    <Panel title="Last move" action={<Badge tone={tone}>{words}</Badge>}>
      {move.status === 'advancing' && <progress aria-label="Progress of the move" max={whole} value={done} />}
      {move.status === 'stopped' && (
        <Notice tone="warn">Something kept failing, and the move was stopped. Move again to go on.</Notice>
      )}
      <Facts
        facts={[
          ['From', momentText(move.fromAt)],
          ['Reached', momentText(move.reachedAt)],
          ['Moments at which something was due', String(move.steps)],
        ]}
      />
      {move.happened.length > 0 && (
        <ListTable label="What happened" heads={['Event', 'Times']}>
          {move.happened.map(({ type, count }) => (
            <tr key={type}>
              <td>
                <code>{type}</code>
              </td>
              <td>{count}</td>
            </tr>
          ))}
        </ListTable>
      )}
    </Panel>
  )
}
