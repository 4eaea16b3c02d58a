import type { CardDetail } from '@causeway/contract/cards.ts';
import type { CardPayment } from '@causeway/contract/cards-payments.ts';
import { useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { downloadStatement, useCard } from '../api.ts';
import { useBinding } from '../components/bounds-facts.ts';
import { CardActions } from '../components/card-actions.tsx';
import { CardPayments } from '../components/card-payments.tsx';
import { LimitBars } from '../components/limit-bars.tsx';
import { PaymentDialog } from '../components/payment-dialog.tsx';
import { PeriodDialog } from '../components/period-dialog.tsx';
import { cardsPath } from '../paths.ts';
import { dots, stateOf } from '../words.ts';

/** One card: what it is, what it may and has spent, which rule binds it, and what it paid. */
export function CardPage({ id }: { id: string }) {
  const read = useCard(id);
  const card = read.data;
  if (card === undefined && read.error !== null) {
    return (
      <Frame>
        <Card>
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        </Card>
      </Frame>
    );
  }
  return (
    <Loading loading={card === undefined} skeleton={<Skeleton height="h-96" />}>
      {card && <Detail card={card} />}
    </Loading>
  );
}

function Detail({ card }: { card: CardDetail }) {
  const t = useText();
  const [opened, setOpened] = useState<CardPayment | null>(null);
  const [isAsking, setAsking] = useState(false);
  return (
    <Frame
      intro={
        <span className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-16 font-semibold text-text">{card.name}</span>
          <span className="figures">{dots(card.lastFour)}</span>
        </span>
      }
      actions={<CardActions card={card} />}
    >
      <Notes card={card} />
      <div className="grid gap-6 lg:grid-cols-2">
        <Card title={t('cards.detail.facts')}>
          <Facts card={card} />
        </Card>
        <Card title={t('cards.detail.limits')}>
          <div className="flex flex-col gap-5">
            <LimitBars card={card} />
            <Binding card={card} />
          </div>
        </Card>
      </div>
      <Card
        title={t('cards.payments')}
        aside={
          <Button size="small" icon="download" onClick={() => setAsking(true)}>
            {t('cards.statement')}
          </Button>
        }
      >
        <CardPayments cardId={card.id} onOpen={setOpened} />
      </Card>
      {card.shipping !== null && <Shipping shipping={card.shipping} />}
      <Card title={t('cards.detail.history')}>
        <ol className="m-0 flex list-none flex-col gap-3 p-0 text-13">
          {card.history.map(({ step, at, by, note }) => (
            <li key={`${step} ${at}`} className="flex flex-wrap justify-between gap-x-4">
              <span>
                {t(`cards.history.${step}`)}
                {by !== null && <span className="text-muted"> · {by}</span>}
                {note !== '' && <span className="block text-12 text-faint">{note}</span>}
              </span>
              <span className="text-faint">
                <Time at={at} />
              </span>
            </li>
          ))}
        </ol>
      </Card>
      {opened !== null && <PaymentDialog payment={opened} onClose={() => setOpened(null)} />}
      {isAsking && (
        <PeriodDialog
          title={t('cards.statement')}
          text={t('cards.statementText')}
          formats={['pdf', 'csv']}
          onDownload={(period, format) => downloadStatement(card.id, period, format)}
          onClose={() => setAsking(false)}
        />
      )}
    </Frame>
  );
}

/** What the reader has to know before anything else. */
function Notes({ card }: { card: CardDetail }) {
  const t = useText();
  const { frozenBy, blocked, problem, state, replacedBy, can } = card;
  return (
    <>
      {problem !== null && <Banner kind="negative">{t('cards.note.failed', { problem })}</Banner>}
      {blocked && <Banner kind="negative">{t('cards.note.blocked')}</Banner>}
      {frozenBy !== null && state !== 'closed' && <Banner kind="notice">{t(`cards.note.frozen.${frozenBy}`)}</Banner>}
      {state === 'ordered' && problem === null && <Banner kind="pending">{t('cards.note.ordered')}</Banner>}
      {state === 'inactive' && (
        <Banner kind="pending">{t(can.activate ? 'cards.note.inactiveOwn' : 'cards.note.inactive')}</Banner>
      )}
      {replacedBy !== null && (
        <Banner
          kind="notice"
          action={<PlainLink href={`${cardsPath}/${replacedBy}`}>{t('cards.note.open')}</PlainLink>}
        >
          {t('cards.note.replacedBy')}
        </Banner>
      )}
    </>
  );
}

function Facts({ card }: { card: CardDetail }) {
  const t = useText();
  const formats = useFormats();
  const { tone, text } = stateOf(card);
  return (
    <DescriptionList
      facts={[
        { term: t('cards.field.state'), value: <StatusDot tone={tone}>{t(text)}</StatusDot> },
        { term: t('cards.field.kind'), value: t(`cards.kind.${card.kind}`) },
        {
          term: t('cards.field.holder'),
          value: [card.holder.name, card.department?.name].filter(Boolean).join(' · '),
        },
        {
          term: t('cards.field.wallet'),
          value: (
            <PlainLink href={`/app/wallet/${card.walletId}`} className="text-accent">
              {card.walletName}
            </PlainLink>
          ),
        },
        { term: t('cards.field.available'), value: amountLine(card.available, card.asset) },
        ...(card.expires === null ? [] : [{ term: t('cards.field.expires'), value: printed(card.expires) }]),
        ...(card.validUntil === null
          ? []
          : [{ term: t('cards.field.validUntil'), value: formats.date(card.validUntil) }]),
        ...(card.receiptsMissing === 0
          ? []
          : [
              {
                term: t('cards.field.receiptsMissing'),
                value: (
                  <PlainLink
                    href={`${cardsPath}/payments?cardId=${card.id}&receipt=missing`}
                    className="figures text-accent"
                  >
                    {card.receiptsMissing}
                  </PlainLink>
                ),
              },
            ]),
        { term: t('cards.field.createdAt'), value: <Time at={card.createdAt} /> },
      ]}
    />
  );
}

/** What binds the card in each respect, and whether that is set for it or by a rule above. */
function Binding({ card }: { card: CardDetail }) {
  const bindingOf = useBinding();
  return (
    <DescriptionList
      facts={bindingOf(card.binding, card.asset).map(({ term, by }) => ({
        term,
        value: (
          <span className="flex flex-col items-end gap-1">
            {by.map(({ what, source }) => (
              <span key={`${what} ${source}`}>
                {what}
                {source !== '' && <span className="block text-12 text-faint">{source}</span>}
              </span>
            ))}
          </span>
        ),
      }))}
    />
  );
}

function Shipping({ shipping }: { shipping: NonNullable<CardDetail['shipping']> }) {
  const t = useText();
  const tag = useLocaleTag();
  const countryName = (code: string) => new Intl.DisplayNames(tag, { type: 'region' }).of(code) ?? code;
  const formats = useFormats();
  const { to, state, tracking, expectedOn, at } = shipping;
  return (
    <Card title={t('cards.detail.shipping')}>
      <DescriptionList
        facts={[
          { term: t('cards.field.state'), value: t(`cards.shipping.${state}`) },
          { term: t('cards.field.since'), value: <Time at={at} /> },
          ...(expectedOn === null ? [] : [{ term: t('cards.field.expectedOn'), value: formats.date(expectedOn) }]),
          ...(tracking === null
            ? []
            : [
                {
                  term: t('cards.field.tracking'),
                  value: (
                    <span className="inline-flex items-center gap-1">
                      {tracking}
                      <CopyButton text={tracking} what={t('cards.field.tracking')} />
                    </span>
                  ),
                },
              ]),
          {
            term: t('cards.ship.address'),
            value: [to.name, to.line1, to.line2, to.city, to.region, to.postalCode, countryName(to.country)]
              .filter(Boolean)
              .join(', '),
          },
        ]}
      />
    </Card>
  );
}

/** "11/29", as it is on the card. */
function printed(expires: string): string {
  return `${expires.slice(5, 7)}/${expires.slice(2, 4)}`;
}
