import { inFours } from '@causeway/contract/recharges-rules.ts';
import type { PayoutDetail } from '@causeway/contract/transactions.ts';
import { dayOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { type Translate, useLocaleTag, useText } from '../../../lib/locale.tsx';
import { Copied } from '../../../ui/copied.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { PanelSection } from '../../../ui/side-panel.tsx';
import { Banner } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { type Stage, Timeline } from '../../../ui/timeline.tsx';

/** Of a payment out of a bank: whom it pays and on which terms, what asks for a look, and what the bank has said. */
export function PayoutFacts({ payout }: { payout: PayoutDetail }) {
  const t = useText();
  return (
    <>
      <PayoutWarnings payout={payout} />
      <PanelSection title={t('payout.facts')}>
        <DescriptionList facts={useFacts(payout)} />
      </PanelSection>
      {payout.answers.length > 0 && (
        <PanelSection title={t('payout.answers')}>
          <Timeline label={t('payout.answers')} stages={payout.answers.map(answerOf)} />
        </PanelSection>
      )}
    </>
  );
}

/** The account was changed shortly before, old beside new; the bank does not know the name. */
export function PayoutWarnings({ payout }: { payout: PayoutDetail }) {
  const t = useText();
  const formats = useFormats();
  const { changedUntil, accountBefore, verification } = payout;
  return (
    <>
      {changedUntil !== null && (
        <Banner kind="pending">
          {t('payout.changed', { date: formats.date(changedUntil) })}
          {accountBefore !== null && (
            <span className="mt-2 grid gap-2 sm:grid-cols-2">
              <Side term={t('payout.before')} name={accountBefore.name} account={accountBefore.account} />
              <Side term={t('payout.now')} name={payout.payeeName} account={accountOf(payout)} />
            </span>
          )}
        </Banner>
      )}
      {verification?.answer === 'none' && <Banner kind="negative">{verificationText(payout, t)}</Banner>}
      {verification?.answer === 'close' && <Banner kind="pending">{verificationText(payout, t)}</Banner>}
    </>
  );
}

/** What the bank said of the name; what to do about it is said only while the bank has no instruction yet. */
function verificationText({ messageId, transferId, verification }: PayoutDetail, t: Translate): string {
  if (verification === null) return '';
  const { answer, bankName } = verification;
  const values = { name: bankName ?? '' };
  return messageId === null && transferId === null
    ? t(`payees.bank.verification.${answer}`, values)
    : t(`payout.verification.${answer}`, values);
}

function Side({ term, name, account }: { term: string; name: string; account: string }) {
  return (
    <span className="block min-w-0">
      <span className="block text-12 text-muted">{term}</span>
      <span className="block break-words">{name}</span>
      <span className="figures block font-medium break-all">{account}</span>
    </span>
  );
}

/** By which fields an account is known, the most telling first. */
const accountFields = ['iban', 'account', 'clabe', 'phone', 'email', 'fpsId'];

function accountOf({ fields }: PayoutDetail): string {
  for (const name of accountFields) {
    const found = fields.find((field) => field.name === name);
    if (found) return found.value;
  }
  return fields[0]?.value ?? '';
}

/** What is compared with other papers, character by character. */
const copied: ReadonlySet<string> = new Set([...accountFields, 'bic']);

function useFacts(payout: PayoutDetail): Fact[] {
  const t = useText();
  const formats = useFormats();
  const tag = useLocaleTag();
  const country = (code: string) => new Intl.DisplayNames(tag, { type: 'region' }).of(code) ?? code;
  const day = (date: string) => <time dateTime={date}>{formats.date(dayOf(date))}</time>;
  const { expected, purpose, remittance, verification, payeeBank } = payout;
  const namesBank = payout.fields.some(({ name }) => name === 'bankName');
  const { asset, amount, fee } = payout.paid;
  const facts: (Fact | false)[] = [
    { term: t('payout.paid'), value: <Money amount={amount} coin={asset} align="right" /> },
    { term: t('payout.fee'), value: <Money amount={fee} coin={asset} align="right" /> },
    { term: t('payout.payeeName'), value: <Copied text={payout.payeeName} what={t('payout.payeeName')} /> },
    payeeBank !== null && !namesBank && { term: t('payout.payeeBank'), value: payeeBank },
    { term: t('payout.country'), value: country(payout.payeeCountry) },
    ...payout.fields.map(({ name, label, value }) => {
      const term = t(`bank.label.${label}`);
      if (copied.has(name)) {
        const shown = name === 'iban' ? inFours(value) : value;
        return { term, value: <Copied text={value} shown={shown} what={term} /> };
      }
      if (name === 'purpose') return { term, value: t(`payees.bank.purpose.${value}`) };
      if (name === 'accountType') return { term, value: t(`payees.bank.type.${value}`) };
      return { term, value: name === 'addressCountry' ? country(value) : value };
    }),
    verification !== null && {
      term: t('payees.bank.verification'),
      value: (
        <span>
          {verificationText(payout, t)}
          {verification.at !== null && (
            <span className="block text-12 text-muted">
              <Time at={verification.at} />
            </span>
          )}
        </span>
      ),
    },
    { term: t('payout.charges'), value: t(`payout.charges.${payout.charges}`) },
    purpose !== null && { term: t('payout.purpose'), value: t(`payees.bank.purpose.${purpose}`) },
    remittance !== null && { term: t('payout.remittance'), value: remittance },
    {
      term: t('payout.expected'),
      value:
        expected.earliest === expected.latest ? (
          day(expected.latest)
        ) : (
          <span>
            {day(expected.earliest)} – {day(expected.latest)}
          </span>
        ),
    },
    payout.uetr !== null && {
      term: t('payout.uetr'),
      value: <Copied text={payout.uetr} what={t('payout.uetr')} mono />,
    },
    { term: t('payout.endToEndId'), value: <Copied text={payout.endToEndId} what={t('payout.endToEndId')} mono /> },
    payout.transferId !== null && {
      term: t('payout.transferId'),
      value: <Copied text={payout.transferId} what={t('payout.transferId')} mono />,
    },
    payout.messageId !== null &&
      payout.messageId !== payout.endToEndId && {
        term: t('payout.messageId'),
        value: <Copied text={payout.messageId} what={t('payout.messageId')} mono />,
      },
    payout.fileName !== null && {
      term: t('payout.fileName'),
      value: <Copied text={payout.fileName} what={t('payout.fileName')} mono />,
    },
  ];
  return facts.filter((fact) => fact !== false);
}

/** One message of the bank's: what it says, its code, and the bank's own words. */
function answerOf(answer: PayoutDetail['answers'][number], index: number): Stage {
  const { status, reason, sentence, words, at } = answer;
  return {
    key: `${index}`,
    title: <AnswerTitle status={status} />,
    tone: toneOf(status),
    at,
    detail: (
      <span className="flex flex-col gap-0.5">
        {sentence !== null && <span className="text-text">{sentence}</span>}
        {(reason !== null || words !== null) && (
          <span className="break-words">
            {[reason, words].filter((part) => part !== null && part !== '').join(' · ')}
          </span>
        )}
      </span>
    ),
  };
}

function toneOf(status: string | null): Stage['tone'] {
  if (['RJCT', 'REFUSED', 'FAILED', 'CANCELLED', 'RETURNED'].includes(status ?? '')) return 'negative';
  return ['PDNG', 'IN_APPROVAL', 'OVERDUE'].includes(status ?? '') ? 'pending' : 'positive';
}

function AnswerTitle({ status }: { status: string | null }) {
  const t = useText();
  if (status === null) return t('payout.answer.note');
  const known = knownAnswers.find((each) => each === status);
  return known === undefined ? status : t(`payout.answer.${known}`);
}

/** Of ISO 20022, of Airwallex's API, and our own of an order that the API refused and of a payment that came back. */
const knownAnswers = [
  ...(['ACTC', 'ACCP', 'ACSP', 'ACSC', 'ACCC', 'PDNG', 'RJCT', 'RCVD', 'ACWC'] as const),
  ...(['IN_APPROVAL', 'SCHEDULED', 'OVERDUE', 'PROCESSING', 'SENT', 'PAID', 'FAILED', 'CANCELLED'] as const),
  ...(['REFUSED', 'RETURNED'] as const),
] as const;
