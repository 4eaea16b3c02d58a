import { minorUnitsOf } from '@causeway/contract/iso-4217.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { UnderstoodFile } from '@causeway/contract/operator-bank-uploads.ts';
import { readBankFile } from '../../banks/index.ts';

/** Statements of a file that an operator is shown; a file has one for each account and day. */
const mostStatements = 200;

/** What was understood of a bank's file, in short. Nothing is stored. @throws BankFileError */
export async function understand(content: Buffer): Promise<UnderstoodFile> {
  const understood: UnderstoodFile = { messages: [], statements: [], statuses: 0 };
  for await (const part of readBankFile(once(content))) {
    const statement = understood.statements.at(-1);
    if (part.part === 'message') understood.messages.push({ name: part.message.name, id: part.message.id });
    else if (part.part === 'statement') {
      const { kind, id, account } = part.statement;
      const number = account.iban ?? account.number ?? '';
      understood.statements.push({ kind, account: number, reference: id, entries: 0, sums: [] });
    } else if (part.part === 'entry' && statement) statement.entries += 1;
    else if (part.part === 'statementEnd' && statement) {
      statement.sums = part.checks.map(({ currency, opening, credits, debits, closing, difference }) => {
        const say = (minor: bigint | null) => (minor === null ? null : signed(minor, currency));
        return {
          currency,
          opening: say(opening?.minor ?? null),
          credits: signed(credits, currency),
          debits: signed(debits, currency),
          closing: say(closing?.minor ?? null),
          difference: say(difference),
        };
      });
    } else if (part.part === 'transactionStatus' || part.part === 'groupStatus') understood.statuses += 1;
  }
  return { ...understood, statements: understood.statements.slice(0, mostStatements) };
}

async function* once(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}

function signed(minor: bigint, currency: string): string {
  const decimals = minorUnitsOf(currency) ?? 0;
  return minor < 0n ? `-${formatAmount(-minor, decimals)}` : formatAmount(minor, decimals);
}
