import type { Fault } from '../../kernel/refusals.ts'
import type { ExplainedRefusal } from '../port.ts'
import { lettersIn, placeOf } from './refusal-places.ts'

type MendedBy = ExplainedRefusal['mendedBy']

/** The authority's rules for fields, in its words and in ours. */
const rules: readonly { readonly text: RegExp; readonly rule: string; message(found: RegExpExecArray): string }[] = [
  {
    text: /^is required when (\S+) is (?:provided|set|present)$/,
    rule: 'required',
    message: ([, other = '']) => `must be there where ${nameOf(other)} is: add it`,
  },
  {
    text: /^(?:is|are) required$|^(?:can ?not|must not) be (?:empty|blank|null)$/,
    rule: 'required',
    message: () => 'must be there: add it',
  },
  {
    text: /^must be a valid date(?: value)?(?: yyyy-mm-dd)?$/,
    rule: 'date',
    message: () => 'must be a day of the calendar, such as 2026-01-31: correct it',
  },
  {
    text: /^must be at least in length or value (\d{1,9})$/,
    rule: 'least',
    message: ([, least = '']) => `must have at least ${least} characters, or be at least ${least}: correct it`,
  },
  {
    text: /^can ?not be more than in length or value (\d{1,9})$/,
    rule: 'most',
    message: ([, most = '']) => `must have at most ${most} characters, or be at most ${most}: shorten or lower it`,
  },
  {
    text: /^must be a valid ([a-z _-]{1,60}), refer to the invoice resource apis?$/,
    rule: 'list',
    message: ([, what = '']) => `must be a ${what.trim()} on the authority's list: choose one from it`,
  },
  {
    text: /^(?:invalid|unknown) ([a-z _-]{1,60}?)(?: for .{1,200})?$/,
    rule: 'list',
    message: ([, what = '']) => `must be ${articled(what.trim())} that the authority knows: choose one from its list`,
  },
  {
    text: /^must be a valid ([a-z _-]{1,60})$/,
    rule: 'format',
    message: ([, what = '']) => `must be a valid ${what.trim()}: correct it`,
  },
  {
    text: /^(?:can ?not|must not) be used (?:together )?with (\S+)$/,
    rule: 'exclusive',
    message: ([, other = '']) => `must be left out where ${nameOf(other)} is: keep one of the two`,
  },
  {
    text: /^(?:does not|do not|must) (?:match|equal|add up to) (.{1,100})$/,
    rule: 'amounts',
    message: () => 'does not add up for the authority: save the document again',
  },
]

const articled = (what: string): string => `${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}`

/** Whole sentences that do not concern a field. */
const sentences: readonly {
  readonly text: RegExp
  readonly path: string
  readonly rule: string
  readonly message: string
  readonly mendedBy: MendedBy
}[] = [
  {
    text: /^irn validation failed/,
    path: 'invoiceNumber',
    rule: 'reference',
    message:
      'does not fit the numbers that the authority gave this business: compare the service id of your tax connection with the authority’s template',
    mendedBy: 'connection',
  },
  {
    text: /^invalid uuid|^business (?:was )?not found|^business is not active/,
    path: '',
    rule: 'business',
    message: 'The authority does not know this business: check the business id of your tax connection',
    mendedBy: 'connection',
  },
  {
    text: /^webhook url is not setup/,
    path: '',
    rule: 'callbacks',
    message:
      'The authority has no callback address for this installation. Ask its operator to register one with the authority',
    mendedBy: 'operator',
  },
  {
    text: /^(?:party|customer|buyer|receiver) (?:is )?not (?:onboarded|reachable|active|found)|^no access point/,
    path: 'buyer.taxId',
    rule: 'unreachable',
    message: 'belongs to no business on the network. Send the invoice by mail or link',
    mendedBy: 'unknown',
  },
  {
    text: /^the body (?:is not valid json|must be a json object)/,
    path: '',
    rule: 'form',
    message: 'The authority could not read the document. Tell the operator of this installation',
    mendedBy: 'operator',
  },
]

/** Fields of the connection, not of the document. */
const ofConnection: readonly string[] = ['businessid', 'integratorserviceid']

/** Explains the authority's first fault: `invoicerequest.invoice.<path> <rule>`, or a sentence. */
export function explain(authorityText: string): ExplainedRefusal {
  const text = authorityText.trim().toLowerCase().replace(/\s+/g, ' ').replace(/\.$/, '')
  return sentenceIn(authorityText, text) ?? fieldIn(authorityText, text) ?? unknown(authorityText)
}

function sentenceIn(authorityText: string, text: string): ExplainedRefusal | undefined {
  const known = sentences.find((sentence) => sentence.text.test(text))
  if (known === undefined) return undefined
  return (
    known && explained(authorityText, { path: known.path, rule: known.rule, message: known.message }, known.mendedBy)
  )
}

function fieldIn(authorityText: string, text: string): ExplainedRefusal | undefined {
  const [, path = '', problem = ''] = /^([a-z][a-z0-9_.[\]-]{0,200}) (.+)$/.exec(text) ?? []
  if (path === '') return undefined
  const known = rules.find((rule) => rule.text.test(problem))
  const found = known?.text.exec(problem)
  const last = lettersIn(path.split('.').at(-1) ?? '')
  if (known && found && ofConnection.includes(last))
    return explained(
      authorityText,
      { path: '', rule: 'business', message: `${nameOf(path)} ${known.message(found)}` },
      'connection',
    )
  const place = placeOf(path)
  if (place === undefined) return undefined
  // A known place helps even if the rule is unknown.
  if (known && found) {
    const onLine = place === 'lineItems' && last !== 'invoiceline' ? `${nameOf(path)} ` : ''
    return explained(
      authorityText,
      { path: place, rule: known.rule, message: `${onLine}${known.message(found)}` },
      'reopen',
    )
  }
  return {
    ...unknown(authorityText),
    fault: { path: place, rule: 'authority.unknown', message: `the authority says: ${authorityText.trim()}` },
  }
}

const nameOf = (path: string): string => (path.split('.').at(-1) ?? path).replace(/\[\d+\]/g, '').replaceAll('_', ' ')

const explained = (authorityText: string, fault: Fault, mendedBy: MendedBy): ExplainedRefusal => ({
  authorityText,
  isKnown: true,
  fault: { ...fault, rule: `authority.${fault.rule}` },
  mendedBy,
})

const unknown = (authorityText: string): ExplainedRefusal => ({
  authorityText,
  isKnown: false,
  fault: { path: '', rule: 'authority.unknown', message: `The authority says: ${authorityText.trim()}` },
  mendedBy: 'unknown',
})
