import { consumerFor } from '../../platform/background/handlers.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days, purgeAfter } from '../../platform/background/purge-expired.ts'
import { fillSandboxes, refills } from './accounts/fill-sandboxes.ts'
import { grantFreeCreditsJob } from './accounts/free-credits.ts'
import { lowBalanceJob } from './accounts/low-balance.ts'
import { mailLowBalanceHandler } from './accounts/mail-low-balance.ts'
import { openAccountJob } from './accounts/open-account.ts'
import { grantFreeCreditsOfBusiness, openAccountOfNewcomer, openMissingAccounts } from './accounts/open-accounts.ts'
import { purgeNotifications } from './payments/notifications.store.ts'
import { purchaseCredits } from './payments/purchase-credits.ts'
import { returnMoney } from './payments/return-money.ts'
import { billingSealedColumns } from './sealed-columns.ts'
import { cancelSubscription } from './settling/cancel-subscription.ts'
import { chargeCard } from './settling/charge-card.ts'
import { lookAtPayment } from './settling/look-at-payment.ts'
import { lookAtOnePayment, settleNotification, sweepPayments } from './settling/look-at-payments.ts'
import { chargeKeptCard, giveMoneyBack, runSubscriptions } from './settling/run-subscriptions.ts'
import { renewSubscription } from './subscriptions/renew-subscription.ts'
import { subscribe } from './subscriptions/subscribe.ts'

export const background: ModuleBackground = {
  jobs: (runtime, runner) => [
    openAccountOfNewcomer(runner),
    grantFreeCreditsOfBusiness(runner),
    openMissingAccounts(runtime, runner),
    fillSandboxes(runtime, runner),
    mailLowBalanceHandler(runner),
    settleNotification(runner),
    lookAtOnePayment(runner),
    sweepPayments(runtime, runner),
    runSubscriptions(runtime, runner),
    chargeKeptCard(runner),
    giveMoneyBack(runner),
  ],
  dueWork: [refills],
  consumers: [openAccountJob, grantFreeCreditsJob, lowBalanceJob].map(consumerFor),
  exchanges: [
    purchaseCredits,
    subscribe,
    renewSubscription,
    cancelSubscription,
    lookAtPayment,
    chargeCard,
    returnMoney,
  ],
  // Longer than any provider repeats a notification.
  purges: [purgeAfter(90 * days, 'payment notifications', purgeNotifications)],
  sealedColumns: billingSealedColumns,
}
