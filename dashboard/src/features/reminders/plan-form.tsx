import type { NewReminderPlan, ReminderPlan } from '@risiti/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useCountry } from '../../session/country.ts'
import { CheckField } from '../../ui/check-field.tsx'
import { Button, momentText, Notice, Panel, SelectField, TextField } from '../../ui/index.ts'
import { decimalOf, minorOf } from '../../ui/money.ts'
import { say } from '../../ui/toast.tsx'
import { hourText, scopeWords, stepText } from './reminder-words.ts'
import { TemplateDialog } from './template-dialog.tsx'

type Template = ReminderPlan['steps'][number]['templates'][number]

/** A step as typed. */
interface StepFields {
  readonly key: number
  readonly days: string
  readonly when: 'before' | 'on' | 'after'
  /** the least amount due in the currency of the country, as typed */
  readonly minimum: string
  /** the minimums of other currencies, which the page keeps */
  readonly otherMinimums: ReminderPlan['steps'][number]['minimumAmounts']
  readonly templates: readonly Template[]
}

const whenWords = {
  before: 'days before the due date',
  on: 'on the due date',
  after: 'days after the due date',
} as const
const mostSteps = 10

function fieldsOf(step: ReminderPlan['steps'][number], currency: string, key: number): StepFields {
  const own = step.minimumAmounts.find((minimum) => minimum.currency === currency)
  return {
    key,
    days: String(Math.abs(step.days)),
    when: step.days < 0 ? 'before' : step.days === 0 ? 'on' : 'after',
    minimum: own ? decimalOf(own.amountMinor, currency) : '',
    otherMinimums: step.minimumAmounts.filter((minimum) => minimum !== own),
    templates: step.templates,
  }
}

/** Days from the due date. Text that is no number stays NaN, which the service refuses. */
const daysOf = ({ days, when }: StepFields): number => {
  if (when === 'on') return 0
  const typed = days.trim() === '' ? Number.NaN : Number(days)
  return when === 'before' ? -typed : typed
}

/** The fields of the plan. */
export function PlanForm({ plan }: { readonly plan: ReminderPlan }) {
  const { currency } = useCountry()
  const client = useQueryClient()
  const [on, setOn] = useState(plan.on)
  const [hour, setHour] = useState(plan.hour)
  const [buyers, setBuyers] = useState(plan.buyers)
  const lastKey = useRef(plan.steps.length)
  const [steps, setSteps] = useState(() => plan.steps.map((step, nth) => fieldsOf(step, currency, nth)))
  const [editing, setEditing] = useState<number>()
  const [wrongMinimum, setWrongMinimum] = useState<number>()
  const save = useMutation({
    mutationFn: (body: NewReminderPlan) => risiti.reminders.savePlan(body),
    onSuccess: async ({ on }) => {
      say(on ? 'Reminders are on.' : 'The plan was saved. Reminders are off.')
      await client.invalidateQueries({ queryKey: ['reminders'] })
    },
  })
  const faults = faultsOf(save.error)
  const change = (key: number, part: Partial<StepFields>) =>
    setSteps((before) => before.map((step) => (step.key === key ? { ...step, ...part } : step)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = steps.find(({ minimum }) => minimum.trim() !== '' && minorOf(minimum, currency) === undefined)
    setWrongMinimum(wrong?.key)
    if (save.isPending || wrong) return
    save.mutate({
      on,
      hour,
      buyers,
      version: plan.version,
      steps: steps.map((step) => {
        const amountMinor = minorOf(step.minimum, currency)
        return {
          days: daysOf(step),
          minimumAmounts: [...step.otherMinimums, ...(amountMinor ? [{ currency, amountMinor }] : [])],
          templates: [...step.templates],
        }
      }),
    })
  }
  const edited = steps.find(({ key }) => key === editing)
  return (
    <Panel
      title="Plan"
      about="A buyer gets at most one reminder a day, for all invoices together. Nobody is reminded of what is paid, disputed or promised."
    >
      <form onSubmit={submit}>
        {save.isError && <Notice tone="bad" title={wordsOf(save.error)} />}
        <div className="recurring-rule">
          <CheckField label="Send reminders" checked={on} onChange={({ target }) => setOn(target.checked)} />
          <SelectField
            label="Sent at"
            hint={plan.timeZone}
            value={String(hour)}
            options={Array.from({ length: 24 }, (_, each) => [String(each), hourText(each)] as const)}
            onChange={({ target }) => setHour(Number(target.value))}
            fault={faults.hour}
          />
          <SelectField
            label="Buyers"
            hint="The page of a buyer has the exceptions."
            value={buyers}
            options={Object.entries(scopeWords) as [ReminderPlan['buyers'], string][]}
            onChange={({ target }) => setBuyers(target.value as ReminderPlan['buyers'])}
            fault={faults.buyers}
          />
        </div>
        {faults.steps && <Notice tone="bad">{faults.steps}</Notice>}
        <ol className="reminder-steps" aria-label="Steps">
          {steps.map((step, nth) => (
            <li key={step.key}>
              <SelectField
                label={`Step ${nth + 1}: when`}
                value={step.when}
                options={Object.entries(whenWords) as [StepFields['when'], string][]}
                onChange={({ target }) => change(step.key, { when: target.value as StepFields['when'] })}
              />
              {step.when !== 'on' && (
                <TextField
                  label={`Step ${nth + 1}: days`}
                  inputMode="numeric"
                  required
                  value={step.days}
                  onChange={({ target }) => change(step.key, { days: target.value })}
                  fault={faults[`steps[${nth}].days`]}
                />
              )}
              <TextField
                label={`Step ${nth + 1}: at least due (${currency})`}
                inputMode="decimal"
                placeholder="Any amount"
                value={step.minimum}
                onChange={({ target }) => change(step.key, { minimum: target.value })}
                fault={
                  wrongMinimum === step.key ? 'Write an amount, such as 5000.' : faults[`steps[${nth}].minimumAmounts`]
                }
              />
              <div className="reminder-step-actions">
                <Button
                  aria-label={`${step.templates.length > 0 ? 'Own' : 'Standard'} words of step ${nth + 1}`}
                  onClick={() => setEditing(step.key)}
                >
                  {step.templates.length > 0 ? 'Own words' : 'Standard words'}
                </Button>
                <Button
                  kind="quiet"
                  aria-label={`Remove step ${nth + 1}`}
                  onClick={() => setSteps((before) => before.filter(({ key }) => key !== step.key))}
                >
                  Remove
                </Button>
              </div>
            </li>
          ))}
        </ol>
        <div className="reminder-actions">
          <Button
            disabled={steps.length >= mostSteps}
            onClick={() => {
              lastKey.current += 1
              const added: StepFields = {
                key: lastKey.current,
                days: '',
                when: 'after',
                minimum: '',
                otherMinimums: [],
                templates: [],
              }
              setSteps((before) => [...before, added])
            }}
          >
            Add a step
          </Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            Save the plan
          </Button>
        </div>
        {plan.nextRunAt && <p>The next reminders go out on {momentText(plan.nextRunAt)}.</p>}
      </form>
      {edited && (
        <TemplateDialog
          title={`Words: ${stepText(daysOf(edited) || 0).toLowerCase()}`}
          days={daysOf(edited) || 0}
          templates={edited.templates}
          onDone={(templates) => {
            change(edited.key, { templates })
            setEditing(undefined)
          }}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Panel>
  )
}
