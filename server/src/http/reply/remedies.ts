import type { Refusal, Remedy } from '../../kernel/refusals.ts'
import type { Form } from '../definitions/form.ts'

/** The route of each remedy that is not a code list. */
const routeOf: Readonly<Record<string, readonly [module: string, name: string]>> = {
  plans: ['catalogue', 'listOffers'],
  'live-mode': ['identity', 'switchMode'],
}

type FormPaths = Pick<Form, 'routes' | 'prefix'>

/** The address in a form: `GET /form-b/b/v1/plans`. `undefined` if the form does not serve it. */
export function addressOf({ routes, prefix }: FormPaths, remedy: Remedy): string | undefined {
  const list = remedy.startsWith('list:') ? remedy.slice('list:'.length) : undefined
  const [module, name] = list === undefined ? (routeOf[remedy] ?? []) : ['reference', 'readList']
  const found = routes.find((one) => one.module === module && one.name === name)
  return found && `${found.route.method} ${prefix}${found.route.path.replace(/\{\w+\}/, list ?? '')}`
}

/** A sentence, or a fault of a field, with the address at its end. */
function pointing(form: FormPaths, message: string, see: Remedy | undefined): string {
  const address = see && addressOf(form, see)
  if (address === undefined) return message
  return message.endsWith('.') ? `${message} See ${address}.` : `${message}; see ${address}`
}

/** The text of a refusal in a form: the core names the remedy, and the form adds its address. */
export function wordsOf(form: FormPaths, { message, details, see }: Pick<Refusal, 'message' | 'details' | 'see'>) {
  return {
    message: pointing(form, message, see),
    ...(details
      ? {
          details: details.map((fault) => ({
            path: fault.path,
            rule: fault.rule,
            message: pointing(form, fault.message, fault.see),
          })),
        }
      : {}),
  }
}
