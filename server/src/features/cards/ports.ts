import type { Tx } from '../../platform/database/database.ts';
import type { CardIssuer, IssuerProtocol } from './issuer.ts';

/** The issuer that is connected: what we ask of it, and how it speaks to us. */
export interface CardPorts {
  issuer: CardIssuer | null;
  protocol: IssuerProtocol | null;
  /** Of a process that asks no issuer: whether others do. */
  isConnected?(tx: Tx): Promise<boolean>;
}

/** No issuer is connected: cards cannot be issued, and nothing is authorised. */
export const noIssuer: CardPorts = { issuer: null, protocol: null };
