import type { NewRecurringSchedule } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useCountry } from '../../session/country.ts'
import { CurrencyField } from '../../session/currency-field.tsx'
import { useSession } from '../../session/session.tsx'
import { today } from '../../ui/dates.ts'
import { Panel, SelectField, TextField } from '../../ui/index.ts'
import { type DraftLine, newLine } from '../invoices/editor/draft-lines.ts'
import { FormWithLines, useBuyerChoice, useFaults } from '../invoices/editor/form-with-lines.tsx'
import { LineList } from '../invoices/editor/line-list.tsx'
import { WrittenFieldInput } from '../invoices/written-field-input.tsx'
import { type ContentFields, contentBody, emptyContent, scheduleTexts } from './schedule-content.ts'
import { billingWords, catchUpWords, monthDayText, policyNeeds, policyWords } from './schedule-words.ts'
import './recurring.css'

const optionsOf = <Value extends string>(words: Readonly<Record<Value, string>>) =>
  Object.entries(words) as [Value, string][]

interface RuleFields {
  readonly name: string
  readonly unit: NewRecurringSchedule['unit']
  readonly every: string
  readonly startsOn: string
  /** empty: the day of the first invoice */
  readonly dayOfMonth: string
  readonly ends: 'never' | 'until' | 'count'
  readonly until: string
  readonly count: string
  readonly billing: NonNullable<NewRecurringSchedule['billing']>
  readonly catchUp: NonNullable<NewRecurringSchedule['catchUp']>
}

const unitWords = { week: 'Weeks', month: 'Months', quarter_end: 'At the end of each quarter', year: 'Years' } as const

const newRule = (name: string): RuleFields => ({
  name,
  unit: 'month',
  every: '1',
  startsOn: today(),
  dayOfMonth: '',
  ends: 'never',
  until: '',
  count: '12',
  billing: 'in_advance',
  catchUp: 'all',
})

const ruleBody = (rule: RuleFields) => ({
  name: rule.name.trim(),
  unit: rule.unit,
  ...(rule.unit === 'quarter_end' ? {} : { every: Number(rule.every) }),
  startsOn: rule.startsOn,
  ...(rule.unit === 'month' && rule.dayOfMonth !== '' ? { dayOfMonth: Number(rule.dayOfMonth) } : {}),
  until: rule.ends === 'until' ? rule.until : null,
  count: rule.ends === 'count' ? Number(rule.count) : null,
  billing: rule.billing,
  catchUp: rule.catchUp,
})

const placeholders = '{period}, {from}, {to}, {day}, {month}, {quarter} and {year}'

/** What a new schedule or a changed one starts with. */
export interface ScheduleStart {
  readonly content: ContentFields
  readonly lines: readonly DraftLine[]
  /** a name for a new schedule */
  readonly name?: string
}

export function useEmptyStart(): ScheduleStart {
  const { currency, taxCategories } = useCountry()
  return useMemo(
    () => ({ content: emptyContent(currency), lines: [newLine(taxCategories[0]?.code ?? '')] }),
    [currency, taxCategories],
  )
}

