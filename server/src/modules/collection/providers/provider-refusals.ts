/** The provider said no, and meant it: nothing happened there. Any other failure leaves open whether something did. */
export class CollectionRefusal extends Error {
  override readonly name: string = 'CollectionRefusal'
}

/** The provider has to turn sub-accounts on before it makes any for us. */
export class SubAccountsNotEnabled extends CollectionRefusal {
  override readonly name = 'SubAccountsNotEnabled'

  constructor(provider: string, told: string) {
    super(
      `${provider} has not enabled sub-accounts for this service, so money cannot be passed on to the seller. The operator must ask ${provider} to enable them, for its test system and the real one separately; the sub-account is then made by itself within a few hours, or when the settlement account is registered again. ${provider} said: ${told}`,
    )
  }
}

/** The operator's set-up at the provider lacks something. No caller can mend that by asking otherwise. */
export class ProviderNotSetUp extends CollectionRefusal {
  override readonly name = 'ProviderNotSetUp'
}

/** A refund has nothing to be paid from. */
export class BalanceTooLow extends CollectionRefusal {
  override readonly name = 'BalanceTooLow'

  constructor(provider: string, told: string) {
    super(
      `the operator’s balance at ${provider} is too low to pay this refund. ${provider} said: ${told}. The operator must top the balance up; then ask for the refund again`,
    )
  }
}
