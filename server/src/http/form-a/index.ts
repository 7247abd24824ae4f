import { identity } from '../both/identity.ts'
import { endpoints } from '../endpoints/index.ts'
import { form } from '../form.ts'
import { answers } from './answers.ts'

/** The capability-based form of the API. */
export const formA = form(
  endpoints,
  {
    name: 'A',
    title: 'Risiti API, Form A',
    description: 'Invoicing and e-invoice reporting, authorised by capabilities.',
    prefix: '',
    answers,
  },
  { identity },
)
