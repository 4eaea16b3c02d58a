import { cardKinds } from '@causeway/contract/cards-rules.ts';
import { isAtBank } from '@causeway/contract/wallets-rules.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { usePermission } from '../../../lib/permission.ts';
import { placed } from '../../../lib/placed.ts';
import { reportError } from '../../../lib/report-error.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Form } from '../../../ui/form.tsx';
import { type Checked, type Fields, useFields } from '../../../ui/form-state.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { RadioField } from '../../../ui/radio-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner, ErrorState, Loading, NoPermission, Skeleton } from '../../../ui/states.tsx';
import { ControlNote, useTellChange } from '../../control/index.ts';
import { useNamedOptions } from '../../organisation/index.ts';
import { useWallets, walletName } from '../../wallets/index.ts';
import { useCardSummary, useIssue } from '../api.ts';
import { boundsOf, checkBounds, openBounds } from '../bounds-values.ts';
import { useBoundsFacts } from '../components/bounds-facts.ts';
import { CardFields, type CardValues, checkName } from '../components/card-form.tsx';
import { checkShip, noAddress, ShipFields, type ShipValues, shipToOf } from '../components/ship-fields.tsx';
import { cardsPath } from '../paths.ts';

interface Values extends CardValues, ShipValues {
  kind: (typeof cardKinds)[number];
  holderId: string;
  walletId: string;
}

const empty: Values = {
  ...openBounds,
  ...noAddress,
  ...{ kind: 'virtual', holderId: '', walletId: '', name: '', validUntil: '' },
};

function check(values: Values): Checked<Values> {
  const missing = (['holderId', 'walletId'] as const).filter((name) => values[name] === '');
  const problems = [
    ...missing.map((name) => ({ path: [name], message: 'field.required' })),
    ...checkName(values),
    ...checkBounds(values),
    ...(values.kind === 'physical' ? checkShip(values) : []),
  ];
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

/** Issuing a card, for those who may. */
export function Page() {
  if (usePermission('card.manage') !== false) return <Issue />;
  return (
    <CardPage narrow>
      <NoPermission />
    </CardPage>
  );
}

function Issue() {
  const t = useText();
  const navigate = useNavigate();
  const issue = useIssue();
  const tell = useTellChange();
  const read = useWallets();
  const isConnected = useCardSummary()?.connected;
  const { members } = useNamedOptions();
  // Chosen once, so that a form sent twice is one card.
  const [id] = useState(() => newId());
  const fields = useFields<Values, Values>({ check, defaults: empty, keep: 'card-issue' });
  const wallets = (read.data?.items ?? []).filter(isAtBank);
  const { values } = fields;
  const wallet = wallets.find((each) => each.id === values.walletId);
  if (read.data === undefined && read.error !== null) {
    return (
      <CardPage narrow>
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      </CardPage>
    );
  }

  async function submit(card: Values): Promise<void> {
    const { kind, holderId, walletId, name, validUntil } = card;
    const shipTo = kind === 'physical' ? shipToOf(card) : null;
    const rest = { ...boundsOf(card), validUntil: validUntil === '' ? null : validUntil, shipTo };
    try {
      const made = await issue.mutateAsync({ body: { id, kind, holderId, name: name.trim(), walletId, ...rest } });
      fields.reset();
      tell(made, t('cards.issued'));
      void navigate({ to: made.applied ? `${cardsPath}/${made.id}` : cardsPath });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      reportError(error);
      throw placed(error, { cardHolderInvalid: 'holderId', cardWalletInvalid: 'walletId', walletNotFound: 'walletId' });
    }
  }

  return (
    <Frame intro={t('cards.issue.intro')}>
      {isConnected === false && <Banner kind="notice">{t('cards.notConnected')}</Banner>}
      <Loading loading={read.data === undefined} skeleton={<Skeleton height="h-96" />}>
        <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <Card>
            <Form fields={fields} onSubmit={submit} label={t('cards.issue')}>
              <RadioField
                label={t('cards.field.kind')}
                options={cardKinds.map((value) => ({
                  value,
                  label: t(`cards.kind.${value}`),
                  detail: t(`cards.kind.${value}Hint`),
                }))}
                {...fields.value('kind')}
              />
              <ComboboxField label={t('cards.field.holder')} options={members} {...fields.value('holderId')} />
              <SelectField
                label={t('cards.field.wallet')}
                hint={t(wallets.length === 0 ? 'cards.field.noWallet' : 'cards.field.walletHint')}
                disabled={wallets.length === 0}
                options={wallets.map((each) => ({
                  value: each.id,
                  label: walletName(each),
                  detail: amountLine(each.available, each.asset),
                }))}
                {...fields.value('walletId')}
              />
              <CardFields
                fields={fields as unknown as Fields<CardValues, CardValues>}
                asset={wallet?.asset ?? ''}
                decimals={wallet?.decimals ?? 2}
              />
              {values.kind === 'physical' && (
                <ShipFields fields={fields as unknown as Fields<ShipValues, ShipValues>} />
              )}
              <ControlNote permission="card.manage" />
              <div className="flex justify-end border-t border-line pt-5">
                <Button
                  type="submit"
                  kind="primary"
                  size="large"
                  busy={fields.submitting}
                  disabled={isConnected === false}
                >
                  {t('cards.issue')}
                </Button>
              </div>
            </Form>
          </Card>
          <Summary
            values={values}
            asset={wallet?.asset ?? ''}
            wallet={wallet === undefined ? '' : walletName(wallet)}
          />
        </div>
      </Loading>
    </Frame>
  );
}

/** What the form says so far; it follows as one types. */
function Summary({ values, asset, wallet }: { values: Values; asset: string; wallet: string }) {
  const t = useText();
  const formats = useFormats();
  const boundsFacts = useBoundsFacts();
  const { members } = useNamedOptions();
  const holder = members.find(({ value }) => value === values.holderId)?.label ?? '–';
  return (
    <aside>
      <Card title={t('cards.issue.summary')}>
        <DescriptionList
          facts={[
            { term: t('cards.field.kind'), value: t(`cards.kind.${values.kind}`) },
            { term: t('cards.field.holder'), value: holder },
            { term: t('cards.field.wallet'), value: wallet || '–' },
            ...boundsFacts(boundsOf(values), asset),
            ...(values.validUntil === ''
              ? []
              : [{ term: t('cards.field.validUntil'), value: formats.date(values.validUntil) }]),
          ]}
        />
      </Card>
    </aside>
  );
}
