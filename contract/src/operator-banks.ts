import * as z from 'zod/mini';
import { call } from './call.ts';
import { asset, bankId, id, instant, page, pageQuery, text } from './ids.ts';
import { operatorReason } from './operator.ts';
import * as rules from './operator-banks-rules.ts';
import { verificationResults } from './operator-health-rules.ts';

/** Banks as the operator sees them: accounts, files, reconciliation, and money that is no company's yet. Part of the feature operator. */

export * from './operator-banks-rules.ts';

const day = z.iso.date('field.day');
/** In whole units of the asset, a plain decimal; signed where it can be negative. */
const quantity = z.string();

const registryChange = z.object({
  id,
  at: instant,
  /** SHA-256 of the file as it was read then, hexadecimal. */
  digest: z.string(),
  /** Empty for the first time that the file was read. */
  changes: z.array(
    z.object({
      bank: z.string(),
      currency: z.nullable(z.string()),
      field: z.enum(rules.bankRegistryFields),
      before: z.nullable(z.string()),
      after: z.nullable(z.string()),
    }),
  ),
});
export type BankRegistryChange = z.output<typeof registryChange>;

export const getBanks = call({
  name: 'getBanks',
  method: 'GET',
  path: '/operator/bank',
  summary:
    'Every bank of the registry with its accounts, its connection and its numbers, and how the registry has changed.',
  access: 'operator.view',
  output: z.object({
    banks: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        country: z.string(),
        bic: z.string(),
        clearingSystem: z.nullable(z.string()),
        clearingCode: z.nullable(z.string()),
        timeZone: z.string(),
        address: z.string(),
        enabled: z.boolean(),
        currencies: z.array(
          z.object({
            asset,
            enabled: z.boolean(),
            /** The installation’s own account, to which the companies’ accounts are booked. */
            collectingAccount: z.nullable(z.string()),
            /** Since when this account is in the registry; null where no file has reported about it. */
            collectingSince: z.nullable(instant),
            cutOff: z.string(),
            daysLeast: z.number(),
            daysMost: z.number(),
            fee: quantity,
            /** Fees of companies that lie in the installation’s account at the bank, and are no company’s any more. */
            feesHeld: quantity,
            /** The next days of the week on which the bank does not work in it. */
            closed: z.array(day),
            /** From then on a year is in no table of working days; null within the next 400 days. */
            unknownFrom: z.nullable(day),
            /** Companies with an account in it. */
            companies: z.number(),
          }),
        ),
        /** Numbers for companies’ accounts; null where the bank gave none. */
        range: z.nullable(
          z.object({ prefix: z.string(), digits: z.number(), used: z.number(), left: z.number(), open: z.boolean() }),
        ),
        /** Null before the first visit: no connection is configured, or the worker has not reached it yet. */
        connection: z.nullable(
          z.object({
            checkedAt: instant,
            problem: z.nullable(z.enum(rules.bankProblems)),
            since: z.nullable(instant),
            detail: z.nullable(z.string()),
            lastFileAt: z.nullable(instant),
          }),
        ),
        /** The last order of payments; null before the first. */
        lastOrder: z.nullable(
          z.object({
            fileName: z.string(),
            asset,
            total: quantity,
            payments: z.number(),
            state: z.enum(rules.bankOrderStates),
            madeAt: instant,
            deliveredAt: z.nullable(instant),
            /** When the bank answered last, and how many of its payments it has not answered yet. */
            answeredAt: z.nullable(instant),
            unanswered: z.number(),
          }),
        ),
      }),
    ),
    /** The last changes of the registry, newest first. */
    registry: z.array(registryChange),
    /** What waits for a person. */
    open: z.object({ suspense: z.number(), charged: z.number(), refusedFiles: z.number() }),
  }),
  errors: [],
});
export type Banks = z.output<typeof getBanks.output>;

const bankFile = z.object({
  id,
  bank: z.string(),
  bankName: z.string(),
  name: z.string(),
  /** camt.053, camt.054, pain.002; null until it was read. */
  kind: z.nullable(z.string()),
  bytes: z.number(),
  source: z.enum(rules.bankFileSources),
  state: z.enum(rules.bankFileStates),
  /** Why it was refused, as a sentence in the reader’s language. */
  problem: z.nullable(z.string()),
  at: instant,
  readAt: z.nullable(instant),
});
export type BankFile = z.output<typeof bankFile>;

