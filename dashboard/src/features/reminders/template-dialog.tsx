import type { Language, ReminderPlan } from '@risiti/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { AreaField } from '../../ui/field.tsx'
import { Button, Notice, SelectField, TextField } from '../../ui/index.ts'
import { languageWords } from '../buyers/languages.ts'

type Template = ReminderPlan['steps'][number]['templates'][number]

const everyLanguage = ''
const languages = [
  [everyLanguage, 'Every language without words of its own'] as const,
  ...(Object.entries(languageWords) as [Language, string][]),
]
const codeOf = (chosen: string): Template['language'] => (chosen === everyLanguage ? null : (chosen as Language))

const example = {
  subject: '{number}: {amount due} is due',
  body: 'Dear {buyer},\n\n{amount due} is due on {due date}.\n\n{link}\n\nThank you.\n{seller}',
}

/** The words of one step: standard ones, or own ones for each language. The mail can be seen before it is saved. */
export function TemplateDialog({
  title,
  days,
  templates,
  onDone,
  onClose,
}: {
  readonly title: string
  readonly days: number
  readonly templates: readonly Template[]
  readonly onDone: (templates: readonly Template[]) => void
  readonly onClose: () => void
}) {
  const [written, setWritten] = useState(templates)
  const [chosen, setChosen] = useState<string>(templates[0]?.language ?? everyLanguage)
  const [invoiceId, setInvoiceId] = useState('')
  const language = codeOf(chosen)
  const template = written.find((each) => each.language === language)
  const others = written.filter((each) => each.language !== language)
  const set = (part: Partial<Template>) =>
    setWritten([...others, { language, subject: '', body: '', ...template, ...part }])
  const upcoming = useQuery({
    queryKey: ['reminders', 'upcoming', 'to-preview'],
    queryFn: async () => await risiti.reminders.listUpcoming({ limit: 20 }),
  })
  const bodyOf = (one: Template | undefined) => ({
    ...(one ? { subject: one.subject, body: one.body } : {}),
    ...(language === null ? {} : { language }),
    ...(invoiceId === '' ? { days } : { invoiceIds: [invoiceId] }),
  })
  const preview = useMutation({ mutationFn: () => risiti.reminders.preview(bodyOf(template)) })
  /** Each template is checked, so that the plan can be saved with it. */
  const finish = useMutation({
    mutationFn: async () => {
      for (const one of written)
        await risiti.reminders.preview({ subject: one.subject, body: one.body }).catch((error: unknown) => {
          setChosen(one.language ?? everyLanguage)
          throw error
        })
    },
    onSuccess: () => onDone(written),
  })
  const error = finish.error ?? preview.error
  const faults = faultsOf(error)
  return (
    <Dialog title={title} open onClose={onClose} wide>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!finish.isPending) finish.mutate()
        }}
      >
        {error && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(error)}</Notice>}
        <SelectField
          label="For buyers with the language"
          value={chosen}
          options={languages}
          onChange={({ target }) => setChosen(target.value)}
        />
        {template ? (
          <>
            <TextField
              label="Subject"
              required
              value={template.subject}
              onChange={({ target }) => set({ subject: target.value })}
              fault={faults.subject}
            />
            <AreaField
              label="Text"
              hint="These are replaced: {buyer}, {seller}, {number}, {amount due}, {due date} and {days overdue}. {link} becomes the list of invoices with their links."
              required
              rows={9}
              value={template.body}
              onChange={({ target }) => set({ body: target.value })}
              fault={faults.body}
            />
          </>
        ) : (
          <p>The mail has the standard words, in the language of the buyer.</p>
        )}
        <div className="reminder-step-actions">
          {template ? (
            <Button kind="quiet" onClick={() => setWritten(others)}>
              Use the standard words
            </Button>
          ) : (
            <Button onClick={() => set(example)}>Write your own words</Button>
          )}
        </div>
        <SelectField
          label="Preview with"
          value={invoiceId}
          options={[
            ['', 'A made-up invoice'],
            ...(upcoming.data?.data ?? []).map(
              (one) => [one.invoiceId, `${one.invoiceNumber}, ${one.buyerName}`] as const,
            ),
          ]}
          onChange={({ target }) => setInvoiceId(target.value)}
        />
        {preview.data && (
          <section className="reminder-preview" aria-label="Preview">
            <strong>{preview.data.subject}</strong>
            <p>{preview.data.text}</p>
          </section>
        )}
        <DialogActions>
          <Button busy={preview.isPending} onClick={() => preview.mutate()}>
            Show the mail
          </Button>
          <Button kind="primary" type="submit" busy={finish.isPending}>
            Use these words
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
