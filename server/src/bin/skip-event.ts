import { commandArguments, readConfig } from '../platform/config.ts'
import { listConsumers, skipEvent } from '../platform/events/cursors.store.ts'
import { skipSetAside } from '../platform/events/set-aside.store.ts'
import { createLogger } from '../platform/logger.ts'
import { CommandFault, orExplain } from './explain.ts'
import { openRuntime } from './runtime.ts'

/** `npm run events:skip -- CONSUMER EVENT WHY`: lets a consumer go on behind the event that it fails on, or forget one that it has set aside, and notes who was told why. */
await orExplain('Nothing was skipped.', async () => {
  const config = readConfig(undefined, [])
  const [consumer, eventId, ...words] = commandArguments()
  const reason = words.join(' ').trim()
  if (consumer === undefined || eventId === undefined || reason === '')
    throw new CommandFault('say which consumer skips which event and why: npm run events:skip -- CONSUMER EVENT WHY')
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(eventId))
    throw new CommandFault(`${eventId} is not the id of an event`)
  const log = createLogger({ level: 'warn', style: 'readable' })
  const open = await openRuntime(config, log)
  try {
    // Whoever was ever started has a cursor, by which /ready tells of it: those that queues bring along, and those of a newer worker, too.
    const known = (await listConsumers(open.runtime.db)).map((state) => state.consumer)
    if (!known.includes(consumer))
      throw new CommandFault(`no consumer is called ${consumer}; there are ${known.join(', ')}`)
    const isSkipped = await open.runtime.db.transaction(
      async (tx) =>
        (await skipEvent(tx, consumer, eventId, reason)) || (await skipSetAside(tx, consumer, eventId, reason)),
    )
    if (!isSkipped)
      throw new CommandFault(
        `${consumer} neither stands at event ${eventId} nor has set it aside: /ready tells where it stands, the table set_aside_events what was set aside`,
      )
    log.warn('consumer.skipped', { reason: consumer, eventId })
    process.stdout.write(`${consumer} goes on behind ${eventId}. The table skipped_events keeps why.\n`)
  } finally {
    await open.close()
  }
})
