import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, Dialog, DialogActions, fieldsOf, TextField } from '../../../ui/index.ts'
import { Views } from '../../../ui/views.tsx'
import { asOtherView, type ListSearch, setFilters } from './list-search.ts'
import { type SavedView, useSavedViews } from './saved-views.ts'

const usual: readonly SavedView[] = [
  { name: 'All', search: {} },
  { name: 'Drafts', search: { status: 'draft' } },
  { name: 'Ready to submit', search: { status: 'finalised' } },
  { name: 'Needs attention', search: { reporting: 'needs_attention' } },
  { name: 'Overdue', search: { overdue: true } },
  { name: 'Paid', search: { paymentStatus: 'paid' } },
]

function isView(search: ListSearch, view: ListSearch): boolean {
  const set = setFilters(search)
  const wanted = setFilters(view)
  return set.length === wanted.length && wanted.every((name) => search[name] === view[name])
}

/** Built-in views, saved views and a button to save the current one. */
export function ViewLinks({ search }: { readonly search: ListSearch }) {
  const { views, save, remove } = useSavedViews()
  const [isNaming, setNaming] = useState(false)
  const link = ({ name, search: view }: SavedView) => (
    <Link
      key={name}
      to="/invoices"
      search={{ ...view, sortBy: search.sortBy, sortOrder: search.sortOrder, limit: search.limit }}
      aria-current={isView(search, view) ? 'page' : undefined}
      {...asOtherView}
    >
      {name}
    </Link>
  )
  const kept = views.find((view) => isView(search, view.search))
  const isUsual = usual.some((view) => isView(search, view.search))
  return (
    <>
      <Views label="Views of the list">
        {usual.map(link)}
        {views.map(link)}
        {kept && (
          <Button kind="quiet" onClick={() => remove(kept.name)}>
            Delete “{kept.name}”
          </Button>
        )}
        {!kept && !isUsual && (
          <Button kind="quiet" onClick={() => setNaming(true)}>
            Save this view
          </Button>
        )}
      </Views>
      <Dialog title="Save this view" open={isNaming} onClose={() => setNaming(false)}>
        <form
          className="dialog-form"
          onSubmit={(event) => {
            save(fieldsOf(event).text('name'), search)
            setNaming(false)
          }}
        >
          <TextField
            label="Name"
            name="name"
            required
            maxLength={40}
            pattern=".*\S.*"
            hint="The view is saved in this browser."
          />
          <DialogActions>
            <Button kind="primary" type="submit">
              Save
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  )
}
