import type { Survivor } from './survivor.ts';

const judge = 'server/src/features/rails/signing/judge.ts';
const settlement = 'server/src/features/rails/signing/settlement.ts';
const replacements = 'server/src/features/rails/signing/replacements.ts';
const acceleration = 'server/src/features/rails/signing/acceleration.ts';
const authorise = 'server/src/features/outgoing/signing/authorise.ts';
const ofItsWallet = 'A wallet is of one chain and one coin, and a record is read only where both are its wallet’s.';
const emptySpends = 'An empty transaction spends all that every attempt spends, and nothing that none does.';
const attemptsShare =
  'Of two attempts of a payment one spends all that the other does, so that all share what the smallest spends.';

/** Of the signer. */
export const signingSurvivors: readonly Survivor[] = [
  {
    file: judge,
    original: '{finding}',
    replacement: '{}',
    reason: 'Only what the log says.',
  },
  {
    file: judge,
    original: 'isRestoring',
    replacement: 'true',
    reason: 'Only whether the log says it.',
  },
  {
    file: judge,
    original: 'isRestoring',
    replacement: 'false',
    reason: 'Only whether the log says it.',
  },
  {
    file: judge,
    original: 'agrees && !isRestoring',
    replacement: 'true',
    reason: 'The payment is then judged again, and refused because restore mode holds.',
  },
  {
    file: judge,
    original: 'agrees && !isRestoring',
    replacement: 'agrees || !isRestoring',
    reason: 'The payment is then judged again, and refused because restore mode holds.',
  },
  {
    file: judge,
    original: 'family?.isSignable',
    replacement: 'family.isSignable',
    reason: 'A signer that lacks a family whose entries its journal has does not start.',
  },
  {
    file: judge,
    original: 'record.addresses.length > 0',
    replacement: 'true',
    reason: 'A plan that names no address of the company has no key, for which its family refuses it.',
  },
  {
    file: judge,
    original: 'record.addresses.length > 0',
    replacement: 'record.addresses.length >= 0',
    reason: 'A plan that names no address of the company has no key, for which its family refuses it.',
  },
  {
    file: judge,
    original: 'output.coin === coin',
    replacement: 'true',
    reason: 'Every output is of the coin of the intent, which is the record’s.',
  },
  {
    file: authorise,
    original: 'payeeId === null',
    replacement: 'false',
    reason: 'The digest is then another.',
  },
  {
    file: authorise,
    original: 'payeeAccount === null',
    replacement: 'false',
    reason: 'The digest is then another.',
  },
  {
    file: authorise,
    original: 'claims.companyId !== companyId || claims.transferId !== id',
    replacement: 'claims.companyId !== companyId && claims.transferId !== id',
    reason: 'The digest covers both.',
  },
  {
    file: authorise,
    original: 'claims.companyId !== companyId || claims.transferId !== id',
    replacement: 'false',
    reason: 'The digest covers both.',
  },
  {
    file: authorise,
    original: 'claims.companyId !== companyId',
    replacement: 'false',
    reason: 'The digest covers it.',
  },
  {
    file: authorise,
    original: 'claims.transferId !== id',
    replacement: 'false',
    reason: 'The digest covers it.',
  },
  {
    file: acceleration,
    original: "refuseUnless(isBitcoin(intent), 'other-coin');",
    replacement: ';',
    reason: 'Of the families Bitcoin’s alone takes plans of this kind; the line is for the type.',
  },
  {
    file: acceleration,
    original: 'intent.family === bitcoinJournal.name',
    replacement: 'true',
    reason: 'Of the families Bitcoin’s alone takes plans of this kind; the line is for the type.',
  },
  {
    file: judge,
    original: '!(error instanceof Disagreement)',
    replacement: 'false',
    reason: 'The request is then judged a second time, with the same end.',
  },
  {
    file: judge,
    original: '{err: error}',
    replacement: '{}',
    reason: 'Only what the log says.',
  },
  {
    file: judge,
    original: 'kind === transferKind',
    replacement: 'true',
    reason: 'Of legs: the family leaves them out of an advance. Elsewhere tests kill it.',
  },
  {
    file: judge,
    original: 'legs === undefined',
    replacement: 'false',
    reason: 'A field without a value is written nowhere.',
  },
  {
    file: judge,
    original: 'joined === undefined',
    replacement: 'false',
    reason: 'A field without a value is written nowhere.',
  },
  {
    file: judge,
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'What is no record has neither ended nor is over, and what is no payment has no id.',
  },
  {
    file: judge,
    original: 'payeeAccount !== null',
    replacement: 'true',
    reason: 'Of a sweep: a record without a payee is refused before. Of a further payment a test kills it.',
  },
  {
    file: judge,
    original: 'source.derivationIndex === account.derivationIndex',
    replacement: 'true',
    reason: 'Both are read with the index of the one row that a company has on a chain.',
  },
  {
    file: judge,
    original: 'record.chainId === first.chainId && record.coin === first.coin',
    replacement: 'true',
    reason: ofItsWallet,
  },
  {
    file: judge,
    original: 'record.chainId === first.chainId && record.coin === first.coin',
    replacement: 'record.chainId === first.chainId || record.coin === first.coin',
    reason: ofItsWallet,
  },
  {
    file: judge,
    original: 'record.chainId === first.chainId',
    replacement: 'true',
    reason: ofItsWallet,
  },
  {
    file: judge,
    original: 'record.coin === first.coin',
    replacement: 'true',
    reason: ofItsWallet,
  },
  {
    file: judge,
    original: 'own',
    replacement: 'true',
    reason: 'The journal finds by an id the entries that make its payment.',
  },
  {
    file: judge,
    original: 'intent.kind !== emptyKind || intent.amountMinor === 0n',
    replacement: 'true',
    reason: 'Each family gives an empty transaction the amount 0.',
  },
  {
    file: replacements,
    original: 'known.filter(({kind}) => kind === transferKind)',
    replacement: 'known',
    reason: emptySpends,
  },
  {
    file: replacements,
    original: 'kind === transferKind',
    replacement: 'true',
    reason: emptySpends,
  },
  {
    file: replacements,
    original: 'inEach.length > 0',
    replacement: 'true',
    reason: attemptsShare,
  },
  {
    file: replacements,
    original: 'inEach.length > 0',
    replacement: 'inEach.length >= 0',
    reason: attemptsShare,
  },
  {
    file: settlement,
    original: 'record.payeeAccount === null',
    replacement: 'false',
    reason: 'It is then neither the treasury’s address nor one of the company’s.',
  },
  {
    file: settlement,
    original: 'keys.length > 0',
    replacement: 'true',
    reason: 'No leg comes to the amount 0, which no transaction has.',
  },
  {
    file: settlement,
    original: 'keys.length > 0',
    replacement: 'keys.length >= 0',
    reason: 'No leg comes to the amount 0, which no transaction has.',
  },
  {
    file: settlement,
    original: 'claims.sellWalletId === claims.buyWalletId',
    replacement: 'false',
    reason: 'Of one wallet the ledger’s sum cannot be both what was sold and the opposite of what was bought.',
  },
];
