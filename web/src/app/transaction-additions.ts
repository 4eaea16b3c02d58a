import { lazy } from 'react';
import { CancelExchange } from '../features/exchange/index.ts';
import { CancelPayout } from '../features/payments/index.ts';
import { RiskExplanation } from '../features/risk/index.ts';
import type { TransactionAdditions } from '../features/transactions/index.ts';
import {
  AccelerateDeposit,
  CancelTransfer,
  RepeatTransfer,
  SpeedUpTransfer,
  TransferTie,
} from '../features/transfers/index.ts';
import { loadTexts } from '../lib/locale.tsx';

/** In the words of cards, which come with it. */
const OfCard = lazy(async () => {
  const [{ TransactionCard }] = await Promise.all([import('../features/cards/index.ts'), loadTexts(['cards'])]);
  return { default: TransactionCard };
});

/** What features right of transactions add to the panel of one, by its type. What goes out is judged by lists and policies. */
export const additions: TransactionAdditions = {
  chain_deposit: { SpeedUp: AccelerateDeposit },
  chain_accelerate: { SpeedUp: SpeedUpTransfer },
  chain_withdraw: {
    Cancel: CancelTransfer,
    SpeedUp: SpeedUpTransfer,
    Repeat: RepeatTransfer,
    Tie: TransferTie,
    Judgement: RiskExplanation,
  },
  crypto_payout: { Cancel: CancelPayout, Judgement: RiskExplanation },
  crypto_exchange_out: { Cancel: CancelExchange, Judgement: RiskExplanation },
  fiat_exchange_out: { Cancel: CancelExchange, Judgement: RiskExplanation },
  card_payment: { Tie: OfCard },
  card_refund: { Tie: OfCard },
  fiat_payout: { Cancel: CancelPayout, Judgement: RiskExplanation },
};
