import { Fields, means, Uuid } from '../definitions/fields.ts'
import { routeDefinitions as routes } from '../routes/index.ts'
import { mayCall } from '../server/route-rules.ts'
import type { Text } from './outside-words.ts'
import type { ToolMaker } from './tool.ts'

const submitAgain =
  'Use prepare_action with reopen, change the draft with prepare_invoice and draftId, then finalise and submit again.'

/** The next steps by who or what corrects the document, with the names of the tools for them. */
const corrections: Readonly<Record<string, string>> = {
  reopen: submitAgain,
  connection: 'Someone with the right to it must correct the connection to the tax authority in the dashboard.',
  operator: 'The operator of this installation must act. Nothing in the document is wrong.',
  unknown: 'Read the words of the authority, and ask a person who knows the document.',
}

/** No tool changes a buyer or a seller. */
const ofParties: readonly [begin: string, step: string][] = [
  [
    'buyer.',
    `The buyer is at fault. Ask the person to correct the buyer in the dashboard and to check its tax number, or to name another buyer. ${submitAgain}`,
  ],
  ['seller.', `The seller is at fault. Ask the person to correct the seller in the dashboard. ${submitAgain}`],
]

interface Rejection {
  readonly mendedBy: string
  readonly path: Text
}

interface Report {
  readonly outcome: string
  readonly canRetry: boolean
  readonly refusals: readonly Rejection[]
}

interface Reported extends Readonly<Record<string, unknown>> {
  readonly status: string
  readonly report: Report
}

/** The next step of a document that was not rejected, by what is known about it. */
const withoutRejection: Readonly<Record<string, string>> = {
  waiting: 'Wait: it is sent by itself.',
  in_progress: 'Wait: the tax authority has not decided yet.',
  unknown: 'Wait: the service asks the tax authority by itself what became of it. Do not make it a second time.',
  registered: 'Wait: the tax authority knows it and has not decided yet.',
  accepted: 'Nothing is wrong: the tax authority accepted it.',
}

function stepsFor({ status, report }: Reported): readonly (string | undefined)[] {
  const { outcome, canRetry, refusals } = report
  if (refusals.length > 0) return [...new Set(refusals.map(correctionOf))]
  if (canRetry) return ['Use prepare_action with retry: the same document is sent again.']
  if (status === 'draft') return ['It is a draft. Use prepare_action with finalise, and then with submit.']
  if (status === 'finalised') return ['It was not submitted. Use prepare_action with submit.']
  return [withoutRejection[outcome]]
}

function correctionOf({ mendedBy, path }: Rejection): string | undefined {
  const field = typeof path === 'string' ? path : path.untrusted
  const ofParty = mendedBy === 'reopen' ? ofParties.find(([begin]) => field.startsWith(begin)) : undefined
  return ofParty ? ofParty[1] : corrections[mendedBy]
}

export const explainRejection: ToolMaker = (caller) =>
  mayCall(routes.submissions.getStatus, caller)
    ? {
        name: 'explain_rejection',
        title: 'Explain a rejection',
        description:
          'Why the tax authority rejected a document or has not decided, which field is wrong, and how to correct it.',
        reads: true,
        input: Fields({ invoiceId: means('The id of the invoice.', Uuid) }),
        async run(context, { invoiceId: id }) {
          const reported = (await context.data(routes.submissions.getStatus, { params: { id } })) as Reported
          return { data: { ...reported, nextSteps: stepsFor(reported).filter((step) => step !== undefined) } }
        },
      }
    : undefined
