import { paymentPagePath } from '@causeway/contract/payment-requests-rules.ts';

export interface LinkPorts {
  /** The address under which people reach the installation: its configuration's, wherever a link is read. */
  publicUrl: string;
}

/** The payer's page, absolute: as mails, the console and an operator's look have it. */
export function payerLink(publicUrl: string, token: string): string {
  return new URL(paymentPagePath(token), publicUrl).href;
}
