import { sayAmount } from '@causeway/contract/money.ts';
import type { BankExplained } from '@causeway/contract/operator-banks-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { keepContent } from '../../banks/index.ts';
import {
  collectFees,
  creditHeld,
  returnExplained,
  returnHeld,
  settleCards,
  withdrawExplanation,
} from '../../rails/index.ts';
import type { ActHandler, ActHandlers } from '../acts/jobs.ts';
import { cardsFacts } from './card-kind.ts';
import { explainedFacts, explanationOf, settlementOf } from './explanation-kinds.ts';
import { creditFacts, creditInput, feesFacts, returnInput } from './kinds.ts';
import { findUpload, readUploadContent } from './uploads-store.ts';

/** Puts back what the bank returned by a held money, as two operators agreed on; its own word, by another booking, may have been quicker. */
const takeBack = (about: BankExplained, action: 'operator.takeBackCards' | 'operator.takeBackFees'): ActHandler => ({
  async perform(tx, { subjectId, subjectName, before, input, reason, confirmedBy }) {
    const { bankName } = explainedFacts.parse(before);
    const explainedId = settlementOf(input);
    if (!(await returnExplained(tx, { returnedId: subjectId, explainedId, about, by: 'operator' }))) {
      throw new DomainError('bankTakeBackDiffers');
    }
    await audit(tx, {
      actor: { kind: 'operator', id: confirmedBy },
      action,
      subjectKind: 'installation',
      subjectId: 'installation',
      detail: { amount: subjectName, bank: bankName, reason },
    });
    return { settlementId: explainedId };
  },
});

/**
 * How the worker credits money in suspense that two operators agreed on: by the posting of every deposit, under the money's lock. Where the
 * bank or a notice was quicker, it is settled otherwise, and the act is refused for good.
 */
export const bankActs = {
  'bankMoney.credit': {
    async perform(tx, { subjectId, before, input, reason, confirmedBy }) {
      const { amountMinor, decimals, asset } = creditFacts.parse(before);
      const { walletId } = creditInput.parse(input);
      const outcome = await creditHeld(tx, subjectId, { walletId, amountMinor: BigInt(amountMinor) });
      if (outcome.is !== 'credited')
        throw new DomainError(outcome.is === 'noWallet' ? 'bankWalletMissing' : 'bankMoneySettled');
      await audit(tx, {
        actor: { kind: 'operator', id: confirmedBy },
        action: 'operator.creditBankMoney',
        subjectKind: 'transaction',
        subjectId: outcome.transactionId,
        detail: { amount: `${sayAmount(BigInt(amountMinor), decimals)} ${asset}`, reason },
      });
      return { transactionId: outcome.transactionId };
    },
  },
  'bankMoney.return': {
    async perform(tx, { subjectId, subjectName, input, reason, confirmedBy }) {
      const { takenId, bookedOn, reference } = returnInput.parse(input);
      if (!(await returnHeld(tx, subjectId, takenId))) throw new DomainError('bankMoneySettled');
      await audit(tx, {
        actor: { kind: 'operator', id: confirmedBy },
        action: 'operator.returnBankMoney',
        subjectKind: 'installation',
        subjectId: 'installation',
        detail: { amount: subjectName, bookedOn, reference, reason },
      });
      return { takenId };
    },
  },
  // Across companies in one transaction, each by a posting of its own: all of the debit is set off, or nothing.
  'bankMoney.fees': {
    async perform(tx, { subjectId, subjectName, before, reason, confirmedBy }) {
      const { bankName } = feesFacts.parse(before);
      const outcome = await collectFees(tx, subjectId);
      // Deposits that the bank took back meanwhile took their fees with them.
      if (outcome === 'short') throw new DomainError('bankFeesChanged');
      if (outcome === 'settled') throw new DomainError('bankDebitOther');
      await audit(tx, {
        actor: { kind: 'operator', id: confirmedBy },
        action: 'operator.collectBankFees',
        subjectKind: 'installation',
        subjectId: 'installation',
        detail: { amount: subjectName, bank: bankName, reason },
      });
      return { outcome };
    },
  },
  // As with fees: a posting of its own for each company, in one transaction.
  'bankMoney.cards': {
    async perform(tx, { subjectId, subjectName, before, reason, confirmedBy }) {
      const { bankName } = cardsFacts.parse(before);
      const outcome = await settleCards(tx, subjectId);
      // Refunds and clearings that came meanwhile change what is owed.
      if (outcome === 'short') throw new DomainError('cardSettlementChanged');
      if (outcome === 'settled') throw new DomainError('cardSettlementOther');
      await audit(tx, {
        actor: { kind: 'operator', id: confirmedBy },
        action: 'operator.settleCards',
        subjectKind: 'installation',
        subjectId: 'installation',
        detail: { amount: subjectName, bank: bankName, reason },
      });
      return { outcome };
    },
  },
  'bankMoney.cardsBack': takeBack('cards', 'operator.takeBackCards'),
  'bankMoney.feesBack': takeBack('fees', 'operator.takeBackFees'),
  'bankMoney.withdraw': {
    async perform(tx, { subjectName, before, input, reason, confirmedBy }) {
      const { bankName } = explainedFacts.parse(before);
      const { explanationId, explainedAs } = explanationOf(input);
      const outcome = await withdrawExplanation(tx, explanationId);
      if (outcome === 'short') throw new DomainError('bankExplanationShort');
      if (outcome === 'other') throw new DomainError('bankExplanationOther');
      await audit(tx, {
        actor: { kind: 'operator', id: confirmedBy },
        action: 'operator.withdrawBankExplanation',
        subjectKind: 'installation',
        subjectId: 'installation',
        detail: { amount: subjectName, explainedAs, bank: bankName, reason },
      });
      return { explanationId };
    },
  },
  // Read and posted by the worker from here on, as what came from the bank; the same content twice is one message.
  'bankFile.take': {
    async perform(tx, { subjectId, reason, confirmedBy }) {
      const [row, content] = [await findUpload(tx, subjectId), await readUploadContent(tx, subjectId)];
      if (!row || !content) throw new DomainError('notFound');
      const { bank, name, fileName, sha256 } = row;
      const known = await keepContent(tx, { bank, name: fileName, source: 'hand', content });
      if (known !== null) throw new DomainError('bankFileKnown', { name: known.name });
      await audit(tx, {
        actor: { kind: 'operator', id: confirmedBy },
        action: 'operator.takeBankFile',
        subjectKind: 'installation',
        subjectId: 'installation',
        detail: { bank: name, fileName, sha256, reason },
      });
      return { sha256 };
    },
  },
} satisfies ActHandlers;
