import { PaymentSteps } from '../components/payment-steps.tsx';

/** Payment to a business counterparty, with vouchers (decisions, "Payments"). */
export function Page() {
  return <PaymentSteps form="payment" />;
}
