import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Command } from 'commander'
import { exitCodes, Failure, usage } from '../failures.ts'
import type { Io } from '../io.ts'
import { printData } from '../output.ts'
import { refuseUnready } from '../resources.ts'
import type { Jurisdiction, NewInvoice } from '../sdk.ts'
import { announce, openSession, type Session } from '../session.ts'
import { sendHere } from './events.ts'
import { type GlobalFlags, leaf } from './leaf.ts'
import { addressFrom } from './listen.ts'

interface TriggerFlags extends GlobalFlags {
  readonly endpoint?: string
  readonly forward?: string
  readonly real?: true
}

/** The country of the organisation, with its currency, taxes and tax numbers. */
async function homeOf({ client, whoAmI }: Session): Promise<Jurisdiction> {
  const { organizationId } = await whoAmI()
  if (!organizationId) throw new Failure(exitCodes.notAllowed, 'Your sign-in belongs to no organisation.')
  const [{ country }, countries] = await Promise.all([
    client.organisations.get(organizationId),
    client.reference.listJurisdictions(),
  ])
  const home = countries.find((one) => one.country === country)
  if (!home) throw new Failure(exitCodes.refused, `This service has no rules for the country ${country}.`)
  return home
}

/** A sale to a consumer needs no buyer. */
const saleIn = ({ currency, taxCategories: [usual] }: Jurisdiction): NewInvoice => ({
  invoiceKind: 'B2C',
  invoiceDate: new Date().toISOString().slice(0, 10),
  currency: currency as NonNullable<NewInvoice['currency']>,
  lineItems: [
    {
      description: 'Palm oil',
      hsnCode: '1511.10',
      quantity: 2,
      unitCode: 'LTR',
      unitPrice: '1950.50',
      taxCategory: usual?.code ?? 'standard',
    },
  ],
})

const saleOf = async (session: Session): Promise<NewInvoice> => saleIn(await homeOf(session))

/** A number of the same form as the example, with other digits. The last ones are given. */
function numberLike(example: string, lastDigits: string): string {
  const places = [...example.matchAll(/\d/g)].map(({ index }) => index).slice(-lastDigits.length)
  return example.replace(/\d/g, (_, index: number) => lastDigits[places.indexOf(index)] ?? String(randomInt(1, 10)))
}

const verifyMs = 30_000
const pauseMs = 250

/** The last digits of the buyer's tax number tell the simulated authority what to do with an invoice. */
async function saleTo(session: Session, lastDigits: string): Promise<NewInvoice> {
  const { client } = session
  const home = await homeOf(session)
  const { type, example } = home.taxIdTypes.find((one) => one.example !== null) ?? {}
  if (!type || !example)
    throw new Failure(exitCodes.refused, `The service gives no example of a tax number of ${home.country}.`)
  const { id } = await client.buyers.create({
    name: `Triggered ${new Date().toISOString()}`,
    taxId: numberLike(example, lastDigits),
    taxIdType: type,
    email: 'triggered@example.com',
    address: { line1: '1 Market Street', city: 'Newtown', country: home.country },
  })
  await client.buyers.verify(id)
  let status = 'pending'
  for (const end = performance.now() + verifyMs; status === 'pending' && performance.now() < end; ) {
    await pauseFor(pauseMs)
    status = (await client.buyers.get(id)).taxIdStatus
  }
  if (status !== 'verified')
    throw new Failure(exitCodes.refused, `The authority did not confirm the tax number of the buyer ${id}: ${status}.`)
  return { ...saleIn(home), invoiceKind: 'B2B', buyerId: id }
}

/** How the sandbox makes events happen. */
const real: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
  'buyer.created': ({ client }) => client.buyers.create({ name: `Triggered ${new Date().toISOString()}` }),
  'invoice.created': async (session) => session.client.invoices.create(await saleOf(session)),
  'invoice.finalised': async (session) => {
    const { invoices } = session.client
    return await invoices.finalise((await invoices.create(await saleOf(session))).id)
  },
  'invoice.queued': async (session) => session.client.submissions.createAndSubmit(await saleOf(session)),
  'invoice.accepted': async (session) => session.client.submissions.createAndSubmit(await saleOf(session)),
  'invoice.rejected': async (session) => session.client.submissions.createAndSubmit(await saleTo(session, '9001')),
  'invoice.submission_failed': async (session) =>
    session.client.submissions.createAndSubmit(await saleTo(session, '9002')),
  'inbound_invoice.received': ({ client }) => client.receivedInvoices.sendFromOutside({}),
}

export function addTrigger(program: Command, io: Io): void {
  const command = leaf(program, 'trigger')
    .description('Send a sample of an event to your program or to an endpoint, or make the event happen in the sandbox')
    .argument('<event>', 'type of the event, such as invoice.created')
    .option('--forward <address>', 'send a sample to your program at this address')
    .option('--endpoint <id>', 'send a sample to this webhook endpoint')
    .option('--real', `make it happen in the sandbox; possible for ${Object.keys(real).join(', ')}`)
  command.action(async (type: string) => {
    const flags = command.opts() as TriggerFlags
    if ([flags.forward, flags.endpoint, flags.real].filter((one) => one !== undefined).length !== 1)
      throw usage('Give one of --forward, --endpoint and --real.')
    const session = await openSession(io, flags)
    const { client, mode } = session
    const types = await client.webhooks.listTypes()
    const found = types.find((one) => one.type === type)
    if (!found) throw usage(`There is no event ${JSON.stringify(type)}. \`risiti webhooks list-types\` lists them.`)
    if (flags.forward !== undefined) {
      const id = randomUUID()
      const body = JSON.stringify({ ...found.sample, id, test: true })
      return await sendHere(
        io,
        session,
        { address: addressFrom(flags.forward), format: 'a', id, body },
        flags.json === true,
      )
    }
    const make = flags.real && (Object.hasOwn(real, type) ? real[type] : undefined)
    if (flags.real && !make)
      throw usage(`--real can make only ${Object.keys(real).join(', ')} happen. Use --forward for a sample.`)
    if (flags.real && mode !== 'sandbox')
      throw usage('--real works in the sandbox only: events of live mode come from real business.')
    await announce(io, session)
    const reply = make ? await make(session) : await client.webhooks.test(flags.endpoint as string, { type })
    printData(io, reply, flags.json === true)
    refuseUnready(reply)
  })
}
