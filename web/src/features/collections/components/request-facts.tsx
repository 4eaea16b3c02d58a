import { dayOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Request } from '../api.ts';
import { isSome, methodName, stateTones } from '../words.ts';

/** The terms of a request and how far it is paid. */
export function RequestFacts({ request }: { request: Request }) {
  const t = useText();
  const facts: (Fact | false)[] = [
    { term: t('collections.field.state'), value: <State request={request} /> },
    ...moneyFacts(request, t),
    { term: t('collections.field.kind'), value: t(`collections.kind.${request.kind}`) },
    request.reference !== '' && { term: t('collections.field.reference'), value: request.reference },
    { term: t('collections.field.accepted'), value: request.accepted.map(methodName).join(', ') },
    {
      term: t('collections.field.expiresAt'),
      value: request.expiresAt === null ? t('collections.noExpiry') : <Time at={request.expiresAt} />,
    },
    request.dueOn !== null && { term: t('collections.field.dueOn'), value: <Day on={request.dueOn} /> },
    request.payer !== null && { term: t('collections.field.payer'), value: <Payer request={request} /> },
    request.tolerance !== null &&
      isSome(request.tolerance.units) &&
      request.asset !== null && {
        term: t('collections.field.tolerance'),
        value: [
          request.tolerance.percent === null ? '' : `${request.tolerance.percent}%`,
          amountLine(request.tolerance.units, request.asset),
        ]
          .filter(Boolean)
          .join(' · '),
      },
    request.note !== '' && {
      term: t('collections.field.note'),
      value: <span className="whitespace-pre-line">{request.note}</span>,
    },
    { term: t('collections.field.createdBy'), value: request.createdBy.name },
    { term: t('collections.field.createdAt'), value: <Time at={request.createdAt} /> },
  ];
  return (
    <Card title={t('collections.facts')}>
      <DescriptionList facts={facts.filter((fact) => fact !== false)} />
    </Card>
  );
}

function State({ request: { state, actor } }: { request: Request }) {
  const t = useText();
  return (
    <StatusDot tone={stateTones[state]} {...(actor !== null && { detail: t(`collections.actor.${actor}`) })}>
      {t(`collections.state.${state}`)}
    </StatusDot>
  );
}

function moneyFacts(request: Request, t: ReturnType<typeof useText>): (Fact | false)[] {
  const { asset, amount, paid, remaining, difference, sums, payments, kind } = request;
  const money = (term: string, of: string | null): Fact | false =>
    of !== null && asset !== null && { term: t(term), value: <Money amount={of} coin={asset} /> };
  return [
    amount === null
      ? { term: t('collections.field.amount'), value: t('collections.anyAmount') }
      : money('collections.field.amount', amount),
    money('collections.field.paid', paid),
    isSome(remaining) && money('collections.field.remaining', remaining),
    isSome(difference) && money('collections.field.difference', difference),
    kind === 'reusable' && {
      term: t('collections.field.paid'),
      value: (
        <span className="flex flex-col items-end">
          <span>{t('collections.paidTimes', { count: payments })}</span>
          {sums.map((sum) => (
            <Money key={sum.coin} amount={sum.amount} coin={sum.coin} />
          ))}
        </span>
      ),
    },
  ];
}

function Payer({ request: { payer } }: { request: Request }) {
  const t = useText();
  if (payer === null) return null;
  return (
    <span className="flex flex-col items-end">
      {payer.name !== '' && <span>{payer.name}</span>}
      {payer.email !== null && <span className="text-13 text-muted">{payer.email}</span>}
      <span className="text-12 text-faint">{t(`collections.language.${payer.language}`)}</span>
    </span>
  );
}

function Day({ on }: { on: string }) {
  return <span className="figures">{useFormats().date(dayOf(on))}</span>;
}
