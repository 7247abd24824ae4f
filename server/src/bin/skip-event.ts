import { listConsumers } from '../platform/background/consumer-states.store.ts'
import { skipEvent } from '../platform/background/cursors.store.ts'
import { skipSetAside } from '../platform/background/set-aside.store.ts'
import { commandArguments } from '../platform/config.ts'
import { createLogger } from '../platform/logger.ts'
import { CommandFault, orExplain } from './explain.ts'
import { openRuntime } from './runtime.ts'
import { readServiceConfig } from './service-config.ts'

/**
 * `npm run events:skip -- CONSUMER EVENT WHY`: lets a consumer continue after its failing event, or forget a set-aside one, and records the
 * reason.
 */
await orExplain('Nothing was skipped.', async () => {
  const config = readServiceConfig(undefined, [])
  const [consumer, eventId, ...words] = commandArguments()
  const reason = words.join(' ').trim()
  if (consumer === undefined || eventId === undefined || reason === '')
    throw new CommandFault('say which consumer skips which event and why: npm run events:skip -- CONSUMER EVENT WHY')
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(eventId))
    throw new CommandFault(`${eventId} is not the id of an event`)
  const log = createLogger({ level: 'warn', style: 'readable' })
  const open = await openRuntime(config, log)
  try {
    // Every consumer that ever ran has a cursor, which /ready lists: also those of queues, and those of a newer worker.
    const known = (await listConsumers(open.runtime.db)).map((state) => state.consumer)
    if (!known.includes(consumer))
      throw new CommandFault(`no consumer is called ${consumer}; the consumers are ${known.join(', ')}`)
    const isSkipped = await open.runtime.db.transaction(
      async (tx) =>
        (await skipEvent(tx, consumer, eventId, reason)) || (await skipSetAside(tx, consumer, eventId, reason)),
    )
    if (!isSkipped)
      throw new CommandFault(
        `${consumer} neither waits at event ${eventId} nor has set it aside. See /ready for its position, and the table set_aside_events for its set-aside events.`,
      )
    log.warn('consumer.skipped', { reason: consumer, eventId })
    process.stdout.write(`${consumer} goes on behind ${eventId}. The reason is in the table skipped_events.\n`)
  } finally {
    await open.close()
  }
})
