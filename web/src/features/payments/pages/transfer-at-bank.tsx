import { PaymentSteps } from '../components/payment-steps.tsx';

/** Transfer out of a wallet at a bank to a saved bank account. */
export function Page() {
  return <PaymentSteps form="transfer" />;
}
