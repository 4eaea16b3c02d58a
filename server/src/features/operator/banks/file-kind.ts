import { type Locale, locales } from '@causeway/contract/locale.ts';
import { sayAmountText } from '@causeway/contract/money.ts';
import { understoodFile } from '@causeway/contract/operator-bank-uploads.ts';
import * as z from 'zod/mini';
import { translate } from '../../../platform/text/texts.ts';
import { namesOfPlace, type PlaceNames } from '../../banks/index.ts';
import { nilCompany } from '../../identity/index.ts';
import { type Difference, type Kind, line } from '../console/kind.ts';
import { bankNames, sayBank } from './kept-names.ts';
import { findUpload } from './uploads-store.ts';

/** Taking in a file that an operator uploaded, as a kind of proposal that the worker carries out. */

const facts = z.object({
  ...bankNames,
  fileName: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  understood: understoodFile,
  /** The same content came from the bank meanwhile. */
  isKnown: z.boolean(),
});

/** What the file is called with its bank; proposals that were made before it was kept have none. */
const fileInput = z.object({
  names: z.optional(z.object({ 'en-us': z.string(), 'zh-hk': z.string(), 'zh-cn': z.string() })),
});
export type FileInput = z.output<typeof fileInput>;

export function namesOfFile(row: PlaceNames & { fileName: string }): Record<Locale, string> {
  const banks = namesOfPlace(row);
  const named = (locale: Locale) => [locale, `${row.fileName} · ${banks[locale]}`] as const;
  return Object.fromEntries(locales.map(named)) as Record<Locale, string>;
}

/** So many statements are lines of their own. */
const mostLines = 20;

function statementLine(
  locale: Locale,
  { account, entries, sums }: z.output<typeof facts>['understood']['statements'][number],
): string {
  const amount = (text: string, currency: string) => `${sayAmountText(text)} ${currency}`;
  const parts = sums.map(({ currency, opening, credits, debits, closing, difference }) =>
    [
      ...(opening === null || closing === null ? [] : [`${amount(opening, currency)} → ${amount(closing, currency)}`]),
      `+${amount(credits, currency)}`,
      `−${amount(debits, currency)}`,
      ...(difference === null || /^-?0(\.0+)?$/.test(difference)
        ? []
        : [translate(locale, 'operator.bankFile.differs', { difference: amount(difference, currency) })]),
    ].join(', '),
  );
  return [account, translate(locale, 'operator.bankFile.entries', { count: entries }), ...parts].join(' · ');
}

export const fileTaking: Kind = {
  subjectKind: 'bankFile',
  async before(tx, subjectId) {
    const row = await findUpload(tx, subjectId);
    if (!row) return {};
    const { name: bankName, nameZhHk, nameZhCn, fileName, bytes, sha256, understood, isKnown } = row;
    return { bankName, nameZhHk, nameZhCn, fileName, bytes, sha256, understood, isKnown };
  },
  titleOf: () => ({}),
  subjectName: (locale, input) => fileInput.parse(input).names?.[locale] ?? null,
  changes(locale, _input, before): Difference[] {
    const known = facts.safeParse(before);
    if (!known.success) return [];
    const { fileName, bytes, sha256, understood } = known.data;
    const { messages, statements, statuses } = understood;
    const more = statements.length - mostLines;
    return [
      line(locale, 'bankFile.file', null, translate(locale, 'operator.bankFile.file', { fileName, bytes })),
      line(locale, 'bankFile.bank', null, sayBank(known.data, locale)),
      line(locale, 'bankFile.sha256', null, sha256),
      line(locale, 'bankFile.message', null, messages.map(({ name, id }) => `${name} · ${id}`).join('; ')),
      ...statements
        .slice(0, mostLines)
        .map((statement) => line(locale, `bankFile.${statement.kind}`, null, statementLine(locale, statement))),
      ...(more > 0
        ? [line(locale, 'bankFile.statement', null, translate(locale, 'operator.bankFile.more', { count: more }))]
        : []),
      ...(statuses > 0
        ? [line(locale, 'bankFile.statuses', null, translate(locale, 'operator.bankFile.answers', { count: statuses }))]
        : []),
    ];
  },
  company: () => nilCompany,
};
