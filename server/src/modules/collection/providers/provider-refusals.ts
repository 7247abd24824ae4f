/** A definite refusal: nothing happened at the provider. Any other failure leaves the result unknown. */
export class CollectionRefusal extends Error {
  override readonly name: string = 'CollectionRefusal'
}

/** The provider must enable sub-accounts for our keys first. */
export class SubAccountsNotEnabled extends CollectionRefusal {
  override readonly name = 'SubAccountsNotEnabled'

  constructor(provider: string, reason: string) {
    super(
      `${provider} has not enabled sub-accounts for this service, so money cannot be passed on to the seller. The operator must ask ${provider} to enable them, for its test system and the real one separately; the sub-account is then made by itself within a few hours, or when the settlement account is registered again. ${provider} said: ${reason}`,
    )
  }
}

/** The operator's account at the provider lacks a feature. No change of the request helps. */
export class ProviderNotSetUp extends CollectionRefusal {
  override readonly name = 'ProviderNotSetUp'
}

/** The balance at the provider does not cover the refund. */
export class BalanceTooLow extends CollectionRefusal {
  override readonly name = 'BalanceTooLow'

  constructor(provider: string, reason: string) {
    super(
      `the operator’s balance at ${provider} is too low to pay this refund. ${provider} said: ${reason}. The operator must top the balance up; then ask for the refund again`,
    )
  }
}
