import type { Reply } from '../../shared/http.ts'
import { companyNameFrom, pick, uuidFrom } from '../derived.ts'
import { success } from '../envelope.ts'
import type { Call, Group } from '../routes.ts'
import { endsIn, knownTin } from '../tin.ts'

export const transmitRoutes: Group = {
  handler: 'transmit_actions',
  routes: [{ on: 'GET /api/v1/invoice/transmit/lookup/tin/:tin', handle: lookUpTin }],
}

const accessPoints = ['Gangare Access Point', 'Oke Exchange', 'Mmiri Networks']

/** What the authority really answers is not public; this is what the question needs: who, through whom, and whether. */
function lookUpTin(call: Call): Reply {
  const tin = knownTin(call.named('tin'))
  const accessPoint = pick(accessPoints, tin)
  return success({
    tin,
    party_name: companyNameFrom(tin),
    app_reference: uuidFrom(`access point ${accessPoint}`),
    app_name: accessPoint,
    is_active: !endsIn(tin, 'inactive'),
  })
}