export const listBankFiles = call({
  name: 'listBankFiles',
  method: 'GET',
  path: '/operator/bank-file',
  summary: 'Files of banks, newest first.',
  access: 'operator.view',
  query: z.strictObject({
    ...pageQuery,
    bank: z.optional(bankId),
    state: z.optional(z.enum(rules.bankFileStates)),
  }),
  output: page(bankFile),
  errors: ['cursorInvalid'],
});

export const bankMoney = z.object({
  id,
  bank: z.string(),
  bankName: z.string(),
  /** The installation’s account that it was booked to. */
  account: z.string(),
  asset,
  /** Signed: positive came in. */
  quantity,
  state: z.enum(rules.bankMoneyStates),
  unmatched: z.nullable(z.enum(rules.bankUnmatched)),
  matchedBy: z.nullable(z.enum(rules.bankMatches)),
  payer: z.nullable(z.string()),
  payerAccount: z.nullable(z.string()),
  remittance: z.string(),
  /** What the bank writes beside the booking. */
  bankWords: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  bookedOn: z.nullable(day),
  at: instant,
  /** Companies that it may belong to. */
  suggestions: z.number(),
  /** Whether the bank has taken it back since, by another money. */
  takenBack: z.boolean(),
});
export type BankMoney = z.output<typeof bankMoney>;

export const getBankFile = call({
  name: 'getBankFile',
  method: 'GET',
  path: '/operator/bank-file/{id}',
  summary: 'One file: its text, the statements in it, and the moneys that it announced or booked.',
  access: 'operator.view',
  params: z.object({ id }),
  output: z.object({
    file: bankFile,
    sha256: z.string(),
    /** MsgId of the bank. */
    reference: z.nullable(z.string()),
    /** The beginning of the file as text. */
    text: z.string(),
    isCut: z.boolean(),
    statements: z.array(
      z.object({
        id,
        kind: z.enum(['statement', 'notification']),
        account: z.string(),
        asset,
        reference: z.string(),
        opening: z.nullable(quantity),
        openedOn: z.nullable(day),
        closing: z.nullable(quantity),
        closedOn: z.nullable(day),
        /** Booked entries, credits less debits. */
        total: quantity,
        entries: z.number(),
        /** Of a statement: closing less opening and entries; null where a balance is missing. */
        difference: z.nullable(quantity),
        isCopy: z.boolean(),
      }),
    ),
    moneys: z.array(bankMoney),
    /** Whether it has more moneys than are listed. */
    moneysCut: z.boolean(),
  }),
  errors: ['notFound'],
});

export const downloadBankFile = call({
  name: 'downloadBankFile',
  method: 'GET',
  path: '/operator/bank-file/{id}/content',
  summary: 'The file as it came. The download is in the operator’s audit log.',
  access: 'operator.look',
  params: z.object({ id }),
  output: z.null(),
  answer: 'file',
  errors: ['notFound'],
});

export const bankFinding = z.object({
  kind: z.enum(rules.bankFindings),
  /** Of the row: a statement, an entry, a money, a posting, a deposit. */
  id,
  bank: z.string(),
  asset,
  account: z.nullable(z.string()),
  company: z.nullable(z.object({ id, name: z.string() })),
  /** The file that the statement or entry is in. */
  fileId: z.nullable(id),
  /** The transaction that it is of, where it is one of a company’s. */
  transactionId: z.nullable(id),
  /** Signed. */
  difference: quantity,
});
export type BankFinding = z.output<typeof bankFinding>;

export const getBankReconciliation = call({
  name: 'getBankReconciliation',
  method: 'GET',
  path: '/operator/bank-reconciliation',
  summary:
    'Compares the books with the banks’ statements now: of each currency at a bank what the bank states and what the books have, of each account its last statement, and every row that does not agree.',
  access: 'operator.view',
  output: z.object({
    at: instant,
    places: z.array(
      z.object({
        bank: z.string(),
        bankName: z.string(),
        asset,
        /** The last closing balances, and what was announced as booked since. */
        stated: quantity,
        /** What companies and the installation have there by the ledger. */
        booked: quantity,
        /** Part of it: held in suspense. */
        suspense: quantity,
        difference: quantity,
        accounts: z.array(
          z.object({
            number: z.string(),
            /** Null where the bank has sent none yet. */
            statement: z.nullable(
              z.object({
                fileId: id,
                reference: z.string(),
                opening: quantity,
                total: quantity,
                closing: quantity,
                closedOn: day,
                entries: z.number(),
                difference: quantity,
              }),
            ),
            /** Announced as booked since the closing balance. */
            since: quantity,
          }),
        ),
      }),
    ),
    findings: z.array(bankFinding),
    /** Whether there are more findings than are listed. */
    isCut: z.boolean(),
    /** The last nightly comparison; null before the first. */
    night: z.nullable(z.object({ at: instant, result: z.enum(verificationResults), differences: z.number() })),
  }),
  errors: [],
});
export type BankReconciliation = z.output<typeof getBankReconciliation.output>;

