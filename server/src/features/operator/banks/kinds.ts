import { sayAmount } from '@causeway/contract/money.ts';
import type { ProposalKind } from '@causeway/contract/operator-rules.ts';
import * as z from 'zod/mini';
import { translate } from '../../../platform/text/texts.ts';
import { nilCompany } from '../../identity/index.ts';
import { type Kind, line } from '../console/kind.ts';
import { cardSettling } from './card-kind.ts';
import { takingBack, withdrawing } from './explanation-kinds.ts';
import { fileTaking } from './file-kind.ts';
import { bankNames, sayBank } from './kept-names.ts';
import { findMoney, findTargetsOf, sumFees } from './moneys-store.ts';

/** What operators agree on about money of banks, as kinds of proposals that the worker carries out. */

export const creditInput = z.object({
  companyId: z.string(),
  companyName: z.string(),
  walletId: z.string(),
  accountNumber: z.string(),
});
export type CreditInput = z.output<typeof creditInput>;

export const creditFacts = z.object({
  state: z.string(),
  unmatched: z.nullable(z.string()),
  amountMinor: z.string(),
  decimals: z.number(),
  asset: z.string(),
  ...bankNames,
  payer: z.nullable(z.string()),
  payerAccount: z.nullable(z.string()),
  remittance: z.string(),
  reference: z.nullable(z.string()),
  /** Whether the company still has the wallet. */
  hasWallet: z.boolean(),
});

const credit: Kind = {
  subjectKind: 'bankMoney',
  async before(tx, subjectId, input) {
    const { companyId, walletId } = creditInput.parse(input);
    const row = await findMoney(tx, subjectId);
    if (!row) return {};
    const { state, unmatched, amountMinor, decimals, asset, bankName, nameZhHk, nameZhCn } = row;
    const { payer, payerAccount, remittance, reference } = row;
    const [target] = await findTargetsOf(tx, row, [companyId]);
    return {
      ...{
        state,
        unmatched,
        decimals,
        asset,
        bankName,
        nameZhHk,
        nameZhCn,
        payer,
        payerAccount,
        remittance,
        reference,
      },
      amountMinor: amountMinor.toString(),
      hasWallet: target?.walletId === walletId,
    } satisfies z.output<typeof creditFacts>;
  },
  titleOf: (_locale, input) => ({ company: creditInput.parse(input).companyName }),
  changes(locale, input, before) {
    const { companyName, accountNumber } = creditInput.parse(input);
    const facts = creditFacts.safeParse(before);
    if (!facts.success) return [];
    const { amountMinor, decimals, asset, payer, payerAccount, remittance, reference } = facts.data;
    const amount = `${sayAmount(BigInt(amountMinor), decimals)} ${asset}`;
    const inSuspense = translate(locale, 'operator.value.inSuspense');
    return [
      line(locale, 'bankMoney.owner', inSuspense, `${companyName} · ${accountNumber}`),
      line(locale, 'bankMoney.amount', null, amount),
      line(locale, 'bankMoney.payer', null, [payer, payerAccount].filter(Boolean).join(' · ') || '–'),
      line(locale, 'bankMoney.text', null, [remittance, reference].filter(Boolean).join(' · ') || '–'),
    ];
  },
  company: ({ input }) => creditInput.parse(input).companyId,
};

export const returnInput = z.object({
  takenId: z.string(),
  bookedOn: z.nullable(z.string()),
  reference: z.string(),
  remittance: z.string(),
});
export type ReturnInput = z.output<typeof returnInput>;

