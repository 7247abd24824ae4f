import { programOperations } from '../../modules/programs/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const requests = '/n/v1/program-requests'
const programs = '/n/v1/connected-programs'

/** For the consent page and the list of programs. For people alone: a program cannot answer for its person. */
export const programRoutes = {
  getRequest: defineRoute('GET', `${requests}/{id}`, 'user', programOperations.getProgramRequest, {
    summary: 'Get what a program asks you to allow',
    description:
      'The first person who reads a request is the only one who can answer it. A request can be answered for ten minutes.',
  }),
  findRequest: defineRoute('POST', `${requests}/find`, 'user', programOperations.findProgramRequest, {
    summary: 'Find a request by the code that the program shows',
    description: 'Type a code only if you started the program yourself. Tries are limited.',
    idempotent: false,
  }),
  approveRequest: defineRoute('POST', `${requests}/{id}/approve`, 'user', programOperations.approveProgramRequest, {
    summary: 'Allow what a program asks for, or a part of it',
    description:
      'The program then acts for you in one organisation and one mode. It can never do more than you may do at that moment. You get a mail about it.',
    idempotent: false,
  }),
  denyRequest: defineRoute('POST', `${requests}/{id}/deny`, 'user', programOperations.denyProgramRequest, {
    summary: 'Refuse what a program asks for',
    idempotent: false,
  }),
  list: defineRoute('GET', programs, 'user', programOperations.listConnectedPrograms, {
    summary: 'List connected programs, newest first',
    description: 'Your own in all organisations, or those of members of the organisation of your session.',
  }),
  change: defineRoute('PATCH', `${programs}/{id}`, 'user', programOperations.changeConnectedProgram, {
    summary: 'Take capabilities from a program, or change its limits',
    description: 'To give a program more, connect it again. The change counts within a second.',
  }),
  revoke: defineRoute('DELETE', `${programs}/{id}`, 'user', programOperations.revokeConnectedProgram, {
    summary: 'Disconnect a program',
    description:
      'Its tokens stop working within a second. With `api_key.revoke` you can disconnect programs of other members of the organisation of your session.',
  }),
}
