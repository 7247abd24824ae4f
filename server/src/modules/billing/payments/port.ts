/** What a client of a payment provider implements and uses. */
export {
  type CheckoutOrder,
  type CheckoutProvider,
  type Notification,
  ProviderRefusal,
  type ProviderView,
} from './checkout-provider.ts'
