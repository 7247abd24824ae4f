import { type EventType, eventTypes } from '../../kernel/events.ts'

/** Form A calls every event by its core name. */
export const eventNames = Object.fromEntries(Object.keys(eventTypes).map((type) => [type, type])) as Readonly<
  Record<EventType, string>
>
