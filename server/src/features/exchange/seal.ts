/** The signer reads the same claims (rails/signing/settlement.ts), so they are defined to the left of it. */
export { type ExchangeClaims, exchangeClaims } from '../outgoing/index.ts';