const returned: Kind = {
  subjectKind: 'bankMoney',
  async before(tx, subjectId, input) {
    const { takenId } = returnInput.parse(input);
    const [row, taken] = [await findMoney(tx, subjectId), await findMoney(tx, takenId)];
    if (!row) return {};
    const { state, amountMinor, decimals, asset, payer, payerAccount } = row;
    return {
      ...{ state, decimals, asset, payer, payerAccount },
      amountMinor: amountMinor.toString(),
      taken: taken?.state ?? null,
    };
  },
  titleOf: () => ({}),
  changes(locale, input, before) {
    const { bookedOn, reference, remittance } = returnInput.parse(input);
    const facts = z.pick(creditFacts, {
      amountMinor: true,
      decimals: true,
      asset: true,
      payer: true,
      payerAccount: true,
    });
    const known = facts.safeParse(before);
    if (!known.success) return [];
    const { amountMinor, decimals, asset, payer, payerAccount } = known.data;
    const amount = `${sayAmount(BigInt(amountMinor), decimals)} ${asset}`;
    return [
      line(
        locale,
        'bankMoney.owner',
        translate(locale, 'operator.value.inSuspense'),
        translate(locale, 'operator.value.sentBack'),
      ),
      line(locale, 'bankMoney.amount', null, amount),
      line(locale, 'bankMoney.payer', null, [payer, payerAccount].filter(Boolean).join(' · ') || '–'),
      line(locale, 'bankMoney.debit', null, [bookedOn, reference, remittance].filter(Boolean).join(' · ') || '–'),
    ];
  },
  company: () => nilCompany,
};

export const feesInput = z.object({
  bank: z.string(),
  /** Fees of companies in the currency at the bank when it was proposed. */
  heldMinor: z.string(),
  bookedOn: z.nullable(z.string()),
  reference: z.string(),
  remittance: z.string(),
});
export type FeesInput = z.output<typeof feesInput>;

export const feesFacts = z.object({
  state: z.string(),
  unmatched: z.nullable(z.string()),
  amountMinor: z.string(),
  decimals: z.number(),
  asset: z.string(),
  ...bankNames,
  account: z.string(),
  /** Whether companies' fees still come to it. */
  covered: z.boolean(),
});

const fees: Kind = {
  subjectKind: 'bankMoney',
  async before(tx, subjectId) {
    const row = await findMoney(tx, subjectId);
    if (!row) return {};
    const { state, unmatched, amountMinor, decimals, asset, bankName, nameZhHk, nameZhCn, account } = row;
    return {
      ...{ state, unmatched, decimals, asset, bankName, nameZhHk, nameZhCn, account },
      amountMinor: (-amountMinor).toString(),
      covered: (await sumFees(tx, row)) >= -amountMinor,
    } satisfies z.output<typeof feesFacts>;
  },
  titleOf: () => ({}),
  changes(locale, input, before) {
    const { heldMinor, bookedOn, reference, remittance } = feesInput.parse(input);
    const facts = feesFacts.safeParse(before);
    if (!facts.success) return [];
    const { amountMinor, decimals, asset, account } = facts.data;
    const say = (minor: bigint) => `${sayAmount(minor, decimals)} ${asset}`;
    const held = BigInt(heldMinor);
    return [
      line(
        locale,
        'bankMoney.owner',
        translate(locale, 'operator.value.takenByBank'),
        translate(locale, 'operator.value.feesCollected'),
      ),
      line(locale, 'bankMoney.feesHeld', say(held), say(held - BigInt(amountMinor))),
      line(locale, 'bankMoney.account', null, `${sayBank(facts.data, locale)} ${account}`),
      line(locale, 'bankMoney.debit', null, [bookedOn, reference, remittance].filter(Boolean).join(' · ') || '–'),
    ];
  },
  company: () => nilCompany,
};

export const bankKinds = {
  'bankMoney.credit': credit,
  'bankMoney.return': returned,
  'bankMoney.fees': fees,
  'bankMoney.cards': cardSettling,
  'bankMoney.cardsBack': takingBack('cards'),
  'bankMoney.feesBack': takingBack('fees'),
  'bankMoney.withdraw': withdrawing,
  'bankFile.take': fileTaking,
} satisfies Partial<Record<ProposalKind, Kind>>;
