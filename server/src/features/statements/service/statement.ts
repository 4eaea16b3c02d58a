import type { FlowSums } from '../../ledger/index.ts';
import type { Line } from './lines.ts';
import type { OpenStatements, WalletSpan } from './open.ts';

/** A statement that is being written: where each wallet begins and ends, and how much there is. */
export interface Statement {
  company: string;
  opened: OpenStatements;
  wallets: { span: WalletSpan; sums: FlowSums }[];
}

/** A wallet's movements as they are shown, read batch by batch. */
export type Lines = AsyncGenerator<Line>;