/** The fields of a new schedule. `change` instead of a rule for one that exists: its days cannot be changed. */
export function ScheduleForm({
  title,
  start,
  change,
  back,
  notice,
  onSave,
}: {
  readonly title: string
  readonly start: ScheduleStart
  /** the days from which on a change can count; the first one has no day: it is the next invoice */
  readonly change?: {
    readonly days: readonly (readonly [day: string, words: string])[]
    /** the planned changes, which stay */
    readonly planned: string | undefined
  }
  readonly back: ReactNode
  readonly notice?: ReactNode
  readonly onSave: (body: NewRecurringSchedule & { readonly changeFrom?: string | undefined }) => Promise<unknown>
}) {
  const { capabilities } = useSession()
  const [rule, setRule] = useState(() => newRule(start.name ?? ''))
  const [content, setContent] = useState(start.content)
  const [lines, setLines] = useState(start.lines)
  const [changeFrom, setChangeFrom] = useState('')
  const save = useMutation({
    mutationFn: () =>
      onSave({
        ...ruleBody(rule),
        ...contentBody(content, lines),
        ...(changeFrom === '' ? {} : { changeFrom }),
      }),
  })
  const { faults, ofHead, ofLines, ofForm } = useFaults(save.error, lines)
  const set = (part: Partial<RuleFields>) => setRule((before) => ({ ...before, ...part }))
  const put = (part: Partial<ContentFields>) => setContent((before) => ({ ...before, ...part }))
  const buyer = useBuyerChoice(content.buyer, (chosen) => put({ buyer: chosen }))
  return (
    <>
      <FormWithLines
        title={title}
        back={back}
        notice={notice}
        action={change ? 'Save the change' : 'Create the schedule'}
        save={save}
        faults={ofForm}
        isBlocked={buyer.isUnknown}
      >
        {change ? (
          <Panel
            title="From when"
            about="Invoices that were made stay as they are. The days of a schedule cannot be changed: end it and create a new one."
          >
            <div className="editor-head">
              <SelectField
                label="The change counts from the invoice of"
                value={changeFrom}
                options={change.days}
                hint={change.planned}
                onChange={({ target }) => setChangeFrom(target.value)}
                fault={faults.changeFrom}
              />
            </div>
          </Panel>
        ) : (
          <Panel title="Schedule">
            <div className="recurring-rule">
              <TextField
                label="Name"
                hint="Only you see it."
                required
                value={rule.name}
                onChange={({ target }) => set({ name: target.value })}
                fault={faults.name}
              />
              <TextField
                label="First invoice on or after"
                type="date"
                required
                min={today()}
                value={rule.startsOn}
                onChange={({ target }) => set({ startsOn: target.value })}
                fault={faults.startsOn}
              />
              {rule.unit !== 'quarter_end' && (
                <TextField
                  label="Every"
                  inputMode="numeric"
                  required
                  value={rule.every}
                  onChange={({ target }) => set({ every: target.value })}
                  fault={faults.every}
                />
              )}
              <SelectField
                label={rule.unit === 'quarter_end' ? 'Repeats' : 'Unit'}
                value={rule.unit}
                options={optionsOf(unitWords)}
                onChange={({ target }) => {
                  const unit = target.value as RuleFields['unit']
                  set({ unit, billing: unit === 'quarter_end' ? 'in_arrears' : 'in_advance' })
                }}
                fault={faults.unit}
              />
              {rule.unit === 'month' && (
                <SelectField
                  label="Day of the month"
                  value={rule.dayOfMonth}
                  options={[
                    ['', 'As in the first month'],
                    ...Array.from({ length: 31 }, (_, nth) => [String(nth + 1), monthDayText(nth + 1)] as const),
                  ]}
                  onChange={({ target }) => set({ dayOfMonth: target.value })}
                  fault={faults.dayOfMonth}
                />
              )}
              <SelectField
                label="Ends"
                value={rule.ends}
                options={[
                  ['never', 'Never'],
                  ['until', 'On a day'],
                  ['count', 'After a number of periods'],
                ]}
                onChange={({ target }) => set({ ends: target.value as RuleFields['ends'] })}
              />
              {rule.ends === 'until' && (
                <TextField
                  label="Last day"
                  type="date"
                  required
                  value={rule.until}
                  onChange={({ target }) => set({ until: target.value })}
                  fault={faults.until}
                />
              )}
              {rule.ends === 'count' && (
                <TextField
                  label="Number of periods"
                  hint="Periods without an invoice count too."
                  inputMode="numeric"
                  required
                  value={rule.count}
                  onChange={({ target }) => set({ count: target.value })}
                  fault={faults.count}
                />
              )}
              <SelectField
                label="An invoice is for"
                value={rule.billing}
                options={optionsOf(billingWords)}
                onChange={({ target }) => set({ billing: target.value as RuleFields['billing'] })}
              />
              <SelectField
                label="If days were missed"
                hint="For example because Risiti could not be reached."
                value={rule.catchUp}
                options={optionsOf(catchUpWords)}
                onChange={({ target }) => set({ catchUp: target.value as RuleFields['catchUp'] })}
              />
            </div>
          </Panel>
        )}
        <Panel title="Invoices">
          <div className="editor-head">
            {buyer.field('No buyer chosen: the sale is to a consumer.', ofHead.buyerId)}
            <SelectField
              label="Each invoice"
              value={content.policy}
              options={optionsOf(policyWords).filter(([policy]) =>
                policyNeeds[policy].every((needed) => capabilities.includes(needed)),
              )}
              onChange={({ target }) => put({ policy: target.value as ContentFields['policy'] })}
              fault={faults.policy}
            />
            <TextField
              label="Due after days"
              hint="Leave it empty for invoices without a due date."
              inputMode="numeric"
              value={content.dueInDays}
              onChange={({ target }) => put({ dueInDays: target.value })}
              fault={faults.dueInDays}
            />
            <CurrencyField
              value={content.currency}
              onChange={({ target }) => put({ currency: target.value })}
              fault={ofHead.currency}
            />
          </div>
        </Panel>
        <Panel
          title="Lines"
          about={`In descriptions and notes, ${placeholders} are replaced. Clear the price of a saved item to take its price on the day of each invoice.`}
        >
          <LineList lines={lines} onChange={setLines} faults={ofLines} />
        </Panel>
        <Panel title="More details">
          <div className="editor-head">
            {scheduleTexts.map((one) => (
              <WrittenFieldInput
                key={one.name}
                of={one}
                value={content.texts[one.name]}
                onChange={(value) => put({ texts: { ...content.texts, [one.name]: value } })}
                fault={ofHead[one.name]}
              />
            ))}
          </div>
        </Panel>
      </FormWithLines>
      {buyer.dialog}
    </>
  )
}
