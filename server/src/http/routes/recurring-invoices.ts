import { recurringOperations } from '../../modules/recurring-invoices/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const schedules = '/i/v1/recurring-invoices'

export const recurringRoutes = {
  list: defineRoute('GET', schedules, 'token', recurringOperations.listOwnSchedules, {
    summary: 'List schedules of recurring invoices, newest first',
  }),
  create: defineRoute('POST', schedules, 'token', recurringOperations.createSchedule, {
    summary: 'Create a schedule of recurring invoices',
    description:
      'Invoices are made when their day begins in the time zone of your organisation. A period gets one invoice, also after a failure. The content is checked now as if you created the first invoice. Each invoice costs the same as if you created it yourself. Besides `invoice.create`, you need the capabilities for the policy.',
  }),
  get: defineRoute('GET', `${schedules}/{id}`, 'token', recurringOperations.getSchedule, {
    summary: 'Get a schedule of recurring invoices',
  }),
  change: defineRoute('POST', `${schedules}/{id}/content`, 'token', recurringOperations.changeContent, {
    summary: 'Change what a schedule makes, from a day on',
    description:
      'Invoices that were made stay as they are, and so do changes that are planned for later days (`changesOn`). At most 24 changes can be planned. The days of a schedule cannot be changed: end it and create a new one.',
  }),
  pause: defineRoute('POST', `${schedules}/{id}/pause`, 'token', recurringOperations.pauseSchedule, {
    summary: 'Pause a schedule of recurring invoices',
  }),
  resume: defineRoute('POST', `${schedules}/{id}/resume`, 'token', recurringOperations.resumeSchedule, {
    summary: 'Resume a paused schedule',
    description: 'It goes on with the first period from today on. Periods of the pause are left out.',
  }),
  end: defineRoute('POST', `${schedules}/{id}/end`, 'token', recurringOperations.endSchedule, {
    summary: 'End a schedule of recurring invoices',
    description: 'No further invoices are made. This cannot be undone.',
  }),
  skip: defineRoute('POST', `${schedules}/{id}/skip`, 'token', recurringOperations.skipPeriod, {
    summary: 'Skip one coming period of a schedule',
    description: 'The day must be one of the next 120 days of the schedule.',
  }),
  unskip: defineRoute('POST', `${schedules}/{id}/unskip`, 'token', recurringOperations.unskipPeriod, {
    summary: 'Take back the skip of a coming period',
  }),
  preview: defineRoute('GET', `${schedules}/{id}/preview`, 'token', recurringOperations.previewSchedule, {
    summary: 'List the next twelve invoices of a schedule',
  }),
  listPeriods: defineRoute('GET', `${schedules}/{id}/periods`, 'token', recurringOperations.listScheduleRuns, {
    summary: 'List what came of each period of a schedule, newest first',
  }),
  runAgain: defineRoute('POST', `${schedules}/{id}/periods/run`, 'token', recurringOperations.runPeriodAgain, {
    summary: 'Make the invoice of a period that waits, failed, was missed or was skipped',
    description:
      'The content of its day counts, with the corrections that you made since. If it is refused again, the reply is 200 with the outcome `failed` and the reason.',
  }),
}
