import type { Reply } from '../../shared/http.ts'
import { addressFrom, companyNameFrom, digitsFrom, uuidFrom } from '../derived.ts'
import { success } from '../envelope.ts'
import type { Call, Group } from '../routes.ts'
import { endsIn, knownTin } from '../tin.ts'

export const utilityRoutes: Group = {
  handler: 'utility_actions',
  routes: [
    { on: 'POST /api/v1/utilities/verify-tin', handle: verifyTin },
    { on: 'POST /api/v1/utilities/verify-tin/', handle: verifyTin },
  ],
}

function verifyTin(call: Call): Reply {
  const tin = knownTin(call.fields().tin)
  return success({
    address: addressFrom(tin),
    email: `accounts-${digitsFrom(`email ${tin}`, 6)}@taxpayer.example`,
    id: uuidFrom(`taxpayer ${tin}`),
    jtb_tin: '',
    message: 'TIN Information',
    phone: `0800${digitsFrom(`phone ${tin}`, 7)}`,
    rc_number: digitsFrom(`company ${tin}`, 7),
    status: '200 OK',
    taxofficer_id: digitsFrom(`officer ${tin}`, 2),
    taxofficer_name: 'MSTO SIMULATED OFFICER',
    // the simulator does not know what the taxpayer calls itself, so it says nothing that could be compared
    taxpayer_name: endsIn(tin, 'otherName') ? companyNameFrom(tin) : '',
    taxpayer_type: 'C',
    tin,
  })
}