export const listBankMoneys = call({
  name: 'listBankMoneys',
  method: 'GET',
  path: '/operator/bank-money',
  summary: 'Moneys of banks in one state, the oldest first; by default those in suspense.',
  access: 'operator.view',
  query: z.strictObject({
    ...pageQuery,
    state: z.optional(z.enum(rules.bankMoneyStates)),
    bank: z.optional(bankId),
    asset: z.optional(asset),
  }),
  output: page(bankMoney),
  errors: ['cursorInvalid'],
});

const target = z.object({
  companyId: id,
  companyName: z.string(),
  walletId: id,
  accountNumber: z.string(),
  frozen: z.boolean(),
});

export const getBankMoney = call({
  name: 'getBankMoney',
  method: 'GET',
  path: '/operator/bank-money/{id}',
  summary: 'One money of a bank: what the bank says of it, to whom it may belong and why, and what became of it.',
  access: 'operator.view',
  params: z.object({ id }),
  output: z.object({
    money: bankMoney,
    valueOn: z.nullable(day),
    endToEnd: z.nullable(z.string()),
    uetr: z.nullable(z.string()),
    payerBank: z.nullable(z.string()),
    creditorAccount: z.nullable(z.string()),
    creditorReferences: z.array(z.string()),
    /** Of a return: the bank's code (ISO 20022, ExternalReturnReason1Code) and its words. */
    returnReason: z.nullable(z.string()),
    returnWords: z.nullable(z.string()),
    /** The files that announced and booked it. */
    files: z.array(z.object({ id, name: z.string(), at: instant })),
    suggestions: z.array(
      z.object({
        companyId: id,
        companyName: z.string(),
        why: z.enum(rules.bankSuggestions),
        /** What was found: an account number, a reference, the announced payment. */
        value: z.string(),
        /** Null where the company has no account in this currency at this bank. */
        target: z.nullable(target),
      }),
    ),
    /** The deposit that it was credited as. */
    credited: z.nullable(z.object({ transactionId: id, companyId: id, companyName: z.string() })),
    /** Of money in suspense: debits of the same amount at the same account, by which the bank may have sent it back. */
    returns: z.array(bankMoney),
    /** Of a debit that no company bears: the fees of companies in its currency at its bank, and whether it can be set off against them. */
    fees: z.nullable(z.object({ held: quantity, covered: z.boolean() })),
    /** Of a transfer of fees: what of it was taken from which company's fees, the largest first, 100 at most. */
    shares: z.nullable(
      z.object({
        companies: z.number(),
        items: z.array(z.object({ companyId: id, companyName: z.string(), quantity })),
      }),
    ),
    /** The open proposal about it. */
    proposalId: z.nullable(id),
  }),
  errors: ['notFound'],
});

export const findBankCreditTargets = call({
  name: 'findBankCreditTargets',
  method: 'GET',
  path: '/operator/bank-money/{id}/wallet',
  summary:
    'Companies with an account in the currency of a money at its bank, by a part of their name or account number; 20 at most.',
  access: 'operator.view',
  params: z.object({ id }),
  query: z.strictObject({ keyword: text(60) }),
  output: z.object({ targets: z.array(target) }),
  errors: ['notFound'],
});

export const proposeBankCredit = call({
  name: 'proposeBankCredit',
  method: 'POST',
  path: '/operator/bank-money/{id}/credit',
  summary:
    'Proposes to credit money in suspense to a company’s wallet of its currency at its bank. Another operator confirms it; the worker credits it.',
  access: 'operator.exception',
  params: z.object({ id }),
  body: z.strictObject({ companyId: id, reason: operatorReason }),
  output: z.object({ proposalId: id }),
  errors: ['notFound', 'bankMoneySettled', 'bankMoneyUndetailed', 'bankWalletMissing', 'proposalOpen'],
});
