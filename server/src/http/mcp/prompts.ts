/** Ways of working that a person can start by name. They name tools and never do anything by themselves. */
export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly text: string
}

export const prompts: readonly Prompt[] = [
  {
    name: 'month-end',
    title: 'Month-end',
    description: 'Go through what must be done before the tax return of a month.',
    text: [
      'Help me to close the month.',
      '1. Call what_needs_attention. List rejected documents, drafts and documents that are not reported.',
      '2. Call vat_position for the last month. Tell me output tax, input tax, what is payable, and until when.',
      '3. Call received_invoices for the month. Tell me which have faults, and which input VAT cannot be claimed.',
      '4. Propose the next actions, one line each. Prepare an action only if I ask for it.',
      '5. Remind me to close the month in the dashboard, and to file the closed figures after that.',
    ].join('\n'),
  },
  {
    name: 'fix-a-rejection',
    title: 'Fix a rejection',
    description: 'Find out why the tax authority rejected a document, and correct it.',
    text: [
      'Help me to correct a rejected document.',
      '1. Call find_invoices with reporting=needs_attention, and let me choose one.',
      '2. Call explain_rejection. Tell me in plain words what is wrong and in which field.',
      '3. If it can be reopened: prepare reopen, and after I confirm, prepare the changed draft with prepare_invoice and draftId.',
      '4. Show me what the check of the authority says. Prepare finalise and submit only one after the other, each with my agreement.',
    ].join('\n'),
  },
  {
    name: 'chase-overdue',
    title: 'Chase overdue invoices',
    description: 'See who owes what since when, and remind them.',
    text: [
      'Help me to collect what is overdue.',
      '1. Call money with what=owed. Tell me the amounts by age.',
      '2. Call find_invoices with overdue=true, the largest amounts first.',
      '3. For the largest debtors call statement_of_account.',
      '4. Propose whom to remind, and wait for my answer. Prepare a reminder for each document that I name.',
    ].join('\n'),
  },
]
