import type { PaymentAttempt } from '@causeway/contract/operator-transactions.ts';
import type { ReactNode } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { answerTones, attemptTones } from '../words.ts';
import { PlainTable } from './plain-table.tsx';

/** Every signing of the payment, and of the gas advanced for it, with what the nodes said. */
export function AttemptList({ attempts }: { attempts: readonly PaymentAttempt[] }) {
  const t = useText();
  if (attempts.length === 0) return <p className="m-0 text-13 text-muted">{t('ops.attempt.none')}</p>;
  return (
    <ol className="m-0 flex list-none flex-col gap-6 p-0">
      {attempts.map((attempt) => (
        <li key={`${attempt.kind}-${attempt.createdAt}-${attempt.attempt}`} className="flex flex-col gap-3">
          <Attempt attempt={attempt} />
        </li>
      ))}
    </ol>
  );
}

const headings = {
  transfer: 'ops.attempt.number',
  empty: 'ops.attempt.empty',
  gas: 'ops.attempt.gas',
} as const satisfies Record<PaymentAttempt['kind'], string>;

/** On a chain of outputs: what it spends, and what that pays for a block. */
function spendingFacts({ spends, feeCoin }: PaymentAttempt, t: Translate): { term: string; value: ReactNode }[] {
  if (spends === null) return [];
  const { inputs, inputCount, payments, fee, feeRate, size } = spends;
  return [
    {
      term: t('ops.attempt.inputs', { count: inputCount }),
      value: (
        <ul className="m-0 flex list-none flex-col gap-1 p-0">
          {inputs.map(({ output, quantity, lost }) => (
            <li key={output} className="flex flex-wrap items-baseline gap-x-3">
              <Address value={output} short what={t('ops.attempt.input')} />
              <Money amount={quantity} coin={feeCoin} />
              {lost !== null && <LostInput lost={lost} />}
            </li>
          ))}
          {inputCount > inputs.length && <li>{t('ops.attempt.moreInputs', { count: inputCount - inputs.length })}</li>}
        </ul>
      ),
    },
    ...(payments.length === 0
      ? []
      : [
          {
            term: t('ops.attempt.payments', { count: payments.length }),
            value: <Payments {...{ payments, feeCoin }} />,
          },
        ]),
    { term: t('ops.attempt.feeRate'), value: `${feeRate} sat/vB` },
    { term: t('ops.attempt.size'), value: `${size} vB` },
    { term: t('ops.attempt.offeredFee'), value: <Money amount={fee} coin={feeCoin} /> },
  ];
}

type Lost = NonNullable<NonNullable<PaymentAttempt['spends']>['inputs'][number]['lost']>;

/** No node has the output any more. */
function LostInput({ lost: { since, replacedBy } }: { lost: Lost }) {
  const t = useText();
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 text-13">
      <StatusDot tone="negative">{t('ops.attempt.lost')}</StatusDot>
      <span className="text-muted">
        {t('ops.attempt.lostSince')} <Time at={since} />
      </span>
      {replacedBy !== null && (
        <span className="text-muted">
          {t('ops.attempt.lostTo')} <Address value={replacedBy} short what={t('ops.attempt.lostTo')} />
        </span>
      )}
    </span>
  );
}

/** Each payment that the transaction makes, with its payee and what of the fee it pays. */
function Payments({
  payments,
  feeCoin,
}: {
  payments: NonNullable<PaymentAttempt['spends']>['payments'];
  feeCoin: string;
}) {
  const t = useText();
  return (
    <ul className="m-0 flex list-none flex-col gap-1 p-0">
      {payments.map(({ id, payee, quantity, share }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-3">
          <PlainLink href={`/app/payments/${id}`} className="font-mono text-12 text-accent">
            {id}
          </PlainLink>
          {payee !== null && <Address value={payee} short what={t('transactions.panel.payee')} />}
          {quantity !== null && <Money amount={quantity} coin={feeCoin} />}
          <span className="text-12 text-muted">
            {t('ops.attempt.share')} <Money amount={share} coin={feeCoin} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Attempt({ attempt }: { attempt: PaymentAttempt }) {
  const t = useText();
  const { kind, state, hash, replacedBy, feeCoin, answers } = attempt;
  const money = (amount: string | null) => amount !== null && <Money amount={amount} coin={feeCoin} />;
  const gwei = (amount: string | null) => amount !== null && <Money amount={amount} coin="gwei" />;
  const time = (at: string | null) => at !== null && <Time at={at} />;
  const facts: (Fact | false)[] = [
    hash !== null && {
      term: t('transactions.column.hash'),
      value: <Address value={hash} short what={t('transactions.column.hash')} explorerUrl={attempt.explorerUrl} />,
    },
    { term: t('ops.attempt.from'), value: <Address value={attempt.from} short what={t('ops.attempt.from')} /> },
    ...[
      { term: t('ops.attempt.nonce'), value: attempt.nonce !== null && String(attempt.nonce) },
      { term: t('ops.attempt.maxFee'), value: gwei(attempt.maxFeePerGas) },
      { term: t('ops.attempt.tip'), value: gwei(attempt.maxPriorityFeePerGas) },
      { term: t('ops.attempt.gasLimit'), value: attempt.gasLimit },
      ...spendingFacts(attempt, t),
      { term: t('ops.attempt.networkFee'), value: money(attempt.networkFee) },
      { term: t('ops.attempt.createdAt'), value: time(attempt.createdAt) },
      { term: t('ops.attempt.firstBroadcastAt'), value: time(attempt.firstBroadcastAt) },
      { term: t('ops.attempt.lastBroadcastAt'), value: time(attempt.lastBroadcastAt) },
      { term: t('transactions.panel.block'), value: attempt.minedBlock !== null && String(attempt.minedBlock) },
      { term: t('ops.attempt.finalAt'), value: time(attempt.finalAt) },
    ].map(({ term, value }) => value !== false && value !== null && { term, value }),
    replacedBy !== null && {
      term: t('ops.attempt.replacedBy'),
      value: <Address value={replacedBy} short what={t('ops.attempt.replacedBy')} />,
    },
  ];
  return (
    <>
      <h3 className="m-0 flex flex-wrap items-baseline gap-x-4 text-14 font-medium">
        {t(headings[kind], { number: attempt.attempt })}
        <span className="text-13 font-normal">
          <StatusDot tone={attemptTones[state]}>{t(`ops.attempt.state.${state}`)}</StatusDot>
        </span>
      </h3>
      <DescriptionList columns facts={facts.filter((fact) => fact !== false)} />
      {answers.length > 0 && (
        <PlainTable
          caption={t('ops.answer.title')}
          rows={answers}
          rowId={({ node, answer, words }) => `${node} ${answer} ${words}`}
          columns={[
            { key: 'node', header: t('ops.answer.node'), cell: ({ node }) => node },
            {
              key: 'answer',
              header: t('ops.answer.answer'),
              cell: ({ answer }) => <StatusDot tone={answerTones[answer]}>{t(`ops.answer.${answer}`)}</StatusDot>,
            },
            {
              key: 'words',
              header: t('ops.answer.words'),
              cell: ({ words }) => <span className="font-mono text-12 wrap-anywhere">{words ?? '–'}</span>,
            },
            { key: 'times', header: t('ops.answer.times'), right: true, cell: ({ times }) => times },
            { key: 'last', header: t('ops.answer.lastAt'), cell: ({ lastAt }) => <Time at={lastAt} /> },
          ]}
        />
      )}
    </>
  );
}
