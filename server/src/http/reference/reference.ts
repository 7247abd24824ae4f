import type { Form } from '../definitions/form.ts'
import { type OpenApiDocument, openApiOf } from '../openapi/index.ts'
import { type DocumentedEvent, type EventGroup, eventGroupsOf, eventsOf } from './events.ts'
import { type Group, groupsOf } from './served-operations.ts'

/** Everything that the pages of a form's reference show. */
export interface Reference {
  readonly document: OpenApiDocument
  readonly form: Form
  readonly others: readonly Form[]
  readonly groups: readonly Group[]
  readonly events: readonly DocumentedEvent[]
  readonly eventGroups: readonly EventGroup[]
}

export function referenceOf(form: Form, others: readonly Form[] = [], document = openApiOf(form)): Reference {
  const events = eventsOf(document)
  return { document, form, others, groups: groupsOf(document), events, eventGroups: eventGroupsOf(events) }
}
