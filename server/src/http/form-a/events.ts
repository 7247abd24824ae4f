import { type EventType, eventTypes } from '../../kernel/events.ts'

/** Form A uses the core names. */
export const eventNames = Object.fromEntries(Object.keys(eventTypes).map((type) => [type, type])) as Readonly<
  Record<EventType, string>
>
