export type { CardIssuer, IssuerProtocol } from './issuer.ts';
export { type CardPorts, noIssuer } from './ports.ts';
export { registerCardHooks } from './service/receive.ts';
