import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../api/client.ts'
import { useMay, useSession } from '../session/session.tsx'
import { CheckField } from '../ui/check-field.tsx'
import { type Command, CommandList } from '../ui/command-list.tsx'
import { Dialog, money } from '../ui/index.ts'
import { useLater } from '../ui/use-later.ts'
import { pages } from './pages.ts'
import { areShortcutsOn, switchShortcuts } from './shortcuts.ts'
import './palette.css'

interface PaletteAction extends Command {
  readonly act: () => void
}

export function Palette({ onClose, onKeys }: { readonly onClose: () => void; readonly onKeys: () => void }) {
  const { capabilities } = useSession()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [words, setWords] = useState('')
  const look = useLater(setWords, 200)
  const maySeeInvoices = useMay('invoice.read')
  const maySeeBuyers = useMay('buyer.read')
  const mayCreate = useMay('invoice.create')
  const buyers = useQuery({
    queryKey: ['buyers', 'found', words],
    queryFn: async ({ signal }) => (await risiti.buyers.list({ search: words, limit: 5 }, { signal })).data,
    enabled: maySeeBuyers && words.length > 1,
    placeholderData: keepPreviousData,
  })
  const found = useQuery({
    queryKey: ['invoices', 'found', words],
    queryFn: async ({ signal }) => (await risiti.invoices.list({ search: words, limit: 5 }, { signal })).data,
    enabled: maySeeInvoices && words.length > 1,
    placeholderData: keepPreviousData,
  })
  const isAsked = (name: string) => name.toLowerCase().includes(typed.trim().toLowerCase())
  const isSearched = words.length > 1 && typed.trim() !== ''
  const actions: readonly PaletteAction[] = [
    ...(mayCreate && isAsked('New invoice')
      ? [{ id: 'new', name: 'New invoice', about: 'n', act: () => navigate({ to: '/invoices/new' }) }]
      : []),
    ...pages
      .filter(({ name, needs }) => isAsked(name) && needs.every((each) => capabilities.includes(each)))
      .map(({ to, name, key }) => ({ id: to, name, about: `g ${key}`, act: () => navigate({ to }) })),
    ...(isAsked('Keyboard shortcuts') ? [{ id: 'keys', name: 'Keyboard shortcuts', about: '?', act: onKeys }] : []),
    ...(isSearched ? (buyers.data ?? []) : []).map(({ id, name, taxId }) => ({
      id,
      name,
      about: taxId ? `Buyer, ${taxId}` : 'Buyer',
      act: () => navigate({ to: '/buyers/$id', params: { id } }),
    })),
    ...(isSearched ? (found.data ?? []) : []).map(({ id, invoiceNumber, buyer, payableMinor, currency }) => ({
      id,
      name: invoiceNumber,
      about: `${buyer?.name ?? 'A consumer'}, ${money(payableMinor, currency)}`,
      act: () => navigate({ to: '/invoices/$id', params: { id } }),
    })),
  ]
  return (
    <Dialog title="Go to" open onClose={onClose}>
      <CommandList
        label="Page, action, buyer or invoice"
        placeholder="Page, action, buyer or invoice number"
        value={typed}
        onType={(value) => {
          setTyped(value)
          look(value.trim())
        }}
        commands={actions}
        nothing={found.isFetching || buyers.isFetching ? 'Searching …' : 'Nothing found.'}
        onChoose={(id) => {
          const chosen = actions.find((action) => action.id === id)
          if (id !== 'keys') onClose()
          chosen?.act()
        }}
      />
    </Dialog>
  )
}

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const [areOn, setOn] = useState(areShortcutsOn)
  const keys: readonly (readonly [string, string])[] = [
    ['k', 'Go to a page, an action, a buyer or an invoice'],
    ['Ctrl k', 'The same, also in a field (⌘ k on a Mac)'],
    ['n', 'New invoice'],
    ['j', 'Next row of a list'],
    ['k', 'Previous row, once you are in a list'],
    ['Enter', 'Open the row'],
    ...pages.map(({ key, name }) => [`g ${key}`, name] as const),
    ['?', 'Show the keyboard shortcuts'],
  ]
  return (
    <Dialog title="Keyboard shortcuts" open onClose={onClose}>
      <dl className="shortcut-keys">
        {keys.map(([key, words]) => (
          <div key={words}>
            <dt>
              {key.split(' ').map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <CheckField
        label="Use keyboard shortcuts"
        checked={areOn}
        onChange={({ target }) => {
          setOn(target.checked)
          switchShortcuts(target.checked)
        }}
      />
    </Dialog>
  )
}
