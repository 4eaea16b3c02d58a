export { createLithicIssuer } from './adapters/lithic/issuer.ts';
export { lithicProtocol } from './adapters/lithic/protocol.ts';
export { cardIssuerCheck } from './health.ts';
export type { CardIssuer, IssuerProtocol } from './issuer.ts';
export { type CardPorts, noIssuer } from './ports.ts';
export { registerCardHooks } from './service/receive.ts';
