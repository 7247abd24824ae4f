import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Command } from 'commander'
import { exitCodes, Failure, usage } from '../failures.ts'
import type { Io } from '../io.ts'
import { printData } from '../output.ts'
import { refuseUnready } from '../resources.ts'
import type { NewInvoice, Risiti } from '../sdk.ts'
import { announce, openSession } from '../session.ts'
import { sendHere } from './events.ts'
import { type GlobalFlags, leaf } from './leaf.ts'
import { addressFrom } from './listen.ts'

interface TriggerFlags extends GlobalFlags {
  readonly endpoint?: string
  readonly forward?: string
  readonly real?: true
}

/** A sale to a consumer needs no buyer. */
const sale = (): NewInvoice => ({
  invoiceKind: 'B2C',
  invoiceDate: new Date().toISOString().slice(0, 10),
  currency: 'NGN',
  lineItems: [
    {
      description: 'Palm oil',
      hsnCode: '1511.10',
      quantity: 2,
      unitCode: 'LTR',
      unitPrice: '1950.50',
      taxCategory: 'standard',
    },
  ],
})

const verifyMs = 30_000
const pauseMs = 250

/** The last digits of the buyer's tax number tell the simulated authority what to do with an invoice. */
async function saleTo(client: Risiti, lastDigits: string): Promise<NewInvoice> {
  const digits = String(randomInt(10_000_000, 99_999_999))
  const { id } = await client.buyers.create({
    name: `Triggered ${new Date().toISOString()}`,
    taxId: `${digits}-${lastDigits}`,
    email: 'triggered@example.com',
    address: { line1: '4 Bompai Road', city: 'Kano', state: 'Kano', country: 'NG' },
  })
  await client.buyers.verify(id)
  let status = 'pending'
  for (const end = performance.now() + verifyMs; status === 'pending' && performance.now() < end; ) {
    await pauseFor(pauseMs)
    status = (await client.buyers.get(id)).taxIdStatus
  }
  if (status !== 'verified')
    throw new Failure(exitCodes.refused, `The authority did not confirm the tax number of the buyer ${id}: ${status}.`)
  return { ...sale(), invoiceKind: 'B2B', buyerId: id }
}

/** How the sandbox makes events happen. */
const real: Readonly<Record<string, (client: Risiti) => Promise<unknown>>> = {
  'buyer.created': (client) => client.buyers.create({ name: `Triggered ${new Date().toISOString()}` }),
  'invoice.created': (client) => client.invoices.create(sale()),
  'invoice.finalised': async (client) => client.invoices.finalise((await client.invoices.create(sale())).id),
  'invoice.queued': (client) => client.submissions.createAndSubmit(sale()),
  'invoice.accepted': (client) => client.submissions.createAndSubmit(sale()),
  'invoice.rejected': async (client) => client.submissions.createAndSubmit(await saleTo(client, '9001')),
  'invoice.submission_failed': async (client) => client.submissions.createAndSubmit(await saleTo(client, '9002')),
  'inbound_invoice.received': (client) => client.receivedInvoices.sendFromOutside({}),
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
    const reply = make ? await make(client) : await client.webhooks.test(flags.endpoint as string, { type })
    printData(io, reply, flags.json === true)
    refuseUnready(reply)
  })
}
